import FeatureFlags
import FlagHistory
import Foundation

/// A row of the history in the event stream, without its values.
struct EventDocument: Encodable {
    let id: Int64
    let key: String
    let provider: String?
    let actor: String
    let origin: String
    let kind: String
    let at: String
    /// `true` if another program altered the row; else `nil`.
    let altered: Bool?

    init(_ record: HistoryRecord) {
        let event = record.event
        id = record.id
        key = event.key.text
        provider = event.provider
        actor = event.actor
        origin = event.origin.rawValue
        kind = event.kind.rawValue
        at = event.at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
        altered = record.isAltered ? true : nil
    }
}

/// Events in the format `text/event-stream` (HTML, 9.2).
enum EventText {
    /// The start of a stream, with the delay before a reconnection in milliseconds.
    static let start = "retry: 2000\n: Flagboard\n\n"
    static let heartbeat = ": still here\n\n"
    /// The problems or the pending restarts changed.
    static let standing = "event: standing\ndata: {}\n\n"
    /// The access is lost; the listener should not reconnect.
    static let ended = "event: ended\ndata: {}\n\n"

    /// Asks a page to reload, since too much happened for single events.
    static func reload(upTo row: Int64) -> String { "id: \(row)\nevent: reload\ndata: {\"id\":\(row)}\n\n" }

    static func event(of record: HistoryRecord) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON escapes line ends, so this is one line.
        let data = String(decoding: try encoder.encode(EventDocument(record)), as: UTF8.self)
        let name = record.event.kind.changesFlags ? "flag-changed" : "history"
        return "id: \(record.id)\nevent: \(name)\ndata: \(data)\n\n"
    }
}
