import FeatureFlags
import FlagHistory
import Foundation

/// Where flags that require a restart stood since the app last read them, and what they held then.
///
/// The app read them when it was restarted; where a flag did not require that yet, it took each change up at once, until the
/// batch with which it began to. A renaming, and a deletion that was undone, change nothing about that: the value of then is
/// followed through both. What another flag held at the same key path is not.
struct RestartBaselines {
    let history: HistoryStore
    /// The newest row that the app took up when it was restarted.
    let row: Int64
    /// The last row before all that has to be known for what was told.
    private(set) var start = Int64.max
    /// The batches that were looked at: thousands of definitions may come with one.
    private var batches: [UUID: DefinitionBatch] = [:]

    init(history: HistoryStore, row: Int64) {
        self.history = history
        self.row = row
    }

    /// The first change of each flag in each provider that the app has not taken up; what it held before says what the app
    /// read.
    ///
    /// - Returns: The rows by flag, oldest first, at most one for each provider.
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
            // The spans of a flag go from now to then, so what is older replaces what is newer.
            let known = first[flag, default: []].filter { row in
                !rows.contains { $0.event.provider == row.event.provider }
            }
            first[flag] = rows + known
        }
        return first
    }

    /// Where a flag stood since the app last read it, newest first.
    ///
    /// - Parameter turns: The rows since then by which its definition came, went, or changed what it says of restarts.
    private mutating func trail(
        of flag: FlagKeyPath, _ turns: [HistoryRecord]
    ) throws(HistoryStoreError) -> [HistorySpan] {
        var spans: [HistorySpan] = []
        var (key, end) = (flag, Int64.max)
        var turns = turns
        /// The row with which the definition came, of which no older one is known yet.
        var coming: HistoryRecord?
        while let turn = turns.popLast() {
            switch (turn.event.before?.requiresRestart, turn.event.after?.requiresRestart) {
            case (nil, _?):
                guard let removed = try batch(of: turn).removal(before: turn) else {
                    coming = turn
                    continue
                }
                // Its value came to the new key path before its definition did.
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
            // It may have been there before, and gone by a row that is there no more.
            start = row
            return spans + [try beginning(with: coming, at: key, until: end)]
        }
        return spans + [HistorySpan(key: key, start: row, end: end)]
    }

    /// The stretch that begins with the batch of a row.
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

/// Which definitions a batch removed, and which it made.
private struct DefinitionBatch {
    /// The first and the last row.
    let rows: ClosedRange<Int64>
    private let moved: [Int64: HistoryRecord]

    init(rows: ClosedRange<Int64>, _ moved: [HistoryRecord]) {
        self.rows = rows
        self.moved = Dictionary(moved.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The removal of the flag that a row gave another key path; `nil` where it defined one.
    func removal(before defined: HistoryRecord) -> HistoryRecord? {
        moved[defined.id - 1].flatMap { defined.isRenaming(of: $0) ? $0 : nil }
    }

    /// Whether what a row removed got another key path.
    func isRenamed(_ removed: HistoryRecord) -> Bool {
        moved[removed.id + 1]?.isRenaming(of: removed) ?? false
    }
}

extension FlagValue {
    /// Whether the entry of a definition says that a change takes effect after a restart of the app.
    fileprivate var requiresRestart: Bool {
        guard case .dictionary(let fields) = self else { return false }
        return fields["requiresRestart"] == .bool(true)
    }
}
