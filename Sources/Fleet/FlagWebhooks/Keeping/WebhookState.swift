import DurableFiles
import FlagChanges
import Foundation

/// How far a webhook was told, and how that goes.
package struct WebhookState: Hashable, Sendable, Codable {
    /// That nothing is sent any more until it is enabled again.
    package struct Disabled: Hashable, Sendable, Codable {
        /// Since when.
        package let at: Date
        /// Why, as a sentence.
        package let why: String
    }

    /// Rows that are being sent again.
    package struct Replay: Hashable, Sendable, Codable {
        /// The next row.
        package var next: Int64
        /// The last row.
        package let to: Int64
    }

    /// What tells a row from one of the same number in another history, such as an older copy that was put back.
    package struct Mark: Hashable, Sendable, Codable {
        /// The row's hash, in hexadecimal.
        package let hash: String
        /// The row's time, in UTC.
        package let at: Date
    }

    /// The last row that was passed on, or was none for it.
    package var cursor: Int64
    /// What that row is; `nil` where none was looked at yet.
    package var mark: Mark?
    /// How often the row that follows has failed.
    package var failures = 0
    /// When it is tried again; `nil` where nothing is waited for.
    package var nextTry: Date?
    /// Since when every try has failed; `nil` where the last one went well.
    package var failingSince: Date?
    /// When the last message was taken.
    package var lastSuccess: Date?
    /// The status of the last answer; `nil` where there was none.
    package var lastStatus: Int?
    /// Why the last try failed, as a clause; `nil` where it went well.
    package var lastProblem: String?
    /// That nothing is sent.
    package var disabled: Disabled?
    /// Rows that are being sent again.
    package var replay: Replay?
    /// The number of the last wish for rows to be sent again that was taken up.
    package var replayed = 0
    /// How often it had been enabled again when that was last taken up.
    package var revived = 0

    /// That of a webhook that was told of nothing yet.
    package init(of webhook: Webhook) {
        cursor = webhook.after
        revived = webhook.revivals
    }
}

extension WebhookState {
    /// The last row that was passed on of those that are being sent.
    var position: Int64 {
        get { replay.map { $0.next - 1 } ?? cursor }
        set { if replay == nil { cursor = newValue } else { replay?.next = newValue + 1 } }
    }

    /// Takes up what was asked for since.
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
