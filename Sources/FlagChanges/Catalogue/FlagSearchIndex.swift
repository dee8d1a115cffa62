import FeatureFlags
import Foundation
import Synchronization

/// What flags are searched by, folded once for as long as a catalogue stands, at its first search.
///
/// With thousands of flags, folding takes longer than searching, and many a catalogue is never searched.
public struct FlagSearchIndex: Sendable {
    private let texts: FoldedTexts

    /// Takes note of flags.
    ///
    /// - Parameters:
    ///   - entries: The flags; their places here are those to ask for.
    ///   - collections: The groups, by their key paths.
    public init(_ entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]) {
        texts = FoldedTexts(entries, collections)
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

    /// Whether the flag at a place has every word, in what it is searched by or in a text that it holds.
    ///
    /// - Parameters:
    ///   - place: The flag's place in the catalogue.
    ///   - words: The words.
    ///   - value: What the flag holds, which changes more often than the rest and is looked at only where that misses.
    /// - Returns: `true` where there are no words.
    public func matches(_ place: Int, _ words: Words, value: FlagValue?) -> Bool {
        guard !words.isEmpty else { return true }
        let text = texts[place]
        let missing = words.words.filter { !Self.contains(text, $0) }
        guard !missing.isEmpty else { return true }
        guard case .string(let held)? = value else { return false }
        let heldText = Self.folded(held.utf8.count > Self.longestValue ? held.prefix(Self.longestValue) : held[...])
        return missing.allSatisfy { Self.contains(heldText, $0) }
    }

    /// How many characters of a long text are searched.
    private static let longestValue = 4000

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
    fileprivate static func folded(_ text: some StringProtocol) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        }
        return Array(
            text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
                .precomposedStringWithCanonicalMapping.utf8)
    }
}

/// Each flag's key path, name, description, tags and group names, folded, by its place.
private final class FoldedTexts: Sendable {
    private let entries: [FlagEntry]
    private let collections: [FlagKeyPath: FlagCollectionDefinition]
    private let folded = Mutex<[[UInt8]]?>(nil)

    init(_ entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]) {
        self.entries = entries
        self.collections = collections
    }

    subscript(place: Int) -> [UInt8] {
        folded.withLock { folded in
            let texts = folded ?? entries.map(text)
            folded = texts
            return texts[place]
        }
    }

    private func text(of entry: FlagEntry) -> [UInt8] {
        let definition = entry.definition
        let groups = collections.isEmpty ? [] : entry.key.ancestors.compactMap { collections[$0]?.name }
        let fields = [entry.key.text, definition.displayName, definition.metadata.description]
        return FlagSearchIndex.folded((fields + definition.metadata.tags + groups).joined(separator: "\n"))
    }
}
