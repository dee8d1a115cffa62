import DurableFiles
import Foundation

/// The file of how far each webhook was told, which the process that serves the flags writes alone.
package struct WebhookStatesFile: Sendable {
    /// Where the file is, or will be.
    package let url: URL

    /// Names the file; a symbolic link stands for what it leads to.
    package init(_ url: URL) { self.url = AtomicFile.target(of: url) }

    /// What the file holds, by the webhooks' identifiers; nothing where there is no file.
    ///
    /// - Throws: ``WebhooksFileError`` where it can't be read, or is no such file.
    package func states() throws(WebhooksFileError) -> [String: WebhookState] {
        let contents: AtomicFile.Contents?
        do throws(FileAccessError) {
            contents = try AtomicFile.readIfThere(url, maximumSize: WebhooksFile.maximumSize)
        } catch {
            throw .file(error)
        }
        guard let contents else { return [:] }
        return try WebhooksText.content(contents.data, url.path(percentEncoded: false))
    }

    /// Replaces what the file holds, durable before it returns.
    ///
    /// - Parameter states: The states, by the webhooks' identifiers.
    /// - Throws: ``WebhooksFileError`` where it can't be written.
    func write(_ states: [String: WebhookState]) throws(WebhooksFileError) {
        do {
            try AtomicFile.replace(url, with: try WebhooksText.encode(states), mode: 0o600)
        } catch let error as FileAccessError {
            throw .file(error)
        } catch {
            throw .malformed(url.path(percentEncoded: false), "\(error)")
        }
    }
}
