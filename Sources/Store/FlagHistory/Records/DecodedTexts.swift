import FeatureFlags
import GRDB
import Synchronization

/// What texts say that were decoded before: many rows say the same, and each look at a moment reads it again.
final class DecodedTexts<Value: Sendable>: Sendable {
    private struct Known {
        var values: [String: Value] = [:]
        var size = 0
    }

    /// Longer texts are hardly ever the same, in bytes.
    private let longestText: Int
    /// How many bytes of texts are kept.
    private let mostText: Int
    private let decode: @Sendable (String) throws -> Value
    private let known = Mutex(Known())

    private init(longestText: Int, mostText: Int, _ decode: @escaping @Sendable (String) throws -> Value) {
        self.longestText = longestText
        self.mostText = mostText
        self.decode = decode
    }

    /// What a text says.
    func value(of text: String) throws -> Value {
        // Other texts than those in ASCII may be equal and yet of different scalars, and so different values.
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
    /// What a column of a row holds; `nil` for nothing.
    func value(of column: DatabaseValue, _ name: String, in row: String) throws -> FlagValue? {
        guard let text = String.fromDatabaseValue(column) else { return nil }
        do {
            return try value(of: text)
        } catch {
            throw HistoryStoreError.AbortError(.corrupt("\(row) has the \(name) \"\(text.prefix(60))\""))
        }
    }

    /// For the values of flags, as long as the history is open.
    static func values() -> DecodedTexts {
        DecodedTexts(longestText: 100, mostText: 250_000) { try FlagValue(encodedText: $0) }
    }

    /// For definitions, as long as the history is open: a few versions of each of thousands of flags.
    static func definitions() -> DecodedTexts {
        DecodedTexts(longestText: 1000, mostText: 4_000_000) { try FlagValue(encodedText: $0) }
    }
}

extension DecodedTexts<FlagKeyPath> {
    /// For the keys of flags, as long as the history is open.
    static func keys() -> DecodedTexts {
        DecodedTexts(longestText: 500, mostText: 1_000_000) { text in
            guard let key = FlagKeyPath(longText: text) else {
                throw HistoryStoreError.AbortError(.corrupt("a row has no valid key"))
            }
            return key
        }
    }
}
