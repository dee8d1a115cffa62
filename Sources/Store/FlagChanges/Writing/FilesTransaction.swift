import DurableFiles
import FlagHistory
import Foundation

/// Replaces files and appends rows so that a crash leaves all or nothing: first a durable intent, then the
/// replacements, then the rows.
///
/// Old contents are kept until the rows are durable, so that undoing needs no room on the disk. Running apps get their
/// changes when the files have theirs, since an app may refuse one.
struct FilesTransaction {
    struct Replacement {
        let edit: FileEdit
        let files: FileReplacement
    }

    let context: ChangeContext
    let edits: [FileEdit]
    let appEdits: [AppEdit]
    let events: [HistoryEvent]
    let answers: [RequestAnswer]
    let workspace: Workspace

    func run() throws(TransactionError) -> [HistoryRecord] {
        let replacements = try prepare()
        let intent = try begin(replacements)
        try install(replacements, intent)
        try synchronize(replacements, intent)
        try changeApps(replacements, intent)
        let records = try finish(intent, replacements)
        discard(replacements)
        return records
    }

    private func prepare() throws(TransactionError) -> [Replacement] {
        var replacements: [Replacement] = []
        do throws(FileAccessError) {
            for edit in edits {
                // Checked before there is an intent to undo.
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
            takeBack(appEdits)
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
    /// Replaces files that are still as read, by an unchanged manifest.
    ///
    /// If one can't be replaced, those before it are restored and the intent is removed.
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
        // A link changed meanwhile leads to files without the change.
        guard context.files.isInPlace else {
            try undo(installed, of: replacements, intent)
            throw .raced
        }
    }

    /// Returns true if the file is as read; a simultaneous edit that escapes this is found in the displaced file.
    private func isStillAsRead(_ edit: FileEdit) throws(FileAccessError) -> Bool {
        if try AtomicFile.signature(of: edit.url) == edit.before.signature { return true }
        return try edit.before.isHeld(by: edit.url)
    }

    /// True if the manifest is the one read: a new lock must hold.
    private var isManifestCurrent: Bool {
        let current = Result { () throws(FileAccessError) in try AtomicFile.signature(of: workspace.manifest.url) }
        guard case .success(let signature) = current else { return false }
        return signature == workspace.manifest.reading?.signature
    }

    private func undo(
        _ installed: some BidirectionalCollection<Replacement>, of replacements: [Replacement],
        _ intent: ChangeIntent.ID
    ) throws(TransactionError) {
        for replacement in installed.reversed() {
            if let problem = putBack(replacement, because: "another file can't be replaced") { throw problem }
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

enum TransactionError: Error {
    /// Another program changed a file; nothing was done.
    case raced
    /// Nothing was done; with `isForAll`, no other change would succeed either.
    case refused(ChangeError, isForAll: Bool)
    /// Writes are blocked until the change is settled.
    case unsettled(ChangeError, UnsettledChange)
}
