import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ServedFiles {
    /// Waits until the files are whole, once for all requests.
    func waitUntilWhole() async {
        let task = waiting ?? Task { await waitForWholeFiles() }
        waiting = task
        await task.value
    }

    private func waitForWholeFiles() async {
        // Subscribes before each look, so that no change is missed.
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

    private func looksWhole(before changes: AsyncStream<Void>) async -> Bool {
        let (clock, patience) = (options.waitingClock, options.halfWrittenPatience)
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                // Only cancelled because the files are whole.
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

extension ServedFiles {
    /// Tries to settle the change; the caller holds the turn of the queue.
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
            options.log("The interrupted change is resolved. Changes can be made again.")
        case .failure(let error):
            change.fail(because: "\(error)", isFull: Self.isFull(error))
            if change != unsettled { options.log(change.fileProblem.description) }
            unsettled = change
        }
        // The request itself waits for half-written files.
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
