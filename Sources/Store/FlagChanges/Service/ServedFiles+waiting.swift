import DurableFiles
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
