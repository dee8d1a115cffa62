import Crypto
import Foundation

/// Feeds fields to SHA-256 in the form that ``HistoryRecord/hash(id:event:previousHash:)`` documents.
struct ChainHasher {
    private var hash = SHA256()

    init() {
        hash.update(data: [1 as UInt8])
    }

    mutating func add(_ bytes: Data?) {
        guard let bytes else {
            hash.update(data: [0 as UInt8])
            return
        }
        hash.update(data: [1 as UInt8])
        hash.update(data: Self.bigEndian(Int64(bytes.count)))
        hash.update(data: bytes)
    }

    mutating func add(_ text: String?) {
        add(text.map { Data($0.utf8) })
    }

    mutating func add(_ number: Int64) {
        add(Data(Self.bigEndian(number)))
    }

    func finish() -> Data {
        Data(hash.finalize())
    }

    private static func bigEndian(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}
