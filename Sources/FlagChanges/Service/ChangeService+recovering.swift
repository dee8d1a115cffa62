import FeatureFlagsXML
import FlagHistory
import Foundation

/// Settles what a change left half done, as a start does, without a restart.
extension ChangeService {
    /// How long it takes until the service tries by itself.
    static let pauseOfSettling = Duration.seconds(2)

    /// Tries to settle the unsettled change, for a request that holds the turn of the queue.
    ///
    /// - Parameter patience: How long to wait for another process that writes the history; `nil` for as long as a change
    ///   does.
    func settleUnsettledChange(patience: Duration? = nil) async {
        guard var change = unsettled else { return }
        rowBeforeRound = newestRow()
        isRoundUnderWay = true
        let recovery = Recovery(
            files: files, history: history, clock: options.clock, isStart: false, patience: patience)
        let result = await onDisk { Result { try recovery.run() } }
        isRoundUnderWay = false
        switch result {
        case .success:
            unsettled = nil
            options.log("The change that was interrupted is settled; changes are possible again.")
        case .failure(let error):
            change.fail(because: "\(error)", isFull: Self.isFull(error))
            if change != unsettled { options.log(change.fileProblem.description) }
            unsettled = change
        }
        isLookDue = false
        // Files that may be half written are waited for by the request itself.
        _ = look()
    }

    /// Tries to settle the unsettled change for a reader, unless a change or another attempt is under way: a reader never
    /// waits for those.
    func settleForReader() async {
        guard unsettled != nil, !queue.isLed else { return }
        await leading { await settleInTurn() }
    }

    /// Tries it while no program that takes turns (``FolderLock``) writes the files; where another one does, the next
    /// attempt is soon enough.
    private func settleInTurn() async {
        do throws(FileAccessError) {
            let turn = try await FolderLock.take(beside: files.written, until: .now)
            await settleUnsettledChange(patience: Self.patienceOfLook)
            turn.end()
        } catch {
            options.log("the change that was interrupted can't be settled now: \(error.description)")
        }
    }

    /// Has the service try every few seconds, for as long as there is something to settle.
    func settleSoon() {
        guard unsettled != nil, !isSettlingPlanned else { return }
        isSettlingPlanned = true
        let clock = options.waitingClock
        Task { [weak self] in
            repeat {
                // The task is cancelled by no one.
                try? await clock.sleep(for: Self.pauseOfSettling)
            } while await self?.isStillUnsettled() == true
        }
    }

    private func isStillUnsettled() async -> Bool {
        await settleForReader()
        isSettlingPlanned = unsettled != nil
        return isSettlingPlanned
    }

    private static func isFull(_ error: any Error) -> Bool {
        switch error {
        case let error as HistoryStoreError: error.isFull
        case let error as FileAccessError: error.isFull
        default: false
        }
    }
}
