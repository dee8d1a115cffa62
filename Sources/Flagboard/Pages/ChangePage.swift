import FeatureFlags
import FlagHistory
import Foundation

/// One change with everything that the history keeps of it.
struct ChangePage: PageModel {
    static let template = "change"

    let frame: PageFrame
    let change: HistoryRow
    let meaning: String
    /// The values in full, where the row of a list would cut them.
    let fullBefore: ShownValue
    let fullAfter: ShownValue
    let facts: [FlagFact]
    let hashes: [FlagFact]
    /// The other changes that were applied together with this one.
    let others: [HistoryRow]
    let hasOthers: Bool
    let historyHref: String

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - frame: What stands around it.
    ///   - record: The change.
    ///   - batch: The changes of its batch, with or without itself.
    init(frame: PageFrame, record: HistoryRecord, batch: [HistoryRecord] = []) {
        let event = record.event
        self.frame = frame.titled("Change \(record.id)", in: .history)
        change = HistoryRow(record)
        meaning = event.kind.meaning
        fullBefore = ShownValue(whole: event.before)
        fullAfter = ShownValue(whole: event.after)
        facts = [
            FlagFact("Number", "\(record.id)"),
            FlagFact("Actor", event.actor),
            FlagFact("Role", event.role),
            FlagFact("Origin", event.origin.label),
            FlagFact("Type", event.type?.rawValue ?? "unknown"),
            FlagFact("Batch", event.batch.uuidString.lowercased(), isCode: true),
            FlagFact("Request id", event.requestID ?? "none", isCode: event.requestID != nil),
            FlagFact("Idempotency key", event.idempotencyKey ?? "none", isCode: event.idempotencyKey != nil),
        ]
        hashes = [
            FlagFact("File before", Self.hexadecimal(event.fileHashBefore), isCode: true),
            FlagFact("File after", Self.hexadecimal(event.fileHashAfter), isCode: true),
            FlagFact("Change before", Self.hexadecimal(record.previousHash), isCode: true),
            FlagFact("This change", Self.hexadecimal(record.hash), isCode: true),
        ]
        others = batch.filter { $0.id != record.id }.map(HistoryRow.init)
        hasOthers = !others.isEmpty
        historyHref = PageLink.history(of: event.key)
    }

    private static func hexadecimal(_ hash: Data?) -> String {
        guard let hash else { return "none" }
        return hash.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
