import Dispatch
import Foundation
import GRDB
import Synchronization

extension HistoryStore {
    /// Checks every row, the checkpoints, the signing key and the anchors.
    ///
    /// The signing key's owner can forge all of it, and older copies of all files, restored together, look sound: a
    /// head kept elsewhere, passed as `expected`, reveals both.
    package func verify(
        expecting expected: ChainHead? = nil, archives: [URL] = []
    ) throws(HistoryStoreError) -> HistoryVerdict {
        // Read first, since checkpoints lag behind the rows; read last, they could seem to be ahead.
        let checkpoints = HistoryProof(SigningFiles(of: url))
        let facts = try read { db in
            HistoryProof.Facts(
                key: try Self.signingKey(db), anchors: try Self.anchors(db), heads: try Self.headsDigest(db),
                headsFault: try Self.headsFault(db), hasGuards: try Self.hasGuards(db))
        }
        let proof = checkpoints.judged(by: facts)
        let read = archives.map { ArchiveCheck($0, facts.anchors) }
        var expectations = proof.checkpoints.map { ChainExpectation($0) }
        if let expected, !read.contains(where: { $0.holds(expected) }) {
            expectations.append(ChainExpectation(kept: expected))
        }
        let start = facts.anchors.last.map { ChainHead(id: $0.last, hash: $0.hash) } ?? .empty
        let (verdict, indexFault) = try walkBesideOtherChecks(ChainCheck(after: start, expectations))
        guard case .sound(let count, let hash) = verdict else {
            guard case .broken(let row, let reason) = verdict else { return .unproven(reason: "\(verdict)") }
            return .broken(at: row, reason: reason)
        }
        let head = ChainHead(id: start.id &+ Int64(count), hash: hash)
        if let reason = proof.flaw(before: head) { return .unproven(reason: reason) }
        guard let newest = proof.newest, let key = facts.key else {
            return .unproven(reason: "the history has no checkpoint")
        }
        if newest.state == .closed, newest.head.id < head.id {
            return .broken(
                at: newest.head.next,
                reason: "row \(newest.head.next) was added after the history was closed, and not by Flagboard")
        }
        if let reason = read.lazy.compactMap(\.flaw).first { return .wrongArchive(reason: reason) }
        let coverage = HistoryCoverage(
            head: head, signedID: newest.head.id, signedAt: HistoryTime.date(newest.at), key: key.fingerprint,
            anchors: facts.anchors, archives: Set(read.compactMap(\.anchoredHash)).count)
        do {
            return try indexFault.get().map { .wrongIndex(coverage, reason: $0) } ?? .sound(coverage)
        } catch {
            throw HistoryStoreError(error, path: path)
        }
    }

    /// Walks the chain while other threads check SQLite's file and the indexes: each check takes long.
    ///
    /// A row written meanwhile may be seen by only one of them.
    private func walkBesideOtherChecks(
        _ check: ChainCheck
    ) throws(HistoryStoreError) -> (ChainVerdict, indexFault: Result<String?, any Error>) {
        let damage = Mutex<Result<String?, any Error>>(.success(nil))
        let indexFault = Mutex<Result<String?, any Error>>(.success(nil))
        let isChecked = DispatchGroup()
        DispatchQueue.global().async(group: isChecked) { [path, decodedValues] in
            let found = Result { try SearchIndexCheck.fault(of: path, decodedValues) }
            indexFault.withLock { $0 = found }
        }
        DispatchQueue.global().async(group: isChecked) { [pool] in
            let found = Result { try pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") } }
            damage.withLock { $0 = found }
        }
        let verdict = Result { () throws(HistoryStoreError) in try walk(check) }
        isChecked.wait()
        switch damage.withLock({ $0 }) {
        case .success("ok"): return (try verdict.get(), indexFault.withLock { $0 })
        case .success(let damage): throw HistoryStoreError(.corrupt(damage ?? "can't check it"), path: path)
        case .failure(let error): throw HistoryStoreError(error, path: path)
        }
    }
}
