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
