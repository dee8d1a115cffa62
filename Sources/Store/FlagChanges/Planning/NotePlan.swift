import FeatureFlags
import FeatureFlagsXML
import FlagHistory

struct NotePlan {
    private let rules: ChangeRules

    init(_ rules: ChangeRules) { self.rules = rules }

    /// Plans the next reasons, looking their rows up together.
    ///
    /// A lock protects the value, not its explanation, so neither lock nor existence matters.
    func planned(_ changes: ArraySlice<Change>, by author: ChangeAuthor) -> [PlannedNote] {
        let notes = changes.lazy.map(Note.init).prefix { $0 != nil }.compactMap { $0 }
        // An author who may not give reasons must not learn which rows exist.
        let refusals = notes.map { refusal(of: $0.change, by: author) }
        let asked = zip(notes, refusals).compactMap { note, refusal in refusal == nil ? note.row : nil }
        let shown: [HistoryRecord.ID: HistoryRecord]
        do throws(ChangeError) {
            shown = try shownRecords(asked)
        } catch {
            return zip(notes, refusals).map { PlannedNote(change: $0.change, record: .failure($1 ?? error)) }
        }
        return zip(notes, refusals).map { PlannedNote(change: $0.change, record: outcome(of: $0, $1, among: shown)) }
    }

    private func refusal(of change: Change, by author: ChangeAuthor) -> ChangeError? {
        do throws(ChangeError) {
            try rules.checkAllowed(change, by: author)
            return nil
        } catch {
            return error
        }
    }

    private func outcome(
        of note: Note, _ refusal: ChangeError?, among shown: [HistoryRecord.ID: HistoryRecord]
    ) -> Result<HistoryRecord, ChangeError> {
        if let refusal { return .failure(refusal) }
        do throws(ChangeError) {
            return .success(try record(of: note, among: shown))
        } catch {
            return .failure(error)
        }
    }

    private func record(
        of note: Note, among shown: [HistoryRecord.ID: HistoryRecord]
    ) throws(ChangeError) -> HistoryRecord {
        let change = note.change
        guard let record = shown[note.row], record.event.key == change.key, record.event.provider == change.provider
        else { throw .unknownChange(note.row, change.key) }
        guard record.event.kind.changesFlags else { throw .noChange(record) }
        guard change.reason.contains(where: { !$0.isWhitespace }) else {
            throw .reasonMissing(note.row, change.key)
        }
        try rules.checkReason(change)
        return record
    }

    private func shownRecords(
        _ ids: [HistoryRecord.ID]
    ) throws(ChangeError) -> [HistoryRecord.ID: HistoryRecord] {
        guard !ids.isEmpty else { return [:] }
        let context = rules.context
        let hidden = rules.workspace.hiddenFlags(showsInternal: context.options.showsInternal)
        do {
            var records = try context.history.records(ids, hiddenKeys: HiddenKeys(flags: hidden))
            // Only rows of groups depend on which flags exist.
            if !hidden.isEmpty, records.contains(where: { $0.event.type == nil }) {
                let catalogue = FlagCatalogue(
                    manifest: rules.workspace.definitions?.content,
                    snapshots: rules.workspace.snapshots(isReadOnly: context.options.isReadOnly), showsInternal: false)
                let hiddenKeys = HiddenKeys(hidden, of: rules.workspace.definitions, besides: catalogue)
                records = try context.history.records(ids, hiddenKeys: hiddenKeys)
            }
            return Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        } catch {
            throw ChangeError(storing: error)
        }
    }
}

struct PlannedNote {
    let change: Change
    let record: Result<HistoryRecord, ChangeError>
}

private struct Note {
    let change: Change
    let row: HistoryRecord.ID

    init?(_ change: Change) {
        guard case .note(let row) = change.action else { return nil }
        self.change = change
        self.row = row
    }
}
