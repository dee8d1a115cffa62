import DurableFiles
import FlagChanges
import Foundation

/// A webhook's progress and failures.
package struct WebhookState: Hashable, Sendable, Codable {
    package struct Disabled: Hashable, Sendable, Codable {
        package let at: Date
        /// As a sentence.
        package let why: String
    }

    package struct Replay: Hashable, Sendable, Codable {
        package var next: Int64
        package let to: Int64
    }

    /// A row's identity, which differs in another history, such as a restored backup.
    package struct Mark: Hashable, Sendable, Codable {
        /// In hexadecimal.
        package let hash: String
        package let at: Date
    }

    /// The last row that was delivered or unwanted.
    package var cursor: Int64
    /// That row; `nil` before the first.
    package var mark: Mark?
    /// The next row's failed tries.
    package var failures = 0
    package var nextTry: Date?
    /// `nil` after a success.
    package var failingSince: Date?
    package var lastSuccess: Date?
    /// `nil` without an answer.
    package var lastStatus: Int?
    /// As a clause; `nil` after a success.
    package var lastProblem: String?
    package var disabled: Disabled?
    package var replay: Replay?
    /// The number of the last replay request taken up.
    package var replayed = 0
    package var revived = 0

    package init(of webhook: Webhook) {
        cursor = webhook.after
        revived = webhook.revivals
    }
}

extension WebhookState {
    /// The replay's last finished row, or else ``cursor``.
    var position: Int64 {
        get { replay.map { $0.next - 1 } ?? cursor }
        set { if replay == nil { cursor = newValue } else { replay?.next = newValue + 1 } }
    }

    /// Applies a webhook's new requests.
    package mutating func takeUp(_ webhook: Webhook) {
        if webhook.revivals > revived {
            revived = webhook.revivals
            (disabled, failures, nextTry) = (nil, 0, nil)
        }
        if let wish = webhook.replay, wish.number > replayed {
            replayed = wish.number
            replay = Replay(next: wish.from, to: wish.to ?? cursor)
            (failures, nextTry) = (0, nil)
        }
        if let replay, replay.next > replay.to { self.replay = nil }
    }
}

/// The delivery state of each webhook in a file.
///
/// Only the process that serves the flags writes it.
package struct WebhookStatesFile: Sendable {
    struct Content: Hashable, Sendable {
        /// By webhook identifier.
        var states: [String: WebhookState] = [:]
        /// The last deliveries by webhook identifier, newest first.
        var deliveries: [String: [WebhookDelivery]] = [:]
    }

    private struct Document: KeptFileDocument {
        var version = 1
        let webhooks: [String: WebhookState]
        /// `nil` in files of earlier versions.
        let deliveries: [String: [WebhookDelivery]]?

        static let kind = KeptFileKind("webhooks", remedy: "Fix it, or move it away.")
        static let empty = Content()

        init(_ content: Content) { (webhooks, deliveries) = (content.states, content.deliveries) }

        func content() -> Content { Content(states: webhooks, deliveries: deliveries ?? [:]) }
    }

    private let file: KeptFile<Document>

    package var url: URL { file.url }

    package init(_ url: URL) { file = KeptFile(url) }

    /// By webhook identifier; empty without a file.
    package func states() throws(KeptFileError) -> [String: WebhookState] { try content().states }

    func content() throws(KeptFileError) -> Content { try file.content() }

    func write(_ content: Content) throws(KeptFileError) { try file.replace(with: content) }
}
