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
    /// - Throws: ``ChangeRefusal`` where the history is damaged, ``HistoryStoreError`` where it can't be read.
    public nonisolated func flags(at instant: HistoryInstant) async throws -> FlagsAtTime? {
        let (workspace, overview) = try await present()
        let past = PastFlags(
            workspace: workspace, now: overview.catalogue, history: history, showsInternal: options.showsInternal)
        switch instant {
        case .time(let date): return try past.flags(at: try history.moment(at: date), time: date)
        case .before(let row):
            guard let found = try history.moment(before: row, hiddenKeys: overview.hiddenKeys) else { return nil }
            return try past.flags(at: found.moment, time: found.end)
        }
    }

    /// The files and what there is to show of them, at one moment.
    private func present() async throws(ChangeRefusal) -> (Workspace, FlagOverview) {
        let overview = try await overview()
        return (workspace, overview)
    }
}
