import DurableFiles
import FlagChanges
import Foundation

/// The webhooks' file, which the server and the command line write.
///
/// It holds the signing secrets, so only its owner may have access.
package final class WebhooksFile: Sendable {
    private struct Document: KeptFileDocument {
        var version = 1
        let webhooks: [Webhook]

        static let kind = KeptFileKind(
            "webhooks", remedy: "Fix it, or move it away.",
            secrecy: "it contains the signing secrets")
        static let empty: [Webhook] = []

        init(_ content: [Webhook]) { webhooks = content }

        func content() throws(PlainError) -> [Webhook] {
            if let name = webhooks.firstDuplicate(of: \.id) ?? webhooks.firstDuplicate(of: \.name) {
                throw PlainError("two webhooks have the name \(name)")
            }
            if let bare = webhooks.first(where: \.secrets.isEmpty) {
                throw PlainError("\(bare.name) has no secret")
            }
            return webhooks
        }
    }

    private let file: KeptFile<Document>

    package var url: URL { file.url }

    package init(_ url: URL, patience: Duration = .seconds(FolderLock.patience)) {
        file = KeptFile(url, patience: patience)
    }

    /// Returns the webhooks in order of creation; none without a file.
    ///
    /// - Throws: ``KeptFileError`` if the file is invalid or open to others.
    package func webhooks() throws(KeptFileError) -> [Webhook] { try file.content() }

    /// Replaces the content without concurrent writers, durable on return.
    func edit(_ change: ([Webhook]) throws(KeptFileError) -> [Webhook]) async throws(KeptFileError) {
        try await file.edit(change)
    }

    /// By name or identifier.
    package func webhook(_ name: String) throws(KeptFileError) -> Webhook {
        try Self.find(name, try webhooks())
    }

    static func find(_ name: String, _ webhooks: [Webhook]) throws(KeptFileError) -> Webhook {
        guard let found = webhooks.first(where: { $0.id == name || $0.name == name }) else {
            throw .unknown("Webhook \(name) not found. Run flagboard webhook list to see all webhooks.")
        }
        return found
    }
}

extension WebhooksFile {
    /// The seconds for which a replaced secret stays valid.
    package static let rotationTime: TimeInterval = 24 * 60 * 60

    /// Adds a webhook, with messages that begin after `row`.
    ///
    /// Without a name it gets that of its host, with a number if that is taken.
    package func add(
        _ url: WebhookURL, named name: String?, filters: [WebhookFilter] = [], template: Webhook.Template = .generic,
        allowsPrivate: Bool = false, after row: Int64, at now: Date
    ) async throws(KeptFileError) -> Webhook {
        if let problem = Webhook.problem(withName: name ?? url.host) { throw .refused(problem, .name) }
        guard filters.count <= NewWebhook.mostFilters else {
            throw .refused("A webhook has at most \(NewWebhook.mostFilters) filters.", .filters)
        }
        let (id, created, secret) = (Webhook.randomID(), Self.whole(now), WebhookSecret.random())
        try await edit { webhooks throws(KeptFileError) in
            let taken = Set(webhooks.map(\.name))
            let free = name ?? Self.freeName(after: url.host, taken)
            guard !taken.contains(free) else {
                throw .refused("A webhook named “\(free)” already exists.", .name)
            }
            let webhook = Webhook(
                id: id, name: free, url: url, filters: filters, template: template, allowsPrivate: allowsPrivate,
                created: created, after: row, secrets: [WebhookSecret.Kept(secret: secret)])
            return webhooks + [webhook]
        }
        return try webhook(id)
    }

    private static func freeName(after host: String, _ taken: Set<String>) -> String {
        guard taken.contains(host) else { return host }
        var number = 2
        while taken.contains("\(host) \(number)") { number += 1 }
        return "\(host) \(number)"
    }

    package func remove(_ name: String) async throws(KeptFileError) -> Webhook {
        let found = try webhook(name)
        try await edit { webhooks throws(KeptFileError) in
            let removed = try Self.find(found.id, webhooks)
            return webhooks.filter { $0.id != removed.id }
        }
        return found
    }

    /// Gives a webhook a new secret; the previous one stays valid for ``rotationTime``.
    package func rotate(_ name: String, at now: Date) async throws(KeptFileError) -> Webhook {
        try await change(name) { webhook in
            let old = webhook.secrets.filter { $0.until.map { now < $0 } ?? true }.map { kept in
                WebhookSecret.Kept(secret: kept.secret, until: kept.until ?? Self.whole(now + Self.rotationTime))
            }
            webhook.secrets = [WebhookSecret.Kept(secret: .random())] + old
        }
    }

    /// Enables a webhook again, or ends its wait for the next try.
    package func enable(_ name: String) async throws(KeptFileError) -> Webhook {
        try await change(name) { $0.revivals += 1 }
    }

    /// Pauses a webhook: nothing is sent, and changes wait in the history.
    ///
    /// One that is paused already keeps its time.
    package func pause(_ name: String, at now: Date) async throws(KeptFileError) -> Webhook {
        try await change(name) { $0.paused = $0.paused ?? Self.whole(now) }
    }

    /// Ends a pause, and any wait for the next try.
    package func resume(_ name: String) async throws(KeptFileError) -> Webhook {
        try await change(name) { webhook in
            webhook.paused = nil
            webhook.revivals += 1
        }
    }

    /// Requests rows again before any new one, up to the last one delivered for `nil`.
    package func replay(_ name: String, from: Int64, to: Int64?) async throws(KeptFileError) -> Webhook {
        guard from > 0, to.map({ $0 >= from }) ?? true else {
            throw .refused(
                "Rows \(from) to \(to ?? from) are not a valid range. The first row must be 1 or more, and the last "
                    + "row can't come before it.")
        }
        return try await change(name) { webhook in
            webhook.replay = Webhook.Replay(number: (webhook.replay?.number ?? 0) + 1, from: from, to: to)
        }
    }

    private func change(
        _ name: String, _ body: (inout Webhook) -> Void
    ) async throws(KeptFileError) -> Webhook {
        var changed = try webhook(name)
        try await edit { webhooks throws(KeptFileError) in
            changed = try Self.find(changed.id, webhooks)
            body(&changed)
            return webhooks.map { $0.id == changed.id ? changed : $0 }
        }
        return changed
    }

    private static func whole(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}
