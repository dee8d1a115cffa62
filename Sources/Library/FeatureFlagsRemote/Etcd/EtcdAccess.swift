import Foundation

/// How a program shows an etcd who it is, and which members it trusts.
///
/// ```swift
/// let access = EtcdAccess(user: "shop", password: URL(fileURLWithPath: "/run/secrets/etcd"))
/// ```
public struct EtcdAccess: Sendable {
    /// Which members are trusted, and the program's own certificate, where connections are encrypted.
    public let trust: RemoteTrust
    /// The name of the user; `nil` where etcd asks for none.
    public let user: String?
    /// The file of the user's password; it is read at each sign-in, so that it can be changed.
    public let password: URL?

    /// Describes the access.
    ///
    /// - Parameters:
    ///   - trust: Which members are trusted, and the program's own certificate.
    ///   - user: The name of the user; `nil` where etcd asks for none.
    ///   - password: The file of the user's password, on one line.
    public init(trust: RemoteTrust = .system, user: String? = nil, password: URL? = nil) {
        (self.trust, self.user, self.password) = (trust, user, password)
    }
}
