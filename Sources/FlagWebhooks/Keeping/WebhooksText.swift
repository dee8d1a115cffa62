import FlagChanges
import Foundation

/// The files about webhooks as text: JSON.
enum WebhooksText {
    private struct Root<Content: Codable>: Codable {
        var version = 1
        let webhooks: Content
    }

    static func encode(_ webhooks: some Codable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Root(webhooks: webhooks)) + Data("\n".utf8)
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
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let root: Root<Content>
        do {
            root = try decoder.decode(Root<Content>.self, from: data)
        } catch let error as DecodingError {
            throw .malformed(path, error.fault)
        } catch {
            throw .malformed(path, "\(error)")
        }
        guard root.version == 1 else { throw .malformed(path, "its version is \(root.version), and only 1 is known") }
        return root.webhooks
    }
}
