/// The path below which an app serves the dashboard, such as `/flags`; empty for the whole host.
///
/// Routes, forms and redirects don't know it: it is removed from each request and added to each outgoing address, in
/// templates, `Location` and JSON.
package struct MountPath: Hashable, Sendable {
    package static let root = MountPath(unchecked: "")

    /// Without a slash at the end.
    let text: String

    private init(unchecked text: String) { self.text = text }

    /// `/flags`, for example; drops a slash at the end.
    ///
    /// - Throws: ``EmbeddingError`` if it would need encoding in addresses or cookies.
    init(_ text: String) throws(EmbeddingError) {
        let path = text.hasSuffix("/") ? String(text.dropLast()) : text
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isSound = parts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy(\.isUnreserved)
        }
        guard path.utf8.first == UInt8(ascii: "/"), isSound else { throw .path(text) }
        self.init(unchecked: path)
    }

    /// Ends of template text before an address.
    private static let attributes = ["href=\"", "action=\"", "data-again=\""].map { Array($0.utf8) }

    static func isBeforeAddress(_ text: [UInt8]) -> Bool {
        attributes.contains { text.suffix($0.count).elementsEqual($0) }
    }

    static func isLocal(_ address: String) -> Bool {
        address.utf8.first == UInt8(ascii: "/") && address.utf8.dropFirst().first != UInt8(ascii: "/")
    }

    package func address(of address: String) -> String { Self.isLocal(address) ? text + address : address }

    /// Returns the address within the dashboard; `nil` for a path outside of it.
    ///
    /// - Parameter path: Begins with a slash; may have a query.
    func inner(_ path: String) -> String? {
        guard path.utf8.starts(with: text.utf8) else { return nil }
        let rest = path.utf8.dropFirst(text.utf8.count)
        return rest.first == UInt8(ascii: "/") ? String(rest) : nil
    }
}

extension UInt8 {
    /// The byte never needs encoding in an address (RFC 3986, 2.3).
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// A reason why an app can't embed the dashboard, with the remedy.
public struct EmbeddingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the remedy, in sentences.
    public let description: String

    static func path(_ path: String) -> EmbeddingError {
        EmbeddingError(
            description:
                "The dashboard can’t be served at \"\(path)\". Use a path such as /flags, with only letters, digits, "
                + "-, ., _ and ~ between slashes.")
    }

    static let noFile = EmbeddingError(
        description:
            "The FlagsManager has no writable LocalProvider with a file, so the dashboard couldn’t change anything. "
            + "Add one: FlagsManager(providers: [LocalProvider(localURL: file)]).")

    static func sameName(_ name: String) -> EmbeddingError {
        EmbeddingError(
            description:
                "Two providers of the FlagsManager are named \(name). Give each its own name, so that changes reach the "
                + "right one.")
    }
}
