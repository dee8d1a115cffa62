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
    /// What puts back what was before; it states by its revision that the flag must still hold what the row left.
    public let change: Change

    /// What puts back what was before some rows, in the order in which it is to be done: the newest row is the first.
    ///
    /// - Parameters:
    ///   - records: The rows; those that can't be reverted are left out.
    ///   - reason: Why.
    /// - Returns: A reversal for each row.
    public static func reversals(of records: [HistoryRecord], reason: String) -> [Reversal] {
        records.sorted { $0.id > $1.id }.filter { hindrance(of: $0) == nil }
            .map { Reversal(record: $0, change: change(reverting: $0.event, reason: reason)) }
    }

    private static func change(reverting event: HistoryEvent, reason: String) -> Change {
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

    /// Why a row can't be reverted; `nil` where that depends on what the flags are now.
    ///
    /// - Parameter record: The row.
    /// - Returns: The cause.
    public static func hindrance(of record: HistoryRecord) -> Hindrance? {
        let event = record.event
        return hindrance(of: event.kind, hasType: event.type != nil, hasProvider: event.provider != nil)
    }

    /// How many rows of a batch can be reverted, as far as that does not depend on what the flags are now.
    ///
    /// - Parameter batch: The batch.
    /// - Returns: The number.
    public static func count(in batch: HistoryBatchOutline) -> Int {
        let reversible = batch.sorts.filter {
            hindrance(of: $0.kind, hasType: $0.hasType, hasProvider: $0.hasProvider) == nil
        }
        return reversible.reduce(0) { $0 + $1.count }
    }

    private static func hindrance(of kind: HistoryRecord.Kind, hasType: Bool, hasProvider: Bool) -> Hindrance? {
        switch kind {
        case .set, .reset: nil
        case .lock, .unlock: hasType ? nil : .isOfDefinition
        case .external: hasProvider && hasType ? nil : .isOfDefinition
        case .define, .redefine, .remove: .isOfDefinition
        case .aborted, .denied: .changedNothing
        case .prune, .accept: .isOfHistory
        }
    }
}

extension HistoryStore {
    /// How many later rows of a flag are looked at.
    private static let laterRows = 500

    /// The rows that changed the same as a row, after it; oldest first, as far as they are among the next of the flag's.
    ///
    /// - Parameters:
    ///   - record: The row.
    ///   - hiddenKeys: What must not appear.
    /// - Returns: The rows.
    /// - Throws: Why the history can't be read.
    public func changes(
        after record: HistoryRecord, hiddenKeys: HiddenKeys
    ) throws(HistoryStoreError) -> [HistoryRecord] {
        let event = record.event
        let kinds: [HistoryRecord.Kind] =
            switch event.kind {
            case .lock, .unlock: [.lock, .unlock]
            default: [.set, .reset, .external]
            }
        return try records(
            matching: HistoryQuery(key: event.key, hiddenKeys: hiddenKeys), after: record.id, limit: Self.laterRows
        ).filter { kinds.contains($0.event.kind) && $0.event.provider == event.provider }
    }
}
