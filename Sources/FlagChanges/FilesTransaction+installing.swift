import FeatureFlagsXML
import FlagHistory
import Foundation

extension FilesTransaction {
    /// Replaces the files, one after the other, if each still holds what its edit was made of, and if the rules still stand
    /// by which that was checked.
    ///
    /// Where one can't be replaced, those before it are put back, and the intent is gone.
    func install(_ replacements: [Replacement], _ intent: ChangeIntent.ID) throws(Failure) {
        guard isManifestCurrent else {
            try undo([], of: replacements, intent)
            throw .raced
        }
        var installed: [Replacement] = []
        for replacement in replacements {
            let isUntouched: Bool
            do throws(FileAccessError) {
                isUntouched = try FileReading.read(replacement.edit.url)?.hash == replacement.edit.before.hash
                if isUntouched { try replacement.files.install() }
            } catch {
                try undo(installed, of: replacements, intent)
                throw .refused(ChangeRefusal(writing: error), isForAll: false)
            }
            guard isUntouched else {
                try undo(installed, of: replacements, intent)
                throw .raced
            }
            installed.append(replacement)
            let displaced: FileReading?
            do throws(FileAccessError) {
                displaced = try FileReading.read(replacement.files.displaced)
            } catch {
                throw takeBack(installed, because: error.description, isFull: error.isFull)
            }
            if displaced?.hash == replacement.edit.before.hash { continue }
            guard try giveWay(replacement) else { continue }
            try undo(installed.dropLast(), of: replacements, intent)
            throw .raced
        }
    }

    /// Whether the manifest is the file that was read: a lock that has appeared since must hold.
    private var isManifestCurrent: Bool {
        let current = Result { () throws(FileAccessError) in try AtomicFile.signature(of: workspace.manifest.url) }
        guard case .success(let signature) = current else { return false }
        return signature == workspace.manifest.reading?.signature
    }

    /// Puts back what somebody else wrote at the very moment of the replacement; the change is then tried on top of it.
    ///
    /// - Returns: `false` where yet another program has written the file on top of the change by now. Its file stands, and so
    ///   does the change; what somebody else wrote is kept.
    private func giveWay(_ replacement: Replacement) throws(Failure) -> Bool {
        do throws(FileAccessError) {
            let isBack = try replacement.files.takeBack(replacement.edit.after.data)
            if !isBack { try keepDisplaced(replacement) }
            try replacement.files.synchronize()
            return isBack
        } catch {
            throw suspended(
                "\(replacement.edit.url.lastPathComponent) was edited at the same moment, and that edit could not be put "
                    + "back: \(error.description)", isFull: error.isFull)
        }
    }

    /// Keeps an edit that is overwritten by now: beside the file, and as two rows of the history, of which a person can
    /// revert the second.
    private func keepDisplaced(_ replacement: Replacement) throws(FileAccessError) {
        let edit = replacement.edit
        let kept = try replacement.files.keepDisplaced()
        context.options.log(
            "an edit of \(edit.path) was overwritten by a change of the same moment; it is kept as \(kept.path)")
        guard let displaced = try FileReading.read(kept) else { return }
        var edits = OutsideEdits(history: context.history, clock: context.options.clock)
        do throws(HistoryStoreError) {
            try edits.record(workspace.holding(displaced, in: edit, context.files))
            edits.remark = "; overwritten by a change of the same moment, and kept as \(kept.lastPathComponent)"
            try edits.record(workspace.holding(edit.before, in: edit, context.files))
        } catch {
            context.options.log("that edit could not be recorded: \(error.description)")
        }
    }

    /// Puts back the files that were replaced, where nothing else is wrong with them, and removes the intent.
    private func undo(
        _ installed: some BidirectionalCollection<Replacement>, of replacements: [Replacement],
        _ intent: ChangeIntent.ID
    ) throws(Failure) {
        for replacement in installed.reversed() {
            if let problem = putBack(replacement, because: "another file could not be replaced") { throw problem }
        }
        do throws(FileAccessError) {
            try synchronizeFolders(of: Array(installed))
        } catch {
            throw takenBack(because: error.description, isFull: error.isFull)
        }
        discard(replacements)
        do {
            try context.history.abandon(intent, appending: [])
        } catch {
            throw .suspended(
                ChangeRefusal(storing: error),
                Obstacle(
                    "A change could not be taken back in the history: \(error.description). Restart Flagboard: it recovers at "
                        + "start-up."))
        }
    }
}

extension Workspace {
    /// The one file of an edit alone, as it would be if it held certain bytes.
    fileprivate func holding(_ reading: FileReading, in edit: FileEdit, _ files: FlagFiles) -> Workspace {
        var single = self
        single.values = []
        single.manifest = Manifest(url: manifest.url, reading: nil, content: .success(definitions))
        switch edit.role {
        case .values:
            single.values = files.providers.filter { $0.url == edit.url }.map { Values(provider: $0, reading) }
        case .manifest:
            guard case .success(let sound) = Result(catching: { try FlagManifest(source: reading.data) }) else { break }
            single.manifest = Manifest(url: manifest.url, reading: reading, content: .success(sound))
        }
        return single
    }
}
