import FeatureFlags
import FlagHistory

/// What puts back what was before a row of the history.
public struct Reversal: Hashable, Sendable {
    /// Why a row can't be reverted, whatever the flags are now.
    public enum Hindrance: Hashable, Sendable {
        /// The row tells of an attempt that changed nothing.
        case changedNothing
        /// The row tells of a definition, or of another entry of the manifest.
        case isOfDefinition
        /// The row tells of the history itself.
        case isOfHistory
    }

    /// The row.
    public let record: HistoryRecord
    /// What puts back what was before.
    public let change: Change
    /// The rows after it that changed the same, the newest first; they conflict, unless what they left is what the row did.
    public let later: [HistoryRecord]

    /// Why a row can't be reverted; `nil` where that depends on what the flags are now.
    ///
    /// - Parameter record: The row.
    /// - Returns: The cause.
    public static func hindrance(of record: HistoryRecord) -> Hindrance? {
        switch record.event.kind {
        case .set, .reset: nil
        case .lock, .unlock: record.event.type == nil ? .isOfDefinition : nil
        case .external: record.event.provider == nil || record.event.type == nil ? .isOfDefinition : nil
        case .define, .redefine, .remove: .isOfDefinition
        case .aborted, .denied: .changedNothing
        case .prune, .accept: .isOfHistory
        }
    }
}

extension ChangeService {
    /// How many later rows of a flag are looked at.
    private static let laterRows = 50

    /// What puts back what was before some rows, in the order in which it is to be done: the newest row is the first.
    ///
    /// A row is only reverted where the flag still holds what the row left: the changes say so by their revisions.
    ///
    /// - Parameters:
    ///   - records: The rows; those that can't be reverted are left out.
    ///   - reason: Why.
    ///   - hiddenKeys: What must not appear.
    /// - Returns: The changes with what came after each row.
    /// - Throws: Why the history can't be read.
    public nonisolated func reversals(
        of records: [HistoryRecord], reason: String, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [Reversal] {
        var reversals: [Reversal] = []
        let ids = Set(records.map(\.id))
        for record in records.sorted(by: { $0.id > $1.id }) where Reversal.hindrance(of: record) == nil {
            let event = record.event
            let kinds: [HistoryRecord.Kind] =
                switch event.kind {
                case .lock, .unlock: [.lock, .unlock]
                default: [.set, .reset, .external]
                }
            let page = try history.page(
                HistoryQuery(
                    key: event.key, hiddenKeys: hiddenKeys, newerThan: record.id, limit: Self.laterRows))
            let later = page.records.filter { row in
                kinds.contains(row.event.kind) && row.event.provider == event.provider && !ids.contains(row.id)
            }
            reversals.append(
                Reversal(record: record, change: Self.reverting(event, reason: reason), later: later))
        }
        return reversals
    }

    private static func reverting(_ event: HistoryEvent, reason: String) -> Change {
        let action: Change.Action =
            switch event.kind {
            case .lock: .unlock
            case .unlock: .lock
            default: event.before.map(Change.Action.setValue) ?? .reset
            }
        var change = Change(key: event.key, action: action, provider: event.provider, reason: reason)
        if event.provider != nil { change.revisions = [FlagRevision(of: event.after)] }
        return change
    }
}
