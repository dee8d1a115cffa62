import FeatureFlags
import Foundation

/// What flags are searched by, folded once for as long as a catalogue stands: with thousands of flags, folding takes
/// longer than searching.
public struct FlagSearchIndex: Sendable {
    /// Each flag's key path, name, description, tags and group names, folded, by its place.
    private let texts: [[UInt8]]

    /// Folds the texts of flags.
    ///
    /// - Parameters:
    ///   - entries: The flags; their places here are those to ask for.
    ///   - collections: The groups, by their key paths.
    public init(_ entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]) {
        texts = entries.map { entry in
            let definition = entry.definition
            let groups = collections.isEmpty ? [] : entry.key.ancestors.compactMap { collections[$0]?.name }
            let fields = [entry.key.text, definition.displayName, definition.metadata.description]
            return Self.folded((fields + definition.metadata.tags + groups).joined(separator: "\n"))
        }
    }

    /// Words to search for.
    public struct Words: Sendable {
        fileprivate let words: [[UInt8]]
        /// Whether there are none, so that every flag has them all.
        public var isEmpty: Bool { words.isEmpty }

        /// Splits a text at its spaces.
        public init(_ text: String) {
            words = text.split(whereSeparator: \.isWhitespace).map { FlagSearchIndex.folded($0) }
        }
    }

    /// Whether the flag at a place has every word.
    ///
    /// - Parameters:
    ///   - place: The flag's place in the catalogue.
    ///   - words: The words.
    /// - Returns: `true` where there are none.
    public func matches(_ place: Int, _ words: Words) -> Bool {
        words.words.allSatisfy { Self.contains(texts[place], $0) }
    }

    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        text.withUnsafeBytes { text in
            word.withUnsafeBytes { word in
                guard var start = text.baseAddress, let wanted = word.baseAddress else { return word.isEmpty }
                var places = text.count - word.count + 1
                while places > 0, let found = memchr(start, Int32(word[0]), places) {
                    if memcmp(found, wanted, word.count) == 0 { return true }
                    let passed = UnsafeRawPointer(found) - start + 1
                    start += passed
                    places -= passed
                }
                return false
            }
        }
    }

    /// Without case, accents and width, composed.
    private static func folded(_ text: some StringProtocol) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        }
        return Array(
            text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
                .precomposedStringWithCanonicalMapping.utf8)
    }
}
