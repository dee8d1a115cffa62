import Foundation

/// The bytes that a signature is made over: fields, each in the form that ``HistoryRecord/hash(id:event:previousHash:)``
/// documents, after one that names what is signed.
///
/// Since the first field differs, the signature of one sort of statement is never that of another.
struct SignedBytes {
    private(set) var data = Data()

    /// Begins a statement.
    init(_ statement: String) {
        add(statement)
    }

    mutating func add(_ bytes: Data?) {
        guard let bytes else {
            data.append(0)
            return
        }
        data.append(1)
        data.append(contentsOf: Self.bigEndian(Int64(bytes.count)))
        data.append(bytes)
    }

    mutating func add(_ text: String) {
        add(Data(text.utf8))
    }

    mutating func add(_ number: Int64) {
        add(Data(Self.bigEndian(number)))
    }

    private static func bigEndian(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}
