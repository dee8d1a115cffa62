import DurableFiles
import FlagChanges
import Foundation
import Synchronization

/// The file of the webhooks, which the server reads and, like the command line, writes.
///
/// It holds the secrets that messages are signed with, so it must be its owner's alone.
package final class WebhooksFile: Sendable {
    /// Where the file is, or will be.
    package let url: URL
    private let path: String
    /// The longest wait of a change for other programs that write in its folder.
    let patience: Duration
    private let seen = Mutex<Seen?>(nil)

    /// What was last read of the file.
    private struct Seen {
        let contents: AtomicFile.Contents
        let webhooks: [Webhook]
    }

    /// The most bytes that are read: some thousand webhooks.
    static let maximumSize = FlagFiles.maximumKeptSize

    /// Names the file; a symbolic link stands for what it leads to.
    package init(_ url: URL, patience: Duration = .seconds(FolderLock.patience)) {
        self.url = AtomicFile.target(of: url)
        path = self.url.path(percentEncoded: false)
        self.patience = patience
    }

    /// The webhooks as the file holds them now, in the order in which they were added; none where there is no file.
    ///
    /// - Throws: ``WebhooksFileError`` where the file can't be read, is open to others, or is no file of webhooks.
    package func webhooks() throws(WebhooksFileError) -> [Webhook] {
        let contents: AtomicFile.Contents
        do throws(FileAccessError) {
            if let known = seen.withLock(\.self), known.contents.isSettled,
                AtomicFile.look(atPath: path) == known.contents.signature
            {
                return known.webhooks
            }
            guard let read = try AtomicFile.readIfThere(url, maximumSize: Self.maximumSize) else { return [] }
            contents = read
        } catch {
            throw .file(error)
        }
        guard contents.signature.mode & 0o077 == 0 else { throw .open(path, mode: contents.signature.mode) }
        let webhooks = try WebhooksText.decode(contents.data, path: path)
        seen.withLock { $0 = Seen(contents: contents, webhooks: webhooks) }
        return webhooks
    }

    /// The webhook that a person means.
    ///
    /// - Parameter name: Its identifier or its name.
    /// - Returns: The webhook.
    /// - Throws: ``WebhooksFileError`` where there is none, or the file can't be read.
    package func webhook(_ name: String) throws(WebhooksFileError) -> Webhook {
        try Self.find(name, try webhooks())
    }

    static func find(_ name: String, _ webhooks: [Webhook]) throws(WebhooksFileError) -> Webhook {
        guard let found = webhooks.first(where: { $0.id == name || $0.name == name }) else {
            throw .notKept("There is no webhook \(name): see those that there are with flagboard webhook list.")
        }
        return found
    }
}
