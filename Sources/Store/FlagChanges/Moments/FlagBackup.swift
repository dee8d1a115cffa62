import DurableFiles
import FlagHistory
import Foundation

/// A copy of flags with their history, of one moment, made beside a process that serves them.
public struct FlagBackup {
    private let files: FlagFiles
    private let folder: URL
    private let patience: Duration

    /// Names what is to be copied, and where to.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - folder: The folder to make: there is none yet, or it is empty.
    ///   - patience: The longest wait for a change that is under way.
    public init(of files: FlagFiles, in folder: URL, patience: Duration = .seconds(10)) {
        self.files = files
        self.folder = folder
        self.patience = patience
    }

    /// Makes the backup: reads the files and holds the history while no change is under way, copies it, checks the copy, and
    /// gives the folder its name then.
    ///
    /// - Parameter now: The time, in UTC.
    /// - Returns: What was copied.
    /// - Throws: ``FlagBackupError``, ``HistoryStoreError`` or ``FileAccessError``; nothing is left at the folder's place.
    public func make(now: Date) async throws -> BackupContents {
        if let use = try files.use(of: folder) { throw FlagBackupError.own(folder, use.name) }
        guard try FolderDraft.isFree(folder) else { throw FlagBackupError.taken(folder) }
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        let draft = try FolderDraft(of: folder)
        let moment = try await hold()
        let names = try moment.write(into: draft)
        let contents = try check(moment, names, in: draft, now)
        // SQLite's reader leaves its index of a log without a row.
        for ending in ["-wal", "-shm"] { try draft.remove(names.history + ending) }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try draft.add(try encoder.encode(contents) + Data("\n".utf8), named: BackupContents.name)
        guard try draft.install() else { throw FlagBackupError.taken(folder) }
        return contents
    }

    /// The files and the history between two changes.
    private func hold() async throws -> BackedUpMoment {
        let history = try HistoryStore(reading: files.history)
        defer { history.close() }
        let turn = try await FolderLock.take(
            beside: files.replaceable, until: .now + patience)
        let moment = Result { try read(history) }
        turn.end()
        return try moment.get()
    }

    /// How often files are read that other programs edit meanwhile.
    private static let maximumTries = 5

    private func read(_ history: HistoryStore) throws -> BackedUpMoment {
        var edited = files.values
        for _ in 1...Self.maximumTries {
            let moment = try BackedUpMoment(files, history)
            guard let changed = try moment.edited() else { return moment }
            edited = changed
        }
        throw FlagBackupError.changing(edited)
    }

    /// Makes sure that the copies hold what was read, that the history is sound, and that both tell of one moment.
    private func check(
        _ moment: BackedUpMoment, _ names: BackedUpMoment.Names, in draft: FolderDraft, _ now: Date
    ) throws -> BackupContents {
        let copy = draft.temporary.appending(path: names.history)
        let history = try HistoryStore(reading: copy)
        defer { history.close() }
        let coverage: HistoryCoverage
        // What rows are found by is made of the rows, and can be made anew of the copy's.
        var indexFault: String?
        switch try history.verify(expecting: moment.history.head) {
        case .sound(let found): coverage = found
        case .wrongIndex(let found, let reason): (coverage, indexFault) = (found, reason)
        case .broken(let row, let reason): throw FlagBackupError.unsound("row \(row): \(reason)")
        case .unproven(let reason), .wrongArchive(let reason): throw FlagBackupError.unsound(reason)
        }
        guard coverage.head == moment.history.head else { throw FlagBackupError.altered(names.history) }
        if let file = try history.openIntents().first?.files.first { throw FlagBackupError.interrupted(file.path) }
        var copies: [BackupContents.File] = []
        var unrecorded: [String] = []
        for (file, name) in names.all {
            let (count, hash) = try ContentHash.sha256(contentsOf: draft.temporary.appending(path: name))
            let path = file.url.path(percentEncoded: false)
            copies.append(
                BackupContents.File(use: file.use, path: path, name: name, bytes: count, sha256: hash.hexadecimal))
            guard let content = file.content else { continue }
            guard hash == ContentHash.sha256(content) else { throw FlagBackupError.altered(name) }
            if let role = file.role, let known = try history.headHash(of: role, at: path), known != hash {
                unrecorded.append(path)
            }
        }
        return BackupContents(at: now, coverage, files: copies, unrecorded: unrecorded, indexFault: indexFault)
    }
}
