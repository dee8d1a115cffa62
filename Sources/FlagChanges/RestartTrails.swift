import FeatureFlags
import FlagHistory

/// Where flags that require a restart stood since the app last read them, and what they held then.
///
/// The app read them when it was restarted; where a flag did not require that yet, it took each change up at once, until the
/// batch with which it began to. A renaming, and a deletion that was undone, change nothing about that: the value of then is
/// followed through both.
struct RestartTrails {
    let history: HistoryStore
    /// The newest row that the app took up when it was restarted.
    let row: Int64

    /// The first change of each flag in each provider that the app has not taken up; what it held before says what the app
    /// read.
    ///
    /// - Parameters:
    ///   - keys: The flags, which all require a restart now.
    ///   - providers: The providers' names.
    /// - Returns: The rows by flag, oldest first, at most one for each provider.
    /// - Throws: Why they can't be read.
    func firstChanges(
        of keys: [FlagKeyPath], in providers: [String]
    ) throws(HistoryStoreError) -> [FlagKeyPath: [HistoryRecord]] {
        let turns = Dictionary(
            grouping: try history.definitionTurns(of: Set(keys), after: row), by: \.event.key)
        var spans: [(flag: FlagKeyPath, span: HistorySpan)] = []
        for key in keys { spans += try trail(of: key, turns[key] ?? []).map { (key, $0) } }
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
    /// - Parameters:
    ///   - flag: The flag, by its key path of now.
    ///   - turns: The rows since then by which its definition came, went, or changed what it says of restarts.
    /// - Returns: One stretch for each key path that it had.
    /// - Throws: Why the history can't be read.
    private func trail(
        of flag: FlagKeyPath, _ turns: [HistoryRecord]
    ) throws(HistoryStoreError) -> [HistorySpan] {
        var spans: [HistorySpan] = []
        var (key, end) = (flag, Int64.max)
        var turns = turns
        var coming: HistoryRecord?
        while let turn = turns.popLast() {
            switch (turn.event.before?.requiresRestart, turn.event.after?.requiresRestart) {
            case (nil, _?):
                let batch = try history.rows(ofBatch: turn.event.batch)
                let removed = try history.removals(in: batch).last { turn.isRenaming(of: $0) }
                coming = removed == nil ? turn : nil
                guard let removed else { continue }
                spans.append(HistorySpan(key: key, start: batch.upperBound, end: end))
                (key, end) = (removed.event.key, removed.id)
                turns = try history.definitionTurns(of: [key], after: row).filter { $0.id < end }
            case (false?, nil):
                guard let coming else { continue }
                return spans + [try beginning(with: coming, at: key, until: end)]
            case (false?, true?): return spans + [try beginning(with: turn, at: key, until: end)]
            case (true?, _), (false?, false?), (nil, nil): coming = nil
            }
        }
        return spans + [HistorySpan(key: key, start: row, end: end)]
    }

    /// The stretch that begins with the batch of a row.
    private func beginning(
        with turn: HistoryRecord, at key: FlagKeyPath, until end: Int64
    ) throws(HistoryStoreError) -> HistorySpan {
        let batch = try history.rows(ofBatch: turn.event.batch)
        return HistorySpan(key: key, start: max(row, batch.lowerBound - 1), end: end)
    }
}

extension FlagValue {
    /// Whether the entry of a definition says that a change takes effect after a restart of the app.
    fileprivate var requiresRestart: Bool {
        guard case .dictionary(let fields) = self else { return false }
        return fields["requiresRestart"] == .bool(true)
    }
}
