import DurableFiles
import Foundation
import GRDB
import Synchronization

/// Signs the head of the chain after each commit.
///
/// Never fails a commit: the rows are durable even unsigned, and the operator and the next check learn of it. If the
/// history contradicts what was signed, it signs no more, so that the evidence stays.
final class CheckpointWriter: Sendable {
    struct Due: Sendable {
        var order: Int
        var head: ChainHead
        var heads: Data
        /// Rows for permanent checkpoints, oldest first.
        var kept: [ChainHead]
    }

    private struct Signer {
        let key: SigningKey
        let file: CheckpointFile
        var line: Data
        var head: ChainHead
        var heads: Data
        var keptCount: Int
        var lastKept: Int64
        /// The number of the last signed commit, and of all commits.
        var order = 0
        var commits = 0
        var failure: String?
    }

    private enum Storage {
        case signing(Signer)
        case stopped(String?)
    }

    private let storage: Mutex<Storage>
    private let report: @Sendable (String) -> Void

    /// Continues from the newest checkpoint and makes it durable.
    init(_ companions: SigningFiles, _ pool: DatabasePool, report: @escaping @Sendable (String) -> Void) {
        self.report = report
        do {
            let signer = try Self.start(companions, pool)
            storage = Mutex(.signing(signer))
        } catch {
            let reason = Self.text(error)
            storage = Mutex(.stopped(reason))
            report(Self.told(reason))
        }
    }

    deinit {
        close()
    }

    /// `nil` if all is well.
    var problem: String? {
        storage.withLock { storage in
            switch storage {
            case .signing(let signer): signer.failure
            case .stopped(let reason): reason
            }
        }
    }

    private static func start(_ companions: SigningFiles, _ pool: DatabasePool) throws -> Signer {
        let path = companions.checkpoints.path
        guard let known = try pool.read(HistoryStore.signingKey) else {
            throw PlainError("the history has no signing key")
        }
        guard let key = try SigningKey.read(companions.key) else {
            throw PlainError("the signing key \(companions.key.path) is missing")
        }
        guard key.publicKey == known else {
            throw PlainError("\(companions.key.path) is not the key that signed this history")
        }
        guard let file = try CheckpointFile(companions.checkpoints) else {
            throw PlainError("the checkpoints \(path) are missing")
        }
        return try file.locked {
            let list: CheckpointList
            do throws(PlainError) {
                list = try CheckpointList(try Self.content(of: file), key: known, forgivesEnd: true)
            } catch {
                throw PlainError("\(path) was altered: \(error)")
            }
            let due = try pool.read { db in
                if let reason = try list.newest.contradiction(db) { throw PlainError(reason) }
                return try Self.due(db, after: list.newest.head, lastKept: list.kept.last?.head.id ?? 0)
            }
            try file.truncate(keeping: list.kept.count)
            var signer = Signer(
                key: key, file: file, line: try file.firstLine(), head: list.newest.head, heads: due.heads,
                keptCount: list.kept.count, lastKept: list.kept.last?.head.id ?? 0)
            try Self.write(due, &signer, .open)
            try file.synchronize()
            return signer
        }
    }

    private static func content(of file: CheckpointFile) throws(PlainError) -> Data {
        do {
            return try file.content()
        } catch {
            throw PlainError(text(error))
        }
    }

}

extension CheckpointWriter {
    /// Returns the result to sign after the commit; call it at the end of the transaction.
    func due(_ db: Database) -> Due? {
        storage.withLock { storage in
            guard case .signing(var signer) = storage else { return nil }
            signer.commits += 1
            do {
                var due = try Self.due(db, after: signer.head, lastKept: signer.lastKept)
                due.order = signer.commits
                storage = .signing(signer)
                return due
            } catch {
                stop(&storage, error)
                return nil
            }
        }
    }

    func sign(_ due: Due?) {
        guard let due else { return }
        storage.withLock { storage in
            guard case .signing(var signer) = storage, due.order > signer.order else { return }
            signer.order = due.order
            let isSame = due.head == signer.head && due.heads == signer.heads && signer.failure == nil
            guard !isSame else { return storage = .signing(signer) }
            do {
                try signer.file.locked { try Self.write(due, &signer, .open) }
                signer.failure = nil
                storage = .signing(signer)
            } catch let error as PlainError {
                stop(&storage, error)
            } catch {
                let reason = Self.text(error)
                if signer.failure != reason { report(Self.told(reason)) }
                signer.failure = reason
                storage = .signing(signer)
            }
        }
    }

    /// Makes the newest checkpoint durable and states in it that no row follows.
    ///
    /// Nothing is signed afterwards.
    func close() {
        storage.withLock { storage in
            guard case .signing(var signer) = storage else { return }
            storage = .stopped(signer.failure)
            guard signer.failure == nil else { return }
            do {
                try signer.file.locked {
                    // Another store has signed since and is not closed yet.
                    guard try signer.file.firstLine() == signer.line else { return }
                    let due = Due(order: 0, head: signer.head, heads: signer.heads, kept: [])
                    try Self.write(due, &signer, .closed)
                    try signer.file.synchronize()
                }
            } catch {
                report(Self.told(Self.text(error)))
            }
        }
    }

    private func stop(_ storage: inout Storage, _ error: any Error) {
        let reason = Self.text(error)
        storage = .stopped(reason)
        report(Self.told(reason))
    }

    private static func due(_ db: Database, after signed: ChainHead, lastKept: Int64) throws -> Due {
        guard try HistoryStore.hash(ofRow: signed.id, db) ?? signed.hash == signed.hash else {
            throw PlainError("row \(signed.id) was rewritten after it was signed")
        }
        let head = try HistoryStore.chainHead(db)
        guard head.id >= signed.id else {
            throw PlainError("row \(head.next) is missing, but rows up to \(signed.id) were signed")
        }
        var kept: [ChainHead] = []
        let interval = CheckpointFile.interval
        for id in stride(from: lastKept + interval, through: head.id, by: Int64.Stride(interval)) {
            guard let hash = try HistoryStore.hash(ofRow: id, db) else { continue }
            kept.append(ChainHead(id: id, hash: hash))
        }
        return Due(order: 0, head: head, heads: try HistoryStore.headsDigest(db), kept: kept)
    }

    /// Writes what is due; the file must be locked.
    private static func write(_ due: Due, _ signer: inout Signer, _ state: Checkpoint.State) throws {
        if try signer.file.firstLine() != signer.line { try adopt(&signer) }
        guard due.head.id >= signer.head.id else { return }
        let at = HistoryTime.microseconds(Date())
        var lines = Data()
        for head in due.kept where head.id > signer.lastKept {
            lines.append(try Checkpoint(.kept, head, at: at, heads: nil, with: signer.key).line())
        }
        if !lines.isEmpty {
            try signer.file.append(lines, after: signer.keptCount)
            signer.keptCount += lines.count / Checkpoint.width
            signer.lastKept = due.kept.last?.id ?? signer.lastKept
        }
        let line = try Checkpoint(state, due.head, at: at, heads: due.heads, with: signer.key).line()
        try signer.file.writeFirstLine(line)
        (signer.line, signer.head, signer.heads) = (line, due.head, due.heads)
    }

    /// Continues from another store's signatures.
    private static func adopt(_ signer: inout Signer) throws {
        let list: CheckpointList
        do throws(PlainError) {
            list = try CheckpointList(try content(of: signer.file), key: signer.key.publicKey)
        } catch {
            throw PlainError("\(signer.file.path) was altered: \(error)")
        }
        guard list.newest.head.id >= signer.head.id else {
            throw PlainError("\(signer.file.path) was replaced by an older version")
        }
        signer.line = try signer.file.firstLine()
        signer.head = list.newest.head
        signer.keptCount = list.kept.count
        signer.lastKept = list.kept.last?.head.id ?? 0
    }

    static func text(_ error: any Error) -> String {
        (error as? FileAccessError).map { HistoryStoreError.Problem($0).clause } ?? "\(error)"
    }

    private static func told(_ reason: String) -> String {
        "checkpoints of the history are not being signed: \(reason). Run `flagboard history verify` for details"
    }
}

extension Checkpoint {
    /// Returns a contradiction as a clause; rows up to the newest checkpoint may have been pruned.
    func contradiction(_ db: Database) throws -> String? {
        let last = try HistoryStore.chainHead(db)
        if last.id < head.id {
            return
                "rows \(last.next) to \(head.id) are missing, but were present when the newest checkpoint was signed"
        }
        if let hash = try HistoryStore.hash(ofRow: head.id, db), hash != head.hash {
            return "row \(head.id) was rewritten after it was signed"
        }
        guard state == .closed else { return nil }
        if last.id > head.id { return "row \(head.next) was added after the history was closed" }
        if try HistoryStore.headsDigest(db) != heads {
            return "the record of the files was altered after the history was closed"
        }
        return nil
    }
}
