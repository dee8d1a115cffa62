import FeatureFlags
import Synchronization

/// The values of texts that were decoded before: many rows say the same, and each look at a moment reads it again.
final class DecodedValues: Sendable {
    private struct Known {
        var values: [String: FlagValue] = [:]
        var size = 0
    }

    /// Longer texts are hardly ever the same, in bytes.
    private let longestText: Int
    /// How many bytes of texts are kept.
    private let mostText: Int
    private let known = Mutex(Known())

    private init(longestText: Int, mostText: Int) {
        self.longestText = longestText
        self.mostText = mostText
    }

    /// For the values of flags, as long as they are read at once.
    static func values() -> DecodedValues { DecodedValues(longestText: 100, mostText: 1_000_000) }

    /// For definitions, as long as the history is open: a few versions of each of thousands of flags.
    static func definitions() -> DecodedValues { DecodedValues(longestText: 1000, mostText: 4_000_000) }

    /// What a text says.
    ///
    /// - Parameter encodedText: What ``FlagValue/encodedText()`` returned.
    /// - Returns: The value.
    /// - Throws: `DecodingError` where it is not such a text.
    func value(of encodedText: String) throws -> FlagValue {
        // Other texts than those in ASCII may be equal and yet of different scalars, and so different values.
        let size = encodedText.utf8.count
        guard size <= longestText, encodedText.utf8.allSatisfy({ $0 < 0x80 }) else {
            return try FlagValue(encodedText: encodedText)
        }
        if let value = known.withLock({ $0.values[encodedText] }) { return value }
        let value = try FlagValue(encodedText: encodedText)
        known.withLock { known in
            if known.size + size > mostText { known = Known() }
            if known.values.updateValue(value, forKey: encodedText) == nil { known.size += size }
        }
        return value
    }
}
