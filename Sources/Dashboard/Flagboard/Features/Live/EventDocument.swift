import FeatureFlags
import FlagHistory
import Foundation

/// A row of the history as the stream of events tells it: who changed what, when and how; no values.
struct EventDocument: Encodable {
    let id: Int64
    let key: String
    let provider: String?
    let actor: String
    let origin: String
    let kind: String
    let at: String
    /// `true` where another program altered the row; else `nil`.
    let altered: Bool?

    /// Tells of a row.
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

/// Events in the words of the format `text/event-stream` (HTML, 9.2).
enum EventText {
    /// What a stream begins with: how long to wait before connecting again, in milliseconds.
    static let start = "retry: 2000\n: Flagboard\n\n"
    /// What is sent where there is nothing to say.
    static let heartbeat = ": still here\n\n"
    /// That something else than before keeps changes from being made, or something else waits for a restart.
    static let standing = "event: standing\ndata: {}\n\n"
    /// That the listener is let in no longer, and need not come back.
    static let ended = "event: ended\ndata: {}\n\n"

    /// That more has happened than is told row by row: a page is to load anew what it shows.
    static func reload(upTo row: Int64) -> String { "id: \(row)\nevent: reload\ndata: {\"id\":\(row)}\n\n" }

    /// A row of the history.
    static func event(of record: HistoryRecord) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON has no line ends outside of its escapes, so that this is one line.
        let data = String(decoding: try encoder.encode(EventDocument(record)), as: UTF8.self)
        let name = record.event.kind.changesFlags ? "flag-changed" : "history"
        return "id: \(record.id)\nevent: \(name)\ndata: \(data)\n\n"
    }
}
