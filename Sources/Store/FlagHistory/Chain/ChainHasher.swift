import Crypto
import Foundation

/// Puts fields together in the form that ``HistoryRecord/hash(id:event:previousHash:)`` documents, and hashes them.
///
/// One hasher serves for many rows, so that each fills the room of the one before.
struct ChainHasher {
    private var bytes: [UInt8] = []

    init() {
        begin()
    }

    /// Begins a row.
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

    /// The hash of the row, 32 bytes.
    func finish() -> Data {
        SHA256.hash(data: bytes).withUnsafeBytes { Data($0) }
    }
}
