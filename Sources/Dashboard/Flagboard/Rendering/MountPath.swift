/// The path below which an app serves the dashboard: `/flags`; empty where the dashboard has the whole host.
///
/// Within the dashboard, an address is what it is without this path: routes, forms and redirects know nothing of it. It is taken
/// off each request and put before each address that leaves: in templates, in `Location`, and in what JSON names.
package struct MountPath: Hashable, Sendable {
    /// The dashboard has the whole host.
    package static let root = MountPath(unchecked: "")

    /// The path, without a slash at its end.
    let text: String

    private init(unchecked text: String) { self.text = text }

    /// Takes a path.
    ///
    /// - Parameter text: The path, such as `/flags` or `/internal/flags`; a slash at its end is dropped.
    /// - Throws: ``EmbeddingError`` where it is none that stands for itself in addresses and cookies.
    init(_ text: String) throws(EmbeddingError) {
        let path = text.hasSuffix("/") ? String(text.dropLast()) : text
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isSound = parts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy(Self.standsForItself)
        }
        guard path.utf8.first == UInt8(ascii: "/"), isSound else { throw .path(text) }
        self.init(unchecked: path)
    }

    /// What ends the attributes of a template in which an address follows.
    private static let attributes = ["href=\"", "action=\"", "data-again=\""].map { Array($0.utf8) }

    /// Whether a piece of a template ends where an address is to follow.
    static func isBeforeAddress(_ text: [UInt8]) -> Bool {
        attributes.contains { text.suffix($0.count).elementsEqual($0) }
    }

    /// Whether a text is an address within the dashboard, rather than one of another host.
    static func isLocal(_ address: String) -> Bool {
        address.utf8.first == UInt8(ascii: "/") && address.utf8.dropFirst().first != UInt8(ascii: "/")
    }

    /// An address within the dashboard as browsers and programs ask for it; any other address as it is.
    func address(of address: String) -> String { Self.isLocal(address) ? text + address : address }

    /// The address within the dashboard that a path asks for; `nil` where it is not below this one.
    ///
    /// - Parameter path: A path that begins with a slash, with its query or without.
    func inner(_ path: String) -> String? {
        guard path.utf8.starts(with: text.utf8) else { return nil }
        let rest = path.utf8.dropFirst(text.utf8.count)
        return rest.first == UInt8(ascii: "/") ? String(rest) : nil
    }

    /// A byte that no address encodes (RFC 3986, 2.3).
    private static func standsForItself(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// Why the dashboard can't be embedded in an app: what is wrong, and what to do.
public struct EmbeddingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, in sentences.
    public let description: String

    static func path(_ path: String) -> EmbeddingError {
        EmbeddingError(
            description:
                "\"\(path)\" is no path to serve the dashboard at. Write it as /flags: slashes between letters, digits, "
                + "-, ., _ and ~.")
    }

    static let noFile = EmbeddingError(
        description:
            "The FlagsManager has no writable LocalProvider of a file, so there is nothing that the dashboard could "
            + "change. Give it one: FlagsManager(providers: [LocalProvider(localURL: file)]).")

    static func sameName(_ name: String) -> EmbeddingError {
        EmbeddingError(
            description:
                "Two providers of the FlagsManager are called \(name), so changes could not tell them apart. Give each a "
                + "name of its own.")
    }
}
