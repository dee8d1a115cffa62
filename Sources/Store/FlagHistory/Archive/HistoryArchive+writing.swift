import Crypto
import DurableFiles
import Foundation
import GRDB

extension HistoryArchive {
    /// Writes rows into a new, private, durable file and reads it back.
    ///
    /// Accepts an existing file of the same rows, left by an interrupted pruning.
    static func write(
        upTo last: Int64, to url: URL, with key: SigningKey, from pool: DatabasePool
    ) throws -> HistoryArchive {
        let (header, lastHash) = try pool.read { db in try Self.frame(upTo: last, key, db) }
        let draft = try FileDraft(of: url)
        var writer = Writer(draft: draft)
        try writer.write(Self.encoder.encode(header))
        try writer.writeRows(from: header.first, to: last, pool)
        let content = Data(writer.hash.finalize())
        let signed = signedBytes(
            first: header.first, last: ChainHead(id: last, hash: lastHash), previousHash: header.previous_hash,
            content: content, key.publicKey)
        let trailer = Trailer(sha256: content, signature: try key.signature(of: signed).base64EncodedString())
        try writer.write(Self.encoder.encode(trailer))
        try draft.synchronize()
        let written = try check(draft.temporary, header.first, lastHash)
        return try draft.install(replacing: false) ? written : try taken(url, as: written)
    }

    private static func frame(upTo last: Int64, _ key: SigningKey, _ db: Database) throws -> (Header, Data) {
        guard let row = try Row.fetchOne(db, sql: "SELECT id, previous_hash FROM history ORDER BY id LIMIT 1"),
            let lastHash = try HistoryStore.hash(ofRow: last, db)
        else { throw HistoryStoreError(.corrupt("row \(last) is missing")) }
        let header = Header(
            first: row[0], last: last, previous_hash: row[1], public_key: key.publicKey.bytes)
        return (header, lastHash)
    }

    private static func check(_ url: URL, _ first: Int64, _ lastHash: Data) throws -> HistoryArchive {
        do throws(PlainError) {
            let archive = try HistoryArchive(contentsOf: url)
            guard archive.first == first, archive.last.hash == lastHash else {
                throw PlainError("it contains other rows")
            }
            return archive
        } catch {
            throw HistoryStoreError(
                .companion(url.path, "the archive doesn't match what was written: \(error); nothing was pruned"))
        }
    }

    private static func taken(_ url: URL, as written: HistoryArchive) throws -> HistoryArchive {
        guard let there = try? HistoryArchive(contentsOf: url), there.hashes == written.hashes, there.key == written.key
        else {
            throw HistoryStoreError(
                .refused("\(url.path) already exists with other content; choose another file with --archive"))
        }
        return there
    }
}

private struct Writer {
    private static let batch: Int64 = 1000

    let draft: FileDraft
    var hash = SHA256()

    mutating func write(_ line: Data) throws {
        try writeBytes(line + Data([UInt8(ascii: "\n")]))
    }

    mutating func writeRows(from first: Int64, to last: Int64, _ pool: DatabasePool) throws {
        let encoder = HistoryArchive.encoder
        for start in stride(from: first, through: last, by: Int64.Stride(Self.batch)) {
            let lines = try pool.read { db in
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT \(HistoryColumn.list) FROM history WHERE id BETWEEN ? AND ? ORDER BY id",
                    arguments: [start, min(start &+ Self.batch &- 1, last)])
                var lines = Data()
                while let row = try rows.next() {
                    lines.append(try encoder.encode(ArchivedRow(row)))
                    lines.append(UInt8(ascii: "\n"))
                }
                return lines
            }
            try writeBytes(lines)
        }
    }

    private mutating func writeBytes(_ bytes: Data) throws {
        try draft.write(bytes)
        hash.update(data: bytes)
    }
}
