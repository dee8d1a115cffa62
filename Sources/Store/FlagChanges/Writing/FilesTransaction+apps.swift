import DurableFiles
import FlagHistory

extension FilesTransaction {
    /// Makes the changes of running apps, or takes everything back.
    func changeApps(_ replacements: [Replacement], _ intent: ChangeIntent.ID) throws(TransactionError) {
        for (place, edit) in appEdits.enumerated() {
            do throws(PlainError) {
                try edit.writer(edit.changes)
            } catch {
                takeBack(Array(appEdits[..<place]))
                let problem = takeBack(
                    replacements, of: replacements, intent, because: error.description, isFull: false)
                guard case .refused = problem else { throw problem }
                throw .refused(.refused(edit, because: error), isForAll: false)
            }
        }
    }

    func takeBack(_ edits: [AppEdit]) {
        for edit in edits.reversed() {
            do throws(PlainError) {
                try edit.writer(edit.reversed.changes)
            } catch {
                context.options.log("can't undo a change in \(edit.provider): \(error.description)")
            }
        }
    }
}

extension ChangeError {
    fileprivate static func refused(_ edit: AppEdit, because error: PlainError) -> ChangeError {
        let key = edit.changes.count == 1 ? edit.changes[0].key : nil
        return ChangeError(
            .unavailable, key: key, "\(edit.provider) was not changed: \(error.description.asClause).",
            remedy: "The pages show the app's current values. Fix the cause and try again.", isOfApp: true)
    }
}
