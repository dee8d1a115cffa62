import Foundation

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
