import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation

struct ToldState {
    var lastRow: Int64 = 0
    var catalogue: FlagCatalogue?
    var fileProblems: [FileProblem] = []
    var linkedFiles: [URL] = []
    var saveFailure: SaveFailure?
}

extension ServedFiles {
    func updates() throws(HistoryStoreError) -> ServiceUpdates {
        if updateFeed.isUnheard {
            told = ToldState(
                lastRow: try lastShownRow(), catalogue: currentFlags().catalogue, fileProblems: currentProblems,
                linkedFiles: linkedFiles, saveFailure: saveFailure)
        }
        return updateFeed.add()
    }

    func tellRestart() {
        updateFeed.tell(ServiceUpdate(keys: [], lastRow: told.lastRow, changesObstacles: false, tellsRestart: true))
    }

    /// Reports changes since the last report.
    ///
    /// `appKeys` are the flags that changed in running apps, which have no rows; `nil` for any.
    func tellUpdates(ofApps appKeys: Set<FlagKeyPath>? = []) {
        guard !updateFeed.isUnheard else { return }
        do throws(HistoryStoreError) {
            let lastRow = try lastRow()
            let fileProblems = currentProblems
            var keys: Set<FlagKeyPath>? = []
            var catalogue = told.catalogue
            if lastRow != told.lastRow {
                let flags = currentFlags()
                let rows = try history.records(
                    matching: HistoryQuery(hiddenKeys: flags.hiddenKeys), after: told.lastRow,
                    limit: ServiceUpdate.maximumKeys + 1)
                // A flag that became internal is gone for all consumers.
                let gone = flags.hiddenKeys.flags.filter { catalogue?[$0] != nil }
                keys = rows.count > ServiceUpdate.maximumKeys ? nil : gone.union(rows.map(\.event.key))
                catalogue = flags.catalogue
            }
            keys = keys.flatMap { keys in appKeys.map { keys.union($0) } }
            let changesObstacles =
                fileProblems != told.fileProblems || linkedFiles != told.linkedFiles || saveFailure != told.saveFailure
            told = ToldState(
                lastRow: lastRow, catalogue: catalogue, fileProblems: fileProblems, linkedFiles: linkedFiles,
                saveFailure: saveFailure)
            guard keys?.isEmpty != true || changesObstacles else { return }
            updateFeed.tell(ServiceUpdate(keys: keys, lastRow: lastRow, changesObstacles: changesObstacles))
        } catch {
            options.log("can't notify followers of a change: \(error.description)")
        }
    }
}

extension ServedFiles {
    func watch() async {
        let changes = watcher.changes()
        repeat {
            if !look().isEmpty { await waitUntilWhole() }
        } while await nextLook(changes)
    }

    /// Pauses between looks, so that a constantly writing program doesn't fill the history.
    ///
    /// Polls each second if files can't be watched.
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
