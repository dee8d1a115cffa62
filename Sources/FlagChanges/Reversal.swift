import FeatureFlags
import FeatureFlagsXML
import FlagHistory

/// What puts back what was before a row of the history.
public struct Reversal: Hashable, Sendable {
    /// Why a row can't be reverted, whatever the flags are now.
    public enum Hindrance: Hashable, Sendable {
        /// The row tells of an attempt that changed nothing.
        case changedNothing
        /// The row tells of an entry of the manifest that is no flag's.
        case isOfManifest
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
        records.sorted { $0.id > $1.id }.compactMap { record in
            guard hindrance(of: record) == nil, let action = action(reverting: record.event) else { return nil }
            var change = Change(key: record.event.key, action: action, provider: record.event.provider, reason: reason)
            let isLock = action == .lock || action == .unlock
            let isStated = record.event.provider != nil || record.event.after != nil && !isLock
            change.revisions = isStated ? [FlagRevision(of: record.event.after)] : nil
            return Reversal(record: record, change: change)
        }
    }

    /// What puts back what was before; `nil` where that is a definition which is none by the rules of now.
    private static func action(reverting event: HistoryEvent) -> Change.Action? {
        switch event.kind {
        case .lock: return .unlock
        case .unlock: return .lock
        default: break
        }
        guard event.provider == nil else { return event.before.map(Change.Action.putBack) ?? .reset }
        guard let before = event.before else { return .remove(withValues: false) }
        guard case .dictionary(let entry) = before, let definition = FlagDefinition(manifestEntry: entry) else {
            return nil
        }
        return event.after == nil ? .define(DefinitionEdit(definition)) : .redefine(DefinitionEdit(definition))
    }

    /// Why a row can't be reverted; `nil` where that depends on what the flags are now.
    ///
    /// - Parameter record: The row.
    /// - Returns: The cause.
    public static func hindrance(of record: HistoryRecord) -> Hindrance? {
        let event = record.event
        return hindrance(of: event.kind, hasType: event.type != nil)
    }

    /// How many rows of a batch can be reverted, as far as that does not depend on what the flags are now.
    ///
    /// - Parameter batch: The batch.
    /// - Returns: The number.
    public static func count(in batch: HistoryBatchOutline) -> Int {
        let reversible = batch.sorts.filter { hindrance(of: $0.kind, hasType: $0.hasType) == nil }
        return reversible.reduce(0) { $0 + $1.count }
    }

    private static func hindrance(of kind: HistoryRecord.Kind, hasType: Bool) -> Hindrance? {
        switch kind {
        case .set, .reset: nil
        case .lock, .unlock, .external, .define, .redefine, .remove: hasType ? nil : .isOfManifest
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
            case _ where event.provider == nil: [.define, .redefine, .lock, .unlock, .remove, .external]
            default: [.set, .reset, .external]
            }
        return try records(
            matching: HistoryQuery(key: event.key, hiddenKeys: hiddenKeys), after: record.id, limit: Self.laterRows
        ).filter { kinds.contains($0.event.kind) && $0.event.provider == event.provider }
    }
}
