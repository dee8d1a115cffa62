import DurableFiles
import FlagHistory
import Foundation

extension FilesTransaction {
    /// Restores the files after a failure and removes the intent.
    ///
    /// If the history can't be written either, the intent stays and blocks all writes until it is settled.
    func takeBack(
        _ installed: [Replacement], of replacements: [Replacement], _ intent: ChangeIntent.ID, because cause: String,
        isFull: Bool
    ) -> TransactionError {
        let cause = cause.asClause
        for replacement in installed.reversed() {
            context.options.log("a change to \(replacement.edit.path) is being undone: \(cause)")
            if let problem = putBack(replacement, because: cause, isFull: isFull) { return problem }
        }
        do throws(FileAccessError) {
            try synchronizeFolders(of: installed)
        } catch {
            context.options.log("the files were restored, but a power failure could undo that: \(error.description)")
            return unsettled(.takenBack, because: cause, isFull: isFull)
        }
        // Frees the room of the new files, which the history may need.
        discard(replacements)
        do throws(HistoryStoreError) {
            // The change has already waited for other processes.
            try context.history.abandon(intent, appending: [], patience: .zero)
        } catch {
            return unsettled(
                .takenBack, because: error.isFull ? error.description : cause, isFull: isFull || error.isFull)
        }
        return .refused(takenBack(because: cause, isFull: isFull), isForAll: !isFull)
    }

    /// Restores a file; returns the problem if that is impossible, leaving the file as it is.
    func putBack(_ replacement: Replacement, because cause: String, isFull: Bool = false) -> TransactionError? {
        let name = replacement.edit.url.lastPathComponent
        let clause = cause.asClause
        do throws(FileAccessError) {
            if try replacement.files.takeBack(replacement.edit.after.data) { return nil }
            return unsettled(
                "The change was in \(name), but it failed (\(clause)), and another program has written to the file "
                    + "since", because: clause, isFull: isFull)
        } catch {
            return unsettled(
                "The change is in \(name), but it failed (\(clause)), and the file can't be restored "
                    + "(\(error))", because: clause, isFull: isFull)
        }
    }

    private func takenBack(because cause: String, isFull: Bool) -> ChangeError {
        ChangeError(
            isFull ? .full : .unavailable, "The change failed: \(cause).",
            remedy:
                "The file was restored. \(isFull ? "Free disk space" : "Fix the cause"), then try again.")
    }

    /// Blocks writes: the files are restored, but the intent remains.
    func unsettled(_ outcome: UnsettledChange.Outcome, because cause: String, isFull: Bool) -> TransactionError {
        let change = UnsettledChange(since: context.options.clock(), outcome, cause: cause, isFull: isFull)
        return .unsettled(takenBack(because: cause.asClause, isFull: isFull), change)
    }

    /// Blocks writes: a file may hold a change that the history lacks.
    func unsettled(_ text: String, because cause: String, isFull: Bool) -> TransactionError {
        .unsettled(
            ChangeError(
                isFull ? .full : .unavailable, "\(text).",
                remedy:
                    "Don't repeat the change. Flagboard retries every few seconds, and the history shows the outcome "
                    + "as soon as it is writable again."),
            UnsettledChange(since: context.options.clock(), .unknown, cause: cause, isFull: isFull))
    }
}
