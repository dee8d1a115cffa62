import Foundation

/// Where flags are published in etcd: the members of a cluster, and what the names of the keys begin with.
///
/// ```swift
/// let address = try EtcdAddress("etcd://10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379/flags/shop")
/// ```
///
/// The members are asked by etcd's JSON gateway (`/v3/…`), which every etcd answers beside gRPC.
public struct EtcdAddress: Hashable, Sendable, CustomStringConvertible {
    /// A member of the cluster.
    ///
    /// ```swift
    /// let ports = try EtcdAddress("etcd://10.0.0.1:2379/flags").members.map(\.port)
    /// ```
    public struct Member: Hashable, Sendable, CustomStringConvertible {
        /// Its name, or its address; one of IPv6 without brackets.
        public let host: String
        /// Its port for clients.
        public let port: Int

        /// As it stands in an address.
        public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// The port that etcd answers clients at, where none is named.
    public static let usualPort = 2379

    /// The members; the first one that answers is used.
    public let members: [Member]
    /// What the keys begin with, without a slash at its end.
    public let prefix: String
    /// Whether connections are encrypted.
    public let isEncrypted: Bool

    /// Reads an address.
    ///
    /// - Parameter text: `etcd://HOST:PORT[,HOST:PORT…]/PREFIX`, or `etcds://…` for encrypted connections.
    /// - Throws: What is wrong with it.
    public init(_ text: String) throws(EtcdAddressError) {
        guard !text.contains("@") else {
            // The text is not told, since it would put a password into logs.
            throw EtcdAddressError(
                "an address of etcd holds no user and no password, since other programs see it, and no @; give them by options"
            )
        }
        guard let match = text.wholeMatch(of: /(etcds?):\/\/([^\/]*)(\/.*)?/) else {
            throw EtcdAddressError("\(text) is no address of etcd; write it as etcd://HOST:PORT/PREFIX")
        }
        isEncrypted = match.1 == "etcds"
        var members: [Member] = []
        for part in match.2.split(separator: ",", omittingEmptySubsequences: false) {
            members.append(try Self.member(part, in: text))
        }
        self.members = members
        let path = match.3.map(String.init) ?? ""
        let prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard prefix.count > 1, prefix.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw EtcdAddressError(
                "\(text) names no prefix, which the keys of the flags begin with; write it as etcd://HOST:PORT/PREFIX")
        }
        self.prefix = prefix
    }

    private static func member(_ part: Substring, in text: String) throws(EtcdAddressError) -> Member {
        guard
            let match = part.wholeMatch(of: /(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._\-]+))(?::([0-9]{1,5}))?/),
            let host = match.1 ?? match.2, let port = match.3.map({ Int($0) }) ?? usualPort, (1...65535).contains(port)
        else { throw EtcdAddressError("\"\(part)\" in \(text) is no member of a cluster; write it as HOST:PORT") }
        return Member(host: String(host), port: port)
    }

    /// The address as it is written.
    public var description: String {
        "\(isEncrypted ? "etcds" : "etcd")://\(members.map(\.description).joined(separator: ","))\(prefix)"
    }
}

/// Why a text is no address of etcd.
///
/// ```swift
/// do {
///     _ = try EtcdAddress("10.0.0.1:2379")
/// } catch {
///     print(error)  // 10.0.0.1:2379 is no address of etcd; write it as etcd://HOST:PORT/PREFIX
/// }
/// ```
public struct EtcdAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    public let description: String

    init(_ description: String) { self.description = description }
}

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
