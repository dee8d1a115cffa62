import DurableFiles
import Foundation

extension ServedFiles {
    /// Takes up what is edited outside as soon as it happens, until the task is cancelled.
    func watch() async {
        let changes = watcher.changes()
        repeat {
            if !look().isEmpty { await waitUntilWhole() }
        } while await nextLook(changes)
    }

    /// Waits until there may be something to see: for a change, and a while after the last look, so that a program that
    /// writes a thousand times a second does not fill the history; where files can't be watched, for a second.
    private func nextLook(_ changes: AsyncStream<Void>) async -> Bool {
        do {
            try await options.waitingClock.sleep(for: watcher.isComplete ? .milliseconds(100) : .seconds(1))
        } catch {
            return false
        }
        guard watcher.isComplete else { return true }
        for await _ in changes { return true }
        return false
    }
}
