import DurableFiles
import FlagHistory
import Foundation

/// Puts edited bytes in place of one file or several and the rows into the history, such that a crash at any point leaves
/// all or nothing: a durable intent first, then the replacements, then the rows.
///
/// What stood in the files is kept until the rows are durable, so that what can't be completed is taken back without room on
/// the disk.
struct FilesTransaction {
    /// An edit whose new bytes are on the disk, beside the file.
    struct Replacement {
        let edit: FileEdit
        let files: FileReplacement
    }

    let context: ChangeContext
    let edits: [FileEdit]
    let events: [HistoryEvent]
    let answers: [RequestAnswer]
    /// The files as they were read.
    let workspace: Workspace

    /// Does it.
    func run() throws(TransactionError) -> [HistoryRecord] {
        let replacements = try prepare()
        let intent = try begin(replacements)
        try install(replacements, intent)
        try synchronize(replacements, intent)
        let records = try finish(intent, replacements)
        discard(replacements)
        return records
    }

    private func prepare() throws(TransactionError) -> [Replacement] {
        var replacements: [Replacement] = []
        do throws(FileAccessError) {
            for edit in edits {
                // Found out here, no intent has to be taken back for it.
                if let obstacle = AtomicFile.obstacle(toReplacing: edit.url), obstacle.isOfMountPoint { throw obstacle }
                let temporary = try AtomicFile.writeTemporary(
                    edit.after.data, beside: edit.url, mode: edit.before.signature.mode,
                    writer: FlagFiles.temporaryWriter)
                let files = FileReplacement(
                    url: edit.url, temporary: temporary, exchanges: context.exchanges.contains(edit.url),
                    actions: context.options.actions)
                replacements.append(Replacement(edit: edit, files: files))
            }
        } catch {
            discard(replacements)
            throw .refused(ChangeError(writing: error), isForAll: false)
        }
        return replacements
    }

    private func begin(_ replacements: [Replacement]) throws(TransactionError) -> ChangeIntent.ID {
        let files = replacements.map { replacement in
            ChangeIntent.File(
                role: replacement.edit.role, path: replacement.edit.path,
                temporaryName: replacement.files.temporary.lastPathComponent, hashBefore: replacement.edit.before.hash,
                hashAfter: replacement.edit.after.hash,
                edit: ContentEdit(from: replacement.edit.before.data, to: replacement.edit.after.data))
        }
        do {
            return try context.history.begin(
                ChangeIntent(files: files, events: events, answers: answers, at: context.options.clock()))
        } catch {
            discard(replacements)
            throw .refused(ChangeError(storing: error), isForAll: error.isBusy)
        }
    }

    /// Makes durable that the files were replaced, folder by folder.
    private func synchronize(_ replacements: [Replacement], _ intent: ChangeIntent.ID) throws(TransactionError) {
        do {
            try synchronizeFolders(of: replacements)
        } catch {
            throw takeBack(
                replacements, of: replacements, intent, because: error.description, isFull: error.isFull)
        }
    }

    private func finish(_ intent: ChangeIntent.ID, _ replacements: [Replacement]) throws(TransactionError)
        -> [HistoryRecord]
    {
        do {
            return try context.history.finish(intent, appending: events)
        } catch {
            throw takeBack(
                replacements, of: replacements, intent, because: error.description, isFull: error.isFull)
        }
    }

    func synchronizeFolders(of replacements: [Replacement]) throws(FileAccessError) {
        var folders: Set<URL> = []
        for replacement in replacements {
            let folder = replacement.edit.url.deletingLastPathComponent()
            if folders.insert(folder).inserted { try replacement.files.synchronize() }
        }
    }

    func discard(_ replacements: [Replacement]) {
        for replacement in replacements { replacement.files.discard(context.options.log) }
    }
}

extension FilesTransaction {
    /// Replaces the files, one after the other, if each still holds what its edit was made of, and if the rules still stand
    /// by which that was checked.
    ///
    /// Where one can't be replaced, those before it are put back, and the intent is gone.
    func install(_ replacements: [Replacement], _ intent: ChangeIntent.ID) throws(TransactionError) {
        guard isManifestCurrent, context.files.isInPlace else {
            try undo([], of: replacements, intent)
            throw .raced
        }
        var installed: [Replacement] = []
        for replacement in replacements {
            let isUntouched: Bool
            do throws(FileAccessError) {
                isUntouched = try isStillAsRead(replacement.edit)
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
            let isDisplacedAsRead: Bool
            do throws(FileAccessError) {
                isDisplacedAsRead = try replacement.edit.before.isHeld(by: replacement.files.displaced)
            } catch {
                throw takeBack(
                    installed, of: replacements, intent, because: error.description, isFull: error.isFull)
            }
            if isDisplacedAsRead { continue }
            guard try giveWay(replacement) else { continue }
            try undo(installed.dropLast(), of: replacements, intent)
            throw .raced
        }
        // A link that was pointed elsewhere meanwhile leads to files that lack the change.
        guard context.files.isInPlace else {
            try undo(installed, of: replacements, intent)
            throw .raced
        }
    }

    /// Whether a file is as it was read, as far as that can be told by its size and times; else its bytes are compared.
    ///
    /// An edit of the same moment may hide from that, and is found in what the replacement displaces.
    private func isStillAsRead(_ edit: FileEdit) throws(FileAccessError) -> Bool {
        if try AtomicFile.signature(of: edit.url) == edit.before.signature { return true }
        return try edit.before.isHeld(by: edit.url)
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
    ) throws(TransactionError) {
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

/// Why nothing was done, or worse.
enum TransactionError: Error {
    /// Another program changed a file meanwhile: nothing was done, and the file holds what it wrote.
    case raced
    /// Nothing was done; `isForAll` where no other change would fare better.
    case refused(ChangeError, isForAll: Bool)
    /// Nothing more may be written until the change is settled.
    case unsettled(ChangeError, UnsettledChange)
}
