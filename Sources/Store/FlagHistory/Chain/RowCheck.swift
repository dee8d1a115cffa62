import Foundation

/// Checks rows against their own hashes.
///
/// One check serves for many rows, so that each fills the room of the one before.
struct RowCheck {
    private var hasher = ChainHasher()

    /// Whether a row says what its hash was made of, and is filed under its own key.
    mutating func isSound(_ row: HashedColumns) -> Bool {
        hash(of: row).map { Self.holds(row.bytes(.hash), $0) } == true && Self.isFiledUnderItsKey(row)
    }

    /// The hash that follows from what a row says; `nil` where it has no id or no time.
    mutating func hash(of row: HashedColumns) -> Data? {
        guard let id = row.number(.id), let at = row.number(.at) else { return nil }
        hasher.begin()
        hasher.add(id)
        hasher.add(row.bytes(.batch))
        hasher.add(at)
        for column in HashedColumns.behindTime { hasher.add(row.bytes(column)) }
        return hasher.finish()
    }

    /// Whether a column holds just these bytes.
    static func holds(_ bytes: UnsafeRawBufferPointer?, _ hash: Data) -> Bool {
        bytes.map { bytes in hash.withUnsafeBytes { $0.elementsEqual(bytes) } } ?? false
    }

    /// Whether the path by which a row is found is that of its key.
    static func isFiledUnderItsKey(_ row: HashedColumns) -> Bool {
        guard let key = row.bytes(.key), let path = row.path else { return false }
        // Most keys are in ASCII, in which nothing has to be composed.
        if path.count == key.count + 1, path.last == UInt8(ascii: "/"), path.dropLast().elementsEqual(key),
            key.allSatisfy({ $0 < 0x80 && $0 != 0 })
        {
            return true
        }
        return path.elementsEqual(StoredEvent.path(of: String(decoding: key, as: UTF8.self)).utf8)
    }
}
