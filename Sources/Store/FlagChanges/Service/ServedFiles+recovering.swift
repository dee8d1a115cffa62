import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Settles what a change left half done, as a start does, without a restart.
extension ServedFiles {
    /// Tries to settle the unsettled change, for a request that holds the turn of the queue.
    ///
    /// - Parameter patience: How long to wait for another process that writes the history; `nil` for as long as a change
    ///   does.
    func settleUnsettledChange(patience: Duration? = nil) async {
        guard var change = unsettled else { return }
        holdStill()
        let recovery = Recovery(
            files: claimed, history: history, clock: options.clock, isStart: false, patience: patience)
        let result = await context.onDisk { Result { try recovery.run() } }
        letGo()
        switch result {
        case .success:
            unsettled = nil
            options.log("The change that was interrupted is settled; changes are possible again.")
        case .failure(let error):
            change.fail(because: "\(error)", isFull: Self.isFull(error))
            if change != unsettled { options.log(change.fileProblem.description) }
            unsettled = change
        }
        // Files that may be half written are waited for by the request itself.
        _ = look()
    }

    private static func isFull(_ error: any Error) -> Bool {
        switch error {
        case let error as HistoryStoreError: error.isFull
        case let error as FileAccessError: error.isFull
        default: false
        }
    }
}
