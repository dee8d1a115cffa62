import FeatureFlags
import FlagHistory
import Foundation

/// The flags that wait for a restart of the app.
package struct PendingRestart: Hashable, Sendable {
    /// A flag read only at the app's start whose value has changed since.
    package struct Wait: Hashable, Sendable {
        package let key: FlagKeyPath
        package let name: String
        /// The value that the app read; `nil` for none.
        package let before: FlagValue?
        /// The value that a restart will read.
        package let now: FlagValue?
        /// The row for ``before`` if another program altered it.
        package let alteredRow: HistoryRecord.ID?

        package init(
            key: FlagKeyPath, name: String, before: FlagValue?, now: FlagValue?, alteredRow: HistoryRecord.ID? = nil
        ) {
            (self.key, self.name, self.before, self.now) = (key, name, before, now)
            self.alteredRow = alteredRow
        }
    }

    package let waits: [Wait]
    /// The newest row that a restart now would include.
    package let lastRow: Int64
    /// True if rows since the restart were pruned, so that flags may be missing.
    package let lacksPruned: Bool

    package static let none = PendingRestart(waits: [], lastRow: 0)

    package init(waits: [Wait], lastRow: Int64, lacksPruned: Bool = false) {
        self.waits = waits
        self.lastRow = lastRow
        self.lacksPruned = lacksPruned
    }
}

extension PendingRestart {
    init(
        _ entries: [FlagEntry], _ snapshots: [ValuesSnapshot], _ history: HistoryStore, since restart: AppRestart,
        lastRow: Int64
    ) throws(HistoryStoreError) {
        self.lastRow = lastRow
        guard !entries.isEmpty, restart.lastRow < lastRow else {
            waits = []
            lacksPruned = false
            return
        }
        var trails = RestartBaselines(history: history, row: restart.lastRow)
        let changed = try trails.firstChanges(of: entries.map(\.key), in: snapshots.map(\.name))
        lacksPruned = trails.start < restart.lastPruned
        waits = entries.compactMap { entry in
            guard let first = changed[entry.key], !first.isEmpty else { return nil }
            let then = snapshots.map { snapshot in
                PastValue(snapshot: snapshot, row: first.first { $0.event.provider == snapshot.name })
            }
            let before = entry.definition.resolve(in: then, after: nil) { snapshots[$0].isAsked }.effectiveValue
            let now = entry.resolution.effectiveValue
            return before == now
                ? nil
                : Wait(
                    key: entry.key, name: entry.definition.displayName, before: before, now: now,
                    alteredRow: first.first { $0.isAltered }?.id)
        }
    }

    private struct PastValue: FlagsProvider {
        let snapshot: ValuesSnapshot
        let row: HistoryRecord?

        var name: String { snapshot.name }
        var shortDescription: String { snapshot.shortDescription }
        var isWritable: Bool { false }

        func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
            guard let row, !snapshot.unreadFlags.contains(key) else { return try snapshot.storedValue(at: key) }
            return row.event.before
        }

        func lastValues(at key: FlagKeyPath) -> [FlagValue] { row == nil ? snapshot.lastValues(at: key) : [] }

        func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
            throw FlagValueError("can't change \(key) in the past")
        }
    }
}
