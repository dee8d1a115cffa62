import Crypto
import Foundation

/// Encodes fields as ``HistoryRecord/hash(id:event:previousHash:)`` documents, and hashes them.
///
/// One hasher serves many rows and reuses its buffer.
struct ChainHasher {
    private var bytes: [UInt8] = []

    init() {
        begin()
    }

    mutating func begin() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(1)
    }

    mutating func add(_ field: Data?) {
        guard let field else { return bytes.append(0) }
        field.withUnsafeBytes { add($0) }
    }

    mutating func add(_ text: String?) {
        guard var text else { return bytes.append(0) }
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
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

    /// Returns the hash, 32 bytes.
    func finish() -> Data {
        SHA256.hash(data: bytes).withUnsafeBytes { Data($0) }
    }
}

/// The last row of a chain at some time.
///
/// Kept elsewhere (in a ticket, in git, on paper), it later proves that no row up to it was removed or rewritten: see
/// ``HistoryStore/verifyChain(expecting:)``.
package struct ChainHead: Hashable, Sendable {
    /// The row's id, which is also the number of rows ever written; 0 if there is none.
    package var id: Int64
    /// The row's hash, 32 bytes; zeros if there is none.
    package var hash: Data

    /// The head of a history without rows.
    package static let empty = ChainHead(id: 0, hash: Data(repeating: 0, count: 32))

    /// Makes a head.
    package init(id: Int64, hash: Data) {
        self.id = id
        self.hash = hash
    }

    /// The id of the row behind it; wraps, since an altered file may hold the largest one, and is then refused.
    var next: Int64 { id &+ 1 }
}
