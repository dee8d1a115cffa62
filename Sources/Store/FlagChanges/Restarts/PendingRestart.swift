import FeatureFlags
import FlagHistory
import Foundation

/// What waits for a restart of the app.
public struct PendingRestart: Hashable, Sendable {
    /// A flag that the app reads only when it starts, and whose value is another one by now.
    public struct Wait: Hashable, Sendable {
        /// The flag.
        public let key: FlagKeyPath
        /// The name to show.
        public let name: String
        /// What the app read when it started; `nil` where there was no value.
        public let before: FlagValue?
        /// What it will read when it starts again.
        public let now: FlagValue?
        /// The row that tells what the app read, where another program altered it; `nil` for a sound one.
        public let alteredRow: HistoryRecord.ID?

        /// Makes one.
        public init(
            key: FlagKeyPath, name: String, before: FlagValue?, now: FlagValue?, alteredRow: HistoryRecord.ID? = nil
        ) {
            (self.key, self.name, self.before, self.now) = (key, name, before, now)
            self.alteredRow = alteredRow
        }
    }

    /// The flags, in the order of the list.
    public let waits: [Wait]
    /// The newest row of the history that the list takes into account: what a restart now takes up.
    public let lastRow: Int64
    /// Whether rows since the last restart were pruned, so that it is not told what changed in them of flags that require
    /// one.
    public let lacksPruned: Bool

    /// Nothing waits.
    public static let none = PendingRestart(waits: [], lastRow: 0)

    /// Makes a list.
    public init(waits: [Wait], lastRow: Int64, lacksPruned: Bool = false) {
        self.waits = waits
        self.lastRow = lastRow
        self.lacksPruned = lacksPruned
    }
}

extension PendingRestart {
    /// Finds what waits among some flags: those whose effective value is another than at the last restart.
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

    /// What a provider held for one flag before a row changed it; without a row, what it holds now.
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
            throw FlagValueError("\(key) can't be changed in the past")
        }
    }
}
