import Crypto
import Foundation
import GRDB

extension HistoryArchive {
    /// Writes rows into a new file, durable and readable by its owner alone, and reads it back.
    ///
    /// A file that holds just these rows already, since a pruning was interrupted, is taken as it is.
    ///
    /// - Parameters:
    ///   - last: The last row; the first one is the first that is there.
    ///   - url: The file, which must not hold anything else.
    ///   - key: What to sign it with.
    ///   - pool: The history.
    /// - Returns: The archive as it was read back.
    /// - Throws: Why there is no such archive.
    static func write(
        upTo last: Int64, to url: URL, with key: SigningKey, from pool: DatabasePool
    ) throws -> HistoryArchive {
        let path = url.path
        let (header, lastHash) = try pool.read { db in try Self.frame(upTo: last, key, db) }
        let temporary = PrivateFile.temporary(for: path)
        defer { unlink(temporary) }
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw PrivateFile.failure(temporary) }
        defer { close(file) }
        var writer = Writer(file: file, path: temporary)
        try writer.write(Self.encoder.encode(header))
        try writer.writeRows(from: header.first, to: last, pool)
        let content = Data(writer.hash.finalize())
        let previousHash = Data(hexadecimal: header.previous_hash) ?? Data()
        let signed = signedBytes(
            first: header.first, last: ChainHead(id: last, hash: lastHash), previousHash: previousHash,
            content: content, key.publicKey)
        let trailer = Trailer(
            sha256: content.hexadecimal, signature: try key.signature(of: signed).base64EncodedString())
        try writer.write(Self.encoder.encode(trailer))
        guard fsync(file) == 0 else { throw PrivateFile.failure(temporary) }

        let written = try check(URL(fileURLWithPath: temporary), header.first, lastHash)
        if link(temporary, path) != 0 {
            guard errno == EEXIST else { throw PrivateFile.failure(path) }
            return try taken(url, as: written)
        }
        try PrivateFile.synchronizeFolder(of: path)
        return written
    }

    private static func frame(upTo last: Int64, _ key: SigningKey, _ db: Database) throws -> (Header, Data) {
        guard let row = try Row.fetchOne(db, sql: "SELECT id, previous_hash FROM history ORDER BY id LIMIT 1"),
            let lastHash = try HistoryStore.hash(ofRow: last, db)
        else { throw HistoryStoreError.Abort(.corrupt("row \(last) is missing")) }
        let previousHash: Data = row[1]
        let header = Header(
            first: row[0], last: last, previous_hash: previousHash.hexadecimal,
            public_key: key.publicKey.bytes.hexadecimal)
        return (header, lastHash)
    }

    private static func check(_ url: URL, _ first: Int64, _ lastHash: Data) throws -> HistoryArchive {
        do throws(Flaw) {
            let archive = try HistoryArchive(contentsOf: url)
            guard archive.first == first, archive.last.hash == lastHash else { throw Flaw("it holds other rows") }
            return archive
        } catch {
            throw HistoryStoreError.Abort(
                .companion(url.path, "what was read back is not what was written: \(error); nothing was pruned"))
        }
    }

    private static func taken(_ url: URL, as written: HistoryArchive) throws -> HistoryArchive {
        guard let there = try? HistoryArchive(contentsOf: url), there.hashes == written.hashes, there.key == written.key
        else {
            throw HistoryStoreError.Abort(
                .refused("\(url.path) is there already and holds something else; name another file with --archive"))
        }
        return there
    }
}

/// Writes lines, and hashes them.
private struct Writer {
    /// How many rows are read at a time.
    private static let batch: Int64 = 1000

    let file: Int32
    let path: String
    var hash = SHA256()
    private var offset = 0

    init(file: Int32, path: String) {
        self.file = file
        self.path = path
    }

    mutating func write(_ line: Data) throws {
        try writeBytes(line + Data([UInt8(ascii: "\n")]))
    }

    mutating func writeRows(from first: Int64, to last: Int64, _ pool: DatabasePool) throws {
        let encoder = HistoryArchive.encoder
        for start in stride(from: first, through: last, by: Int64.Stride(Self.batch)) {
            let lines = try pool.read { db in
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT \(StoredEvent.columns) FROM history WHERE id BETWEEN ? AND ? ORDER BY id",
                    arguments: [start, min(start + Self.batch - 1, last)])
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
        try PrivateFile.write(bytes, to: file, at: offset, path)
        hash.update(data: bytes)
        offset += bytes.count
    }
}
