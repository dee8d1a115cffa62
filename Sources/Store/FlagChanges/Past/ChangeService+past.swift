import FeatureFlags
import FlagHistory
import Foundation

extension ChangeService {
    /// The flags as they were at a moment, beside those of now.
    ///
    /// However long the history is, changes don't wait for it.
    ///
    /// - Parameter instant: The moment.
    /// - Returns: The flags, whatever the history still knows of the moment (``HistoryMoment/isKnown``); `nil` where the
    ///   change that names it is not there, or is hidden.
    /// - Throws: ``ChangeError`` where the history is damaged, ``HistoryStoreError`` where it can't be read.
    public func flags(at instant: HistoryInstant) async throws -> PastState? {
        let state = try await reader.state()
        let overview = await reader.overview(of: state)
        let (moment, time): (HistoryMoment, Date)
        switch instant {
        case .time(let date): (moment, time) = (try history.moment(at: date), date)
        case .before(let row):
            guard let found = try history.moment(before: row, hiddenKeys: overview.hiddenKeys) else { return nil }
            (moment, time) = (found.moment, found.end)
        }
        let basis = overview.files.map {
            PastStateCache.State(files: $0, fileProblems: overview.fileProblems, head: moment.head, row: moment.lastRow)
        }
        if let known = await reader.pastState(of: basis) { return known.at(time, moment) }
        let past = PastStateBuilder(
            workspace: state.workspace, now: overview.catalogue, history: history, showsInternal: showsInternal)
        let flags = try await past.flags(at: moment, time: time)
        // What came meanwhile may count or not.
        if try history.chainHead().id == moment.head { await reader.keep(flags, for: basis) }
        return flags
    }
}
