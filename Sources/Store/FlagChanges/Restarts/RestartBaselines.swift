import FeatureFlags
import FlagHistory
import Foundation

/// The history of flags since the app's last restart.
///
/// Before a flag required restarts, changes took effect at once, up to the batch that added the requirement. The value
/// is followed through renames and undone deletions, but not to another flag of the same key path.
struct RestartBaselines {
    let history: HistoryStore
    /// The newest row at the last restart.
    let row: Int64
    /// The oldest row on which the answers depend.
    private(set) var start = Int64.max
    /// Cached, since a batch may hold thousands of definitions.
    private var batches: [UUID: DefinitionBatch] = [:]

    init(history: HistoryStore, row: Int64) {
        self.history = history
        self.row = row
    }

    /// Returns each flag's first unread change per provider, whose earlier value the app read.
    mutating func firstChanges(
        of keys: [FlagKeyPath], in providers: [String]
    ) throws(HistoryStoreError) -> [FlagKeyPath: [HistoryRecord]] {
        let turns = Dictionary(
            grouping: try history.definitionTurns(of: Set(keys), after: row), by: \.event.key)
        var spans: [(flag: FlagKeyPath, span: HistorySpan)] = []
        for key in keys { spans += try trail(of: key, turns[key] ?? []).map { (key, $0) } }
        start = spans.reduce(start) { min($0, $1.span.start) }
        let rows = try history.firstChanges(in: spans.map(\.span), of: providers)
        var first: [FlagKeyPath: [HistoryRecord]] = [:]
        for (flag, rows) in zip(spans.map(\.flag), rows) {
            // A flag's spans are sorted from new to old: older rows replace newer ones.
            let known = first[flag, default: []].filter { row in
                !rows.contains { $0.event.provider == row.event.provider }
            }
            first[flag] = rows + known
        }
        return first
    }

    /// Returns a flag's spans since the app last read it, newest first.
    ///
    /// `turns` are the rows since then that changed its definition's existence or restart requirement.
    private mutating func trail(
        of flag: FlagKeyPath, _ turns: [HistoryRecord]
    ) throws(HistoryStoreError) -> [HistorySpan] {
        var spans: [HistorySpan] = []
        var (key, end) = (flag, Int64.max)
        var turns = turns
        var coming: HistoryRecord?
        while let turn = turns.popLast() {
            switch (turn.event.before?.requiresRestart, turn.event.after?.requiresRestart) {
            case (nil, _?):
                guard let removed = try batch(of: turn).removal(before: turn) else {
                    coming = turn
                    continue
                }
                // A rename moves the value before the definition.
                spans.append(HistorySpan(key: key, start: turn.id, end: end))
                (key, end, coming) = (removed.event.key, removed.id, nil)
                turns = try history.definitionTurns(of: [key], after: row).filter { $0.id < end }
            case (let required?, nil):
                guard let came = coming else { continue }
                let wasAnother = try batch(of: turn).isRenamed(turn) || turn.event.type != came.event.type
                guard required, !wasAnother else { return spans + [try beginning(with: came, at: key, until: end)] }
                coming = nil
            case (false?, true?): return spans + [try beginning(with: turn, at: key, until: end)]
            case (true?, _), (false?, false?), (nil, nil): continue
            }
        }
        if let coming {
            // It may have existed before, with the row of its removal pruned.
            start = row
            return spans + [try beginning(with: coming, at: key, until: end)]
        }
        return spans + [HistorySpan(key: key, start: row, end: end)]
    }

    private mutating func beginning(
        with turn: HistoryRecord, at key: FlagKeyPath, until end: Int64
    ) throws(HistoryStoreError) -> HistorySpan {
        HistorySpan(key: key, start: max(row, try batch(of: turn).rows.lowerBound - 1), end: end)
    }

    private mutating func batch(of turn: HistoryRecord) throws(HistoryStoreError) -> DefinitionBatch {
        if let known = batches[turn.event.batch] { return known }
        let rows = try history.rows(ofBatch: turn.event.batch)
        let batch = DefinitionBatch(rows: rows, try history.definitionsMoved(in: rows))
        batches[turn.event.batch] = batch
        return batch
    }
}

private struct DefinitionBatch {
    let rows: ClosedRange<Int64>
    private let moved: [Int64: HistoryRecord]

    init(rows: ClosedRange<Int64>, _ moved: [HistoryRecord]) {
        self.rows = rows
        self.moved = Dictionary(moved.map { ($0.id, $0) }) { first, _ in first }
    }

    func removal(before defined: HistoryRecord) -> HistoryRecord? {
        moved[defined.id &- 1].flatMap { defined.isRenaming(of: $0) ? $0 : nil }
    }

    func isRenamed(_ removed: HistoryRecord) -> Bool {
        moved[removed.id &+ 1]?.isRenaming(of: removed) ?? false
    }
}

extension FlagValue {
    fileprivate var requiresRestart: Bool {
        guard case .dictionary(let fields) = self else { return false }
        return fields["requiresRestart"] == .bool(true)
    }
}
