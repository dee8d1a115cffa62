import Foundation

/// The place of published flags in etcd: the members of a cluster, and the prefix of the keys.
///
/// ```swift
/// let address = try EtcdAddress("etcd://10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379/flags/shop")
/// ```
///
/// Requests use etcd's JSON gateway (`/v3/…`), which every etcd serves beside gRPC.
public struct EtcdAddress: Hashable, Sendable, CustomStringConvertible {
    /// A member of the cluster.
    ///
    /// ```swift
    /// let ports = try EtcdAddress("etcd://10.0.0.1:2379/flags").members.map(\.port)
    /// ```
    public struct Member: Hashable, Sendable, CustomStringConvertible {
        /// The name or IP address; IPv6 without brackets.
        public let host: String
        /// The port for clients.
        public let port: Int

        /// The host and port, with brackets around IPv6.
        public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// The default port for clients of etcd.
    public static let usualPort = 2379

    /// The members; the first one that answers is used.
    public let members: [Member]
    /// The prefix of all keys, without a trailing slash.
    public let prefix: String
    /// `true` if connections are encrypted.
    public let isEncrypted: Bool

    /// Parses an address.
    ///
    /// - Parameter text: `etcd://HOST:PORT[,HOST:PORT…]/PREFIX`, or `etcds://…` for encrypted connections.
    /// - Throws: The fault of the text.
    public init(_ text: String) throws(RemoteError) {
        guard !text.contains("@") else {
            // Without the text, which would put a password into logs.
            throw RemoteError.etcdAddress(
                "an etcd address can't contain a user, a password or @, because other programs can see it; use the "
                    + "options for these"
            )
        }
        guard let match = text.wholeMatch(of: /(etcds?):\/\/([^\/]*)(\/.*)?/) else {
            throw RemoteError.etcdAddress("\(text) is not a valid etcd address; use etcd://HOST:PORT/PREFIX")
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
            throw RemoteError.etcdAddress(
                "\(text) has no prefix for the keys of the flags; use etcd://HOST:PORT/PREFIX")
        }
        self.prefix = prefix
    }

    private static func member(_ part: Substring, in text: String) throws(RemoteError) -> Member {
        guard
            let match = part.wholeMatch(of: /(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._\-]+))(?::([0-9]{1,5}))?/),
            let host = match.1 ?? match.2, let port = match.3.map({ Int($0) }) ?? usualPort, (1...65535).contains(port)
        else {
            throw RemoteError.etcdAddress("\"\(part)\" in \(text) is not a valid cluster member; use HOST:PORT")
        }
        return Member(host: String(host), port: port)
    }

    /// The address as text.
    public var description: String {
        "\(isEncrypted ? "etcds" : "etcd")://\(members.map(\.description).joined(separator: ","))\(prefix)"
    }
}

/// A program's credentials for etcd, and the members it trusts.
///
/// ```swift
/// let access = EtcdAccess(user: "shop", password: URL(fileURLWithPath: "/run/secrets/etcd"))
/// ```
public struct EtcdAccess: Sendable {
    /// The trusted members and the program's certificate, for encrypted connections.
    public let trust: RemoteTrust
    /// The user's name, or `nil` if etcd requires none.
    public let user: String?
    /// The file of the password, read at each sign-in so that the password can be changed.
    public let password: URL?

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - trust: The trusted members and the program's certificate.
    ///   - user: The user's name, or `nil` if etcd requires none.
    ///   - password: The file of the password, on one line.
    public init(trust: RemoteTrust = .system, user: String? = nil, password: URL? = nil) {
        (self.trust, self.user, self.password) = (trust, user, password)
    }
}
