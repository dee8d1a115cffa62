import Crypto
import Foundation
import GRDB

/// Encodes and hashes fields as ``HistoryRecord/hash(id:event:previousHash:)`` documents.
///
/// Reuses its buffer for many rows.
struct ChainHasher {
    private static let columns = HistoryColumn.allCases.filter { $0 != .hash }

    private var bytes: [UInt8] = []

    /// Returns the hash of a row whose columns `add` adds.
    ///
    /// Rows from before a later column keep their hashes: it is hashed after the others, with its name, and not at all
    /// where it is null.
    mutating func hash(
        later: [HistoryColumn] = HistoryColumn.later, isNull: (HistoryColumn) -> Bool,
        add: (HistoryColumn, inout ChainHasher) -> Void
    ) -> Data {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(1)
        for column in Self.columns where !later.contains(column) { add(column, &self) }
        for column in later where !isNull(column) {
            self.add(Data(column.name.utf8))
            add(column, &self)
        }
        return SHA256.hash(data: bytes).withUnsafeBytes { Data($0) }
    }

    mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let number): add(number)
        case .string(var text): text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
        case .blob(let field): add(field)
        case .null, .double: bytes.append(0)
        }
    }

    mutating func add(_ field: Data) {
        field.withUnsafeBytes { add($0) }
    }

    mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { add($0) }
    }

    mutating func add(_ field: UnsafeRawBufferPointer?) {
        guard let field else { return bytes.append(0) }
        add(field)
    }

    private mutating func add(_ field: UnsafeRawBufferPointer) {
        bytes.append(1)
        withUnsafeBytes(of: Int64(field.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: field)
    }
}

/// The last row of a chain at some time.
///
/// Kept elsewhere (in a ticket, in git), it later proves that no row up to it was removed or rewritten: see
/// ``HistoryStore/verifyChain(expecting:)``.
package struct ChainHead: Hashable, Sendable {
    /// Also the number of rows ever written.
    package var id: Int64
    /// 32 bytes; zeros without rows.
    package var hash: Data

    package static let empty = ChainHead(id: 0, hash: Data(repeating: 0, count: 32))

    package init(id: Int64, hash: Data) {
        self.id = id
        self.hash = hash
    }

    /// Wraps, since an altered file may hold the largest id, and is then refused.
    var next: Int64 { id &+ 1 }
}
