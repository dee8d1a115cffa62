import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ChangeService {
    /// Makes a change: checks every rule, edits the file's bytes, and records it.
    ///
    /// The change waits for those that came before it and for other programs that write the file; reads go on meanwhile.
    /// It is made even where the task that asks is cancelled.
    ///
    /// - Parameters:
    ///   - change: What to change.
    ///   - author: Who asks.
    /// - Returns: The history's row, or that there was nothing to do. Both are durable then.
    /// - Throws: ``ChangeError``; neither file nor history hold the change then, unless it says so.
    public func apply(_ change: Change, by author: ChangeAuthor) async throws(ChangeError) -> ChangeOutcome {
        switch await answer(to: ChangeRequest([change], by: author, patience: options.patience)) {
        case .done(let outcomes): return outcomes[0]
        case .refused(let refusal): throw refusal.cause
        }
    }

    /// Makes several changes together, all or none, be they of different flags, providers and the manifest.
    ///
    /// Each is checked against what those before it leave. Their rows carry one ``HistoryEvent/batch``.
    ///
    /// - Parameters:
    ///   - batch: The changes, in the order in which they are to be made.
    ///   - author: Who asks.
    /// - Returns: For each change its row, or that there was nothing to do.
    /// - Throws: ``BatchError``, which says of each change why it is refused, or what it would have done.
    public func apply(batch: [Change], by author: ChangeAuthor) async throws(BatchError) -> [ChangeOutcome] {
        switch await answer(to: ChangeRequest(batch, by: author, patience: options.patience)) {
        case .done(let outcomes): return outcomes
        case .refused(let refusal): throw refusal
        }
    }

    /// Makes several changes together as ``apply(batch:by:)`` does, where they are still what they were worked out to be.
    ///
    /// - Parameters:
    ///   - batch: The changes.
    ///   - version: What the files held when they were worked out from the flags (``FlagOverview/version``); `nil` where it
    ///     doesn't matter what was changed since.
    ///   - author: Who asks.
    ///   - isStillSo: Asked where something was changed since: whether what was wanted still comes to these changes.
    ///     Nobody changes anything through the service until it has answered, so it must only read.
    /// - Returns: For each change its row, or that there was nothing to do; `nil` where they are not what is wanted any more,
    ///   and none was made.
    /// - Throws: ``BatchError``, or what `isStillSo` throws.
    public func apply(
        batch: [Change], asOf version: FilesVersion?, by author: ChangeAuthor,
        where isStillSo: @Sendable () async throws -> Bool
    ) async throws -> [ChangeOutcome]? {
        try await leading {
            var version = version
            for _ in 1...Self.maximumTries {
                let request = ChangeRequest(batch, asOf: version, by: author, patience: options.patience)
                switch await takingTurn([request])[0] {
                case .done(let outcomes): return outcomes
                case .refused(let refusal):
                    guard refusal.isOutdated else { throw refusal }
                    version = try await overview().version
                    guard try await isStillSo() else { return nil }
                }
            }
            throw BatchError(changes: [], cause: .endlessEdits(nil))
        }
    }

    /// What changes would do if they were made together now; nothing is written, and nothing is recorded as denied.
    ///
    /// - Parameters:
    ///   - batch: The changes, in the order in which they would be made.
    ///   - author: Who would ask.
    /// - Returns: Each change, with what is stored before and after it, or why it would be refused. Where one is refused,
    ///   ``apply(batch:by:)`` makes none.
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func preview(_ batch: [Change], by author: ChangeAuthor) async throws(ChangeError) -> [ChangePreview] {
        try await refresh()
        var plan = ChangePlan(context, on: workspace, unsettled: unsettled)
        let hiddenKeys = HiddenKeys(flags: workspace.hiddenFlags(showsInternal: options.showsInternal))
        return plan.add(ChangeRequest(batch, by: author, patience: options.patience))
            .map { $0.preview.explained(in: context, hiddenKeys: hiddenKeys) }
    }
}
