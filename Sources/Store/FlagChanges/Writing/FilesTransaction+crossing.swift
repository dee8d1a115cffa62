import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// What becomes of a change that crosses with an edit by another program: the edit was there before the swap, and nobody had
/// read it.
extension FilesTransaction {
    /// Puts back what another program wrote at the very moment of the replacement; the change is then tried on top of it.
    ///
    /// Where yet another program has written the file by then, that one's file stays, and what the other wrote is kept.
    ///
    /// - Returns: `false` where the file that stays holds the change, which then stands.
    func giveWay(_ replacement: Replacement) throws(TransactionError) -> Bool {
        do throws(FileAccessError) {
            let isBack = try replacement.files.takeBack(replacement.edit.after.data)
            if !isBack { try keepDisplaced(replacement) }
            try replacement.files.synchronize()
            if isBack { return true }
            return try !stands(replacement.edit)
        } catch {
            throw unsettled(
                "\(replacement.edit.url.lastPathComponent) was edited at the same moment, and that edit could not be put "
                    + "back: \(error.description)", because: error.description, isFull: error.isFull)
        }
    }

    /// Whether a file that another program has written since holds all that the change made of it.
    private func stands(_ edit: FileEdit) throws(FileAccessError) -> Bool {
        guard let current = try FileReading.read(edit.url), let now = entries(current, of: edit),
            let before = entries(edit.before, of: edit), let after = entries(edit.after, of: edit)
        else { return false }
        let changed = after.changes(since: before).map(\.subject)
        return Set(now.changes(since: after).map(\.subject)).isDisjoint(with: changed)
    }

    /// Keeps an edit that is overwritten by now: beside the file, and as rows of the history, of which a person can revert the
    /// later ones.
    private func keepDisplaced(_ replacement: Replacement) throws(FileAccessError) {
        let edit = replacement.edit
        let kept = try replacement.files.keepDisplaced()
        context.options.log(
            "an edit of \(edit.path) was overwritten by a change of the same moment; it is kept as \(kept.path)")
        if let displaced = try FileReading.read(kept) { record(displaced, edit, keptAs: kept.lastPathComponent) }
        do throws(FileAccessError) {
            // A start after a crash then finds there what it expects of a change that took place.
            try replacement.files.replaceDisplaced(
                with: edit.before.data, mode: edit.before.signature.mode, writer: FlagFiles.temporaryWriter)
        } catch {
            context.options.log("what the file held before could not be put aside: \(error.description)")
        }
    }

    /// Tells the history of an edit that came and went; what it holds of the file is as before then.
    private func record(_ displaced: FileReading, _ edit: FileEdit, keptAs name: String) {
        guard let before = entries(edit.before, of: edit), let edited = entries(displaced, of: edit) else { return }
        let rows = OutsideEdits(history: context.history, clock: context.options.clock)
        let provider = context.files.providers.first { edit.role == .values && $0.url == edit.url }?.name
        let came = rows.events(
            edited.changes(since: before).filter { !$0.isOfInternalDefinition }, provider: provider,
            from: edit.before.hash, to: displaced.hash, remark: "")
        let went = rows.events(
            before.changes(since: edited).filter { !$0.isOfInternalDefinition }, provider: provider,
            from: displaced.hash, to: edit.before.hash,
            remark: "; overwritten by a change of the same moment, and kept as \(name)")
        do {
            try context.history.append(Array(came) + Array(went), head: nil)
        } catch {
            context.options.log("that edit could not be recorded: \(error.description)")
        }
    }

    /// What a state of the file says; `nil` where it is not valid.
    private func entries(_ reading: FileReading, of edit: FileEdit) -> EntriesByFlag? {
        let entries = Result {
            switch edit.role {
            case .values:
                EntriesByFlag(try PropertyListDocument(source: reading.data, maximumSize: .max), workspace.definitions)
            case .manifest: EntriesByFlag(try FlagManifest(source: reading.data, maximumSize: .max))
            }
        }
        guard case .success(let valid) = entries else { return nil }
        return valid
    }
}

extension EntriesByFlag.Change {
    /// Whether it is about the definition of an internal flag, of which nothing must be told.
    fileprivate var isOfInternalDefinition: Bool {
        [before, after].contains { entry in
            guard case .dictionary(let fields)? = entry else { return false }
            return fields["key"] != nil && fields["isInternal"] == .bool(true)
        }
    }
}
