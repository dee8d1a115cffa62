import DurableFiles
import FlagChanges
import Foundation

/// The delivery state of each webhook in a file.
///
/// Only the process that serves the flags writes it.
package struct WebhookStatesFile: Sendable {
    private struct Document: KeptFileDocument {
        var version = 1
        let webhooks: [String: WebhookState]

        static let kind = KeptFileKind("that Flagboard wrote about webhooks", remedy: "Correct it, or move it away.")
        static let empty: [String: WebhookState] = [:]

        init(_ content: [String: WebhookState]) { webhooks = content }

        func content() -> [String: WebhookState] { webhooks }
    }

    private let file: KeptFile<Document>

    /// Where the file is, or will be.
    package var url: URL { file.url }

    /// Creates an accessor for the file at a URL, or for the target of a symbolic link there.
    package init(_ url: URL) { file = KeptFile(url) }

    /// What the file holds, by the webhooks' identifiers; nothing where there is no file.
    ///
    /// - Throws: ``KeptFileError`` where it can't be read, or is no such file.
    package func states() throws(KeptFileError) -> [String: WebhookState] { try file.content() }

    /// Replaces what the file holds, durable before it returns.
    ///
    /// - Throws: ``KeptFileError`` where it can't be written.
    func write(_ states: [String: WebhookState]) throws(KeptFileError) { try file.replace(with: states) }
}
