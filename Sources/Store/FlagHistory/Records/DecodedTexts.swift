import FeatureFlags
import GRDB
import Synchronization

/// A cache of decoded texts, since many rows share them.
final class DecodedTexts<Value: Sendable>: Sendable {
    private struct Known {
        var values: [String: Value] = [:]
        var size = 0
    }

    /// In bytes; longer texts rarely repeat.
    private let longestText: Int
    /// In bytes.
    private let mostText: Int
    private let decode: @Sendable (String) throws -> Value
    private let known = Mutex(Known())

    private init(longestText: Int, mostText: Int, _ decode: @escaping @Sendable (String) throws -> Value) {
        self.longestText = longestText
        self.mostText = mostText
        self.decode = decode
    }

    func value(of text: String) throws -> Value {
        // Equal strings outside ASCII may have different scalars, and so be different values.
        let size = text.utf8.count
        guard size <= longestText, text.utf8.allSatisfy({ $0 < 0x80 }) else { return try decode(text) }
        if let value = known.withLock({ $0.values[text] }) { return value }
        let value = try decode(text)
        known.withLock { known in
            if known.size + size > mostText { known = Known() }
            if known.values.updateValue(value, forKey: text) == nil { known.size += size }
        }
        return value
    }
}

extension DecodedTexts<FlagValue> {
    /// Decodes a column; `nil` for `NULL`.
    func value(of column: DatabaseValue, _ name: String, in row: String) throws -> FlagValue? {
        guard let text = String.fromDatabaseValue(column) else { return nil }
        do {
            return try value(of: text)
        } catch {
            throw HistoryStoreError(.corrupt("\(row) has the \(name) \"\(text.prefix(60))\""))
        }
    }

    static func values() -> DecodedTexts {
        DecodedTexts(longestText: 100, mostText: 250_000) { try FlagValue(encodedText: $0) }
    }

    /// Makes a cache for a few versions of thousands of flags.
    static func definitions() -> DecodedTexts {
        DecodedTexts(longestText: 1000, mostText: 4_000_000) { try FlagValue(encodedText: $0) }
    }
}

extension DecodedTexts<FlagKeyPath> {
    static func keys() -> DecodedTexts {
        DecodedTexts(longestText: 500, mostText: 1_000_000) { text in
            guard let key = FlagKeyPath(longText: text) else {
                throw HistoryStoreError(.corrupt("a row has an invalid key"))
            }
            return key
        }
    }
}
