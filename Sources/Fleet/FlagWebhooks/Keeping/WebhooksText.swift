import FlagChanges
import Foundation

/// The files about webhooks as text: JSON.
enum WebhooksText {
    private struct Root<Content: Codable>: KeptDocument {
        var version = 1
        let webhooks: Content
    }

    static func encode(_ webhooks: some Codable) throws -> Data {
        try Root(webhooks: webhooks).keptText()
    }

    /// - Throws: ``WebhooksFileError`` that names the webhook at fault.
    static func decode(_ data: Data, path: String) throws(WebhooksFileError) -> [Webhook] {
        let webhooks: [Webhook] = try content(data, path)
        for key in [\Webhook.id, \Webhook.name] {
            let named = Dictionary(grouping: webhooks) { $0[keyPath: key] }
            if let twice = named.first(where: { $0.value.count > 1 })?.key {
                throw .malformed(path, "two webhooks are called \(twice)")
            }
        }
        if let bare = webhooks.first(where: \.secrets.isEmpty) { throw .malformed(path, "\(bare.name) has no secret") }
        return webhooks
    }

    /// - Throws: ``WebhooksFileError`` that says what is wrong.
    static func content<Content: Codable>(_ data: Data, _ path: String) throws(WebhooksFileError) -> Content {
        do throws(KeptDocumentError) {
            return try Root<Content>.read(data).webhooks
        } catch {
            throw .malformed(path, error.fault)
        }
    }
}
