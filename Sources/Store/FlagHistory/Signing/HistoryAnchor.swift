import Foundation
import GRDB

/// The point from which the chain continues after older rows were pruned.
package struct HistoryAnchor: Hashable, Sendable {
    package let first: Int64
    package let last: Int64
    /// The hash of the last pruned row.
    package let hash: Data
    /// The archive's file name.
    package let archive: String
    package let archiveHash: Data
    package let at: Date
    package let actor: String
    let signature: Data

    package var count: Int { Int(last &- first &+ 1) }

    init(
        first: Int64, last: ChainHead, archive: String, archiveHash: Data, at: Date, actor: String,
        with key: SigningKey
    ) throws {
        let unsigned = HistoryAnchor(
            first: first, last: last.id, hash: last.hash, archive: archive, archiveHash: archiveHash, at: at,
            actor: actor, signature: Data())
        self = try unsigned.signed(with: key)
    }

    private init(
        first: Int64, last: Int64, hash: Data, archive: String, archiveHash: Data, at: Date, actor: String,
        signature: Data
    ) {
        self.first = first
        self.last = last
        self.hash = hash
        self.archive = archive
        self.archiveHash = archiveHash
        self.at = at
        self.actor = actor
        self.signature = signature
    }

    func signed(with key: SigningKey) throws -> HistoryAnchor {
        HistoryAnchor(
            first: first, last: last, hash: hash, archive: archive, archiveHash: archiveHash, at: at, actor: actor,
            signature: try key.signature(of: signedBytes(key.publicKey)))
    }

    func signedBytes(_ key: SigningKey.PublicKey) -> SignedBytes {
        var bytes = SignedBytes("flagboard anchor 1")
        bytes.add(first)
        bytes.add(last)
        bytes.add(hash)
        bytes.add(archive)
        bytes.add(archiveHash)
        bytes.add(HistoryTime.microseconds(at))
        bytes.add(actor)
        bytes.add(key.fingerprint)
        return bytes
    }

    func isSigned(by key: SigningKey.PublicKey) -> Bool {
        key.isValid(signature, of: signedBytes(key))
    }
}

extension HistoryAnchor {
    static let columns = "first, last, hash, archive, archive_hash, at, actor, signature"

    init(_ row: Row) throws {
        func column<Value: DatabaseValueConvertible>(_ name: String) throws -> Value {
            try row.sound(name, of: "an anchor")
        }
        self.init(
            first: try column("first"), last: try column("last"), hash: try column("hash"),
            archive: try column("archive"), archiveHash: try column("archive_hash"),
            at: HistoryTime.date(try column("at")), actor: try column("actor"), signature: try column("signature"))
    }

    func insert(_ db: Database) throws {
        try db.execute(
            literal: """
                INSERT INTO anchor (\(sql: Self.columns)) VALUES (\(first), \(last), \(hash), \(archive),
                    \(archiveHash), \(HistoryTime.microseconds(at)), \(actor), \(signature))
                """)
    }
}
