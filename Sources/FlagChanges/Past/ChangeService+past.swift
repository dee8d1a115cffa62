import FeatureFlags
import FlagHistory
import Foundation

extension ChangeService {
    /// The flags as they were at a moment, beside those of now.
    ///
    /// It takes no turn of the service: however long the history is, changes don't wait for it.
    ///
    /// - Parameter instant: The moment.
    /// - Returns: The flags, whatever the history still knows of the moment (``HistoryMoment/isKnown``); `nil` where the
    ///   change that names it is not there, or is hidden.
    /// - Throws: ``ChangeError`` where the history is damaged, ``HistoryStoreError`` where it can't be read.
    public nonisolated func flags(at instant: HistoryInstant) async throws -> PastState? {
        let (workspace, overview) = try await present()
        let (moment, time): (HistoryMoment, Date)
        switch instant {
        case .time(let date): (moment, time) = (try history.moment(at: date), date)
        case .before(let row):
            guard let found = try history.moment(before: row, hiddenKeys: overview.hiddenKeys) else { return nil }
            (moment, time) = (found.moment, found.end)
        }
        let state = workspace.catalogueState(isReadOnly: isReadOnly).map {
            PastStateCache.State(files: $0, fileProblems: overview.fileProblems, head: moment.head, row: moment.lastRow)
        }
        if let known = await pastFlags.flags(of: state) { return known.at(time, moment) }
        let past = PastStateBuilder(
            workspace: workspace, now: overview.catalogue, history: history, showsInternal: options.showsInternal)
        let flags = try await past.flags(at: moment, time: time)
        // What came meanwhile may count or not.
        if try history.chainHead().id == moment.head { await keep(flags, for: state) }
        return flags
    }

    /// The files and what there is to show of them, at one moment.
    private func present() async throws(ChangeError) -> (Workspace, FlagOverview) {
        let overview = try await overview()
        return (workspace, overview)
    }

    private func keep(_ flags: PastState, for state: PastStateCache.State?) { pastFlags.keep(flags, for: state) }
}
