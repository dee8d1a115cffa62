import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension FilesTransaction {
    /// Restores an edit displaced by the replacement; the change is then retried.
    ///
    /// If another program has written the file since, the displaced edit is kept beside it. Returns false if that
    /// content includes the change, which then stands.
    func giveWay(_ replacement: Replacement) throws(TransactionError) -> Bool {
        do throws(FileAccessError) {
            let isBack = try replacement.files.takeBack(replacement.edit.after.data)
            if !isBack { try keepDisplaced(replacement) }
            try replacement.files.synchronize()
            if isBack { return true }
            return try !stands(replacement.edit)
        } catch {
            throw unsettled(
                "\(replacement.edit.url.lastPathComponent) was edited at the same moment, and that edit can't be "
                    + "restored: \(error.description)", because: error.description, isFull: error.isFull)
        }
    }

    /// Returns true if the file, written since by another program, includes the whole change.
    private func stands(_ edit: FileEdit) throws(FileAccessError) -> Bool {
        guard let current = try FileReading.read(edit.url), let now = entries(current, of: edit),
            let before = entries(edit.before, of: edit), let after = entries(edit.after, of: edit)
        else { return false }
        let changed = after.changes(since: before).map(\.subject)
        return Set(now.changes(since: after).map(\.subject)).isDisjoint(with: changed)
    }

    /// Keeps an overwritten edit beside the file and in the history, from which a person can restore it.
    private func keepDisplaced(_ replacement: Replacement) throws(FileAccessError) {
        let edit = replacement.edit
        let kept = try replacement.files.keepDisplaced()
        context.options.log(
            "a change overwrote an edit of \(edit.path) at the same moment; the edit is saved as \(kept.path)")
        if let displaced = try FileReading.read(kept) { record(displaced, edit, keptAs: kept.lastPathComponent) }
        do throws(FileAccessError) {
            // After a crash, recovery expects this of a completed change.
            try replacement.files.replaceDisplaced(
                with: edit.before.data, mode: edit.before.signature.mode, writer: FlagFiles.temporaryWriter)
        } catch {
            context.options.log("can't save the previous content of the file: \(error.description)")
        }
    }

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
            remark: "; overwritten by a change at the same moment and saved as \(name)")
        do {
            try context.history.append(Array(came) + Array(went), head: nil)
        } catch {
            context.options.log("can't record that edit: \(error.description)")
        }
    }

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
    /// True for the definition of an internal flag, which must not be revealed.
    fileprivate var isOfInternalDefinition: Bool {
        [before, after].contains { entry in
            guard case .dictionary(let fields)? = entry else { return false }
            return fields["key"] != nil && fields["isInternal"] == .bool(true)
        }
    }
}
