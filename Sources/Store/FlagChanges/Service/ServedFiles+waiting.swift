import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ServedFiles {
    /// Waits until the files are whole and taken up, or have not been for so long that this counts.
    ///
    /// All who ask meanwhile wait for the same.
    func waitUntilWhole() async {
        let task = waiting ?? Task { await waitForWholeFiles() }
        waiting = task
        await task.value
    }

    private func waitForWholeFiles() async {
        // From before each look on, so that no change after it is missed.
        var changes = watcher.changes()
        var halfWritten = look()
        var givenUp: Set<URL> = []
        while !halfWritten.isEmpty {
            if await looksWhole(before: changes) { break }
            givenUp.formUnion(halfWritten)
            changes = watcher.changes()
            halfWritten = look(givingUp: givenUp)
        }
        waiting = nil
    }

    /// Looks whenever a file may have changed.
    ///
    /// - Returns: Whether the files were whole before patience was at an end.
    private func looksWhole(before changes: AsyncStream<Void>) async -> Bool {
        let (clock, patience) = (options.waitingClock, options.halfWrittenPatience)
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                // It is only ever cancelled because the files are whole.
                (try? await clock.sleep(for: patience)) == nil
            }
            group.addTask {
                for await _ in changes where await self.look().isEmpty { return true }
                return false
            }
            let isWhole = await group.next() ?? false
            group.cancelAll()
            return isWhole
        }
    }
}

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
