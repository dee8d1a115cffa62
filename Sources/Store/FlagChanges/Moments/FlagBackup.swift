import DurableFiles
import FlagHistory
import Foundation

/// A copy of flags and their history at one moment, made beside a running service.
package struct FlagBackup {
    private let files: FlagFiles
    private let folder: URL
    private let patience: Duration

    /// Prepares a backup into a missing or empty folder.
    ///
    /// `patience` is the longest wait for a change under way.
    package init(of files: FlagFiles, in folder: URL, patience: Duration = .seconds(10)) {
        self.files = files
        self.folder = folder
        self.patience = patience
    }

    /// Copies the files and the history between two changes, checks the copies, then names the folder.
    ///
    /// If it throws, nothing is left in the folder's place.
    package func make(now: Date) async throws -> BackupContents {
        if let use = try files.use(of: folder) { throw PlainError.own(folder, use.name) }
        guard try FolderDraft.isFree(folder) else { throw PlainError.taken(folder) }
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        let draft = try FolderDraft(of: folder)
        let moment = try await hold()
        let names = try moment.write(into: draft)
        let contents = try check(moment, names, in: draft, now)
        // SQLite's reader leaves its index of an empty log behind.
        for ending in ["-wal", "-shm"] { try draft.remove(names.history + ending) }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try draft.add(try encoder.encode(contents) + Data("\n".utf8), named: BackupContents.name)
        // It has the key and the tokens, and may be in a work tree.
        try draft.add(Data("*\n".utf8), named: ".gitignore")
        guard try draft.install() else { throw PlainError.taken(folder) }
        return contents
    }

    private func hold() async throws -> BackedUpMoment {
        let history = try HistoryStore(reading: files.history)
        defer { history.close() }
        let turn = try await FolderLock.take(
            beside: files.replaceable, until: .now + patience)
        let moment = Result { try read(history) }
        turn.end()
        return try moment.get()
    }

    private static let maximumTries = 5

    private func read(_ history: HistoryStore) throws -> BackedUpMoment {
        var edited = files.values
        for _ in 1...Self.maximumTries {
            let moment = try BackedUpMoment(files, history)
            guard let changed = try moment.edited() else { return moment }
            edited = changed
        }
        throw PlainError.changing(edited)
    }

    /// Checks that the copies are exact and sound, and of one moment.
    private func check(
        _ moment: BackedUpMoment, _ names: BackedUpMoment.Names, in draft: FolderDraft, _ now: Date
    ) throws -> BackupContents {
        let copy = draft.temporary.appending(path: names.history)
        let history = try HistoryStore(reading: copy)
        defer { history.close() }
        let coverage: HistoryCoverage
        // A wrong search index doesn't spoil a backup: it can be rebuilt from the rows.
        var indexFault: String?
        switch try history.verify(expecting: moment.history.head) {
        case .sound(let found): coverage = found
        case .wrongIndex(let found, let reason): (coverage, indexFault) = (found, reason)
        case .broken(let row, let reason): throw PlainError.unsound("row \(row): \(reason)")
        case .unproven(let reason), .wrongArchive(let reason): throw PlainError.unsound(reason)
        }
        guard coverage.head == moment.history.head else { throw PlainError.altered(names.history) }
        if let file = try history.openIntents().first?.files.first { throw PlainError.interrupted(file.path) }
        var copies: [BackupContents.File] = []
        var unrecorded: [String] = []
        for (file, name) in names.all {
            let (count, hash) = try ContentHash.sha256(contentsOf: draft.temporary.appending(path: name))
            let path = file.url.path(percentEncoded: false)
            copies.append(
                BackupContents.File(use: file.use, path: path, name: name, bytes: count, sha256: hash.hexadecimal))
            guard let content = file.content else { continue }
            guard hash == ContentHash.sha256(content) else { throw PlainError.altered(name) }
            if let role = file.role, let known = try history.headHash(of: role, at: path), known != hash {
                unrecorded.append(path)
            }
        }
        return BackupContents(at: now, coverage, files: copies, unrecorded: unrecorded, indexFault: indexFault)
    }
}

package struct BackupContents: Hashable, Sendable, Codable {
    package struct File: Hashable, Sendable, Codable {
        /// The use, such as `the manifest`.
        package let use: String
        package let path: String
        package let name: String
        package let bytes: Int
        /// SHA-256 in hexadecimal.
        package let sha256: String
    }

    package let format: Int
    /// The time of reading, in UTC.
    package let at: Date
    package let rows: Int
    /// The last row's number and hash, as for `flagboard history verify --expect`.
    package let head: String
    /// The copies, with the history's log merged in.
    package let files: [File]
    /// Files with external edits unknown to the history, which the next `flagboard serve` records.
    package let unrecorded: [String]
    /// The problem with the history's search index, as a clause.
    package let indexFault: String?

    package static let name = "backup.json"

    init(at: Date, _ coverage: HistoryCoverage, files: [File], unrecorded: [String], indexFault: String?) {
        format = 1
        self.at = at
        rows = coverage.count
        head = "\(coverage.head.id):\(coverage.head.hash.hexadecimal)"
        self.files = files
        self.unrecorded = unrecorded
        self.indexFault = indexFault
    }
}

/// The reasons why no backup was made; the originals are untouched, and nothing is left in its place.
extension PlainError {
    fileprivate static func taken(_ folder: URL) -> PlainError {
        PlainError(
            "\(path(folder)) already exists and is not an empty folder. Nothing was copied. Use a new folder for each "
                + "backup."
        )
    }

    fileprivate static func own(_ folder: URL, _ use: String) -> PlainError {
        PlainError("\(path(folder)) is \(use), which Flagboard uses. Nothing was copied. Choose another folder.")
    }

    fileprivate static func changing(_ file: URL) -> PlainError {
        PlainError(
            "\(path(file)) kept changing while it was copied, so no backup was made. Try again later."
        )
    }

    fileprivate static func interrupted(_ file: String) -> PlainError {
        PlainError(
            "A change to \(file) was interrupted, so no backup was made. Run flagboard serve on the file to complete "
                + "or undo the change, then try again.")
    }

    fileprivate static func unsound(_ reason: String) -> PlainError {
        PlainError(
            "The history can't be verified, so no backup was made: \(reason). Keep your existing backups, "
                + "and run flagboard history verify for details.")
    }

    fileprivate static func altered(_ file: String) -> PlainError {
        PlainError(
            "The copy of \(file) doesn't match the original, so no backup was made. Check the disk, or choose a folder "
                + "on another disk.")
    }

    private static func path(_ url: URL) -> String { url.path(percentEncoded: false) }
}
