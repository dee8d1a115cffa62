import FeatureFlags
import FeatureFlagsXML
import FlagHistory

/// Plans reasons for changes that were made already: each is a row of the history, and no file changes.
struct NotePlan {
    private let rules: ChangeRules

    init(_ rules: ChangeRules) { self.rules = rules }

    /// The change that a reason is for, where nothing speaks against giving it.
    ///
    /// A lock keeps what a flag holds, and not what is said of why it holds that; so it is not looked at, nor whether the flag is
    /// still there.
    ///
    /// - Parameters:
    ///   - change: The reason.
    ///   - id: The row that it is for.
    ///   - author: Who gives it.
    /// - Returns: The row, or why it gets no reason.
    func planned(
        _ change: Change, on id: HistoryRecord.ID, by author: ChangeAuthor
    ) -> Result<HistoryRecord, ChangeError> {
        Result { () throws(ChangeError) in
            // An author who may not give reasons is not told either which rows there are.
            try rules.checkAllowed(change, by: author)
            let record = try shownRecord(id)
            guard let record, record.event.key == change.key, record.event.provider == change.provider else {
                throw .unknownChange(id, change.key)
            }
            guard record.event.kind.changesFlags else { throw .noChange(record) }
            guard change.reason.contains(where: { !$0.isWhitespace }) else { throw .reasonMissing(id, change.key) }
            try rules.checkReason(change)
            return record
        }
    }

    private func shownRecord(_ id: HistoryRecord.ID) throws(ChangeError) -> HistoryRecord? {
        let context = rules.context
        let hidden = rules.workspace.hiddenFlags(showsInternal: context.options.showsInternal)
        do {
            let record = try context.history.record(id, hiddenKeys: HiddenKeys(flags: hidden))
            // Only rows of groups depend on which flags there are.
            guard let record, record.event.type == nil, !hidden.isEmpty else { return record }
            let catalogue = FlagCatalogue(
                manifest: rules.workspace.definitions?.content,
                snapshots: rules.workspace.snapshots(isReadOnly: context.options.isReadOnly), showsInternal: false)
            return try context.history.record(id, hiddenKeys: HiddenKeys(hidden, besides: catalogue))
        } catch {
            throw ChangeError(storing: error)
        }
    }
}
