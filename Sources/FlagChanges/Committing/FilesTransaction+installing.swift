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
                throw .refused(ChangeError(writing: error), isForAll: false)
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
                throw takeBack(
                    installed, of: replacements, intent, because: error.description, isFull: error.isFull)
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
            throw unsettled(.takenBack, because: error.description, isFull: error.isFull)
        }
        discard(replacements)
        do {
            try context.history.abandon(intent, appending: [])
        } catch {
            throw unsettled(.takenBack, because: error.description, isFull: error.isFull)
        }
    }
}
