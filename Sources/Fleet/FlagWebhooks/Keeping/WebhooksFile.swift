import DurableFiles
import FlagChanges
import Foundation

/// The file of the webhooks, which the server reads and, like the command line, writes.
///
/// It holds the secrets that messages are signed with, so it must be its owner's alone.
package final class WebhooksFile: Sendable {
    private struct Document: KeptFileDocument {
        var version = 1
        let webhooks: [Webhook]

        static let kind = KeptFileKind(
            "that Flagboard wrote about webhooks", remedy: "Correct it, or move it away.",
            secrecy: "it holds what messages are signed with")
        static let empty: [Webhook] = []

        init(_ content: [Webhook]) { webhooks = content }

        func content() throws(KeptDocumentError) -> [Webhook] {
            if let name = webhooks.firstDuplicate(of: \.id) ?? webhooks.firstDuplicate(of: \.name) {
                throw KeptDocumentError(fault: "two webhooks are called \(name)")
            }
            if let bare = webhooks.first(where: \.secrets.isEmpty) {
                throw KeptDocumentError(fault: "\(bare.name) has no secret")
            }
            return webhooks
        }
    }

    private let file: KeptFile<Document>

    /// Where the file is, or will be.
    package var url: URL { file.url }

    /// Creates an accessor for the file at a URL, or for the target of a symbolic link there.
    package init(_ url: URL, patience: Duration = .seconds(FolderLock.patience)) {
        file = KeptFile(url, patience: patience)
    }

    /// The webhooks as the file holds them now, in the order in which they were added; none where there is no file.
    ///
    /// - Throws: ``KeptFileError`` where the file can't be read, is open to others, or is no file of webhooks.
    package func webhooks() throws(KeptFileError) -> [Webhook] { try file.content() }

    /// Replaces what the file holds while no other process does so, durable before it returns.
    func edit(_ change: ([Webhook]) throws(KeptFileError) -> [Webhook]) async throws(KeptFileError) {
        try await file.edit(change)
    }

    /// The webhook that a person means.
    ///
    /// - Throws: ``KeptFileError`` where there is none, or the file can't be read.
    package func webhook(_ name: String) throws(KeptFileError) -> Webhook {
        try Self.find(name, try webhooks())
    }

    static func find(_ name: String, _ webhooks: [Webhook]) throws(KeptFileError) -> Webhook {
        guard let found = webhooks.first(where: { $0.id == name || $0.name == name }) else {
            throw .unknown("There is no webhook \(name): see those that there are with flagboard webhook list.")
        }
        return found
    }
}
