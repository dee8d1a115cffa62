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

    private init(_ texts: FoldedTexts) { self.texts = texts }

    /// The index of the same flags, but for some that were taken out and others that were put in.
    func changed(
        by splice: ListSplice, inserting entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> FlagSearchIndex {
        FlagSearchIndex(texts.changed(by: splice, inserting: entries, collections))
    }

    /// Whether another index is this one, of the same flags.
    func isSame(as other: FlagSearchIndex) -> Bool { texts === other.texts }

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
    private enum State {
        /// What the texts are to be made of.
        case entries([FlagEntry], [FlagKeyPath: FlagCollectionDefinition])
        case folded([[UInt8]])
    }

    private let state: Mutex<State>

    init(_ entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]) {
        state = Mutex(.entries(entries, collections))
    }

    private init(_ texts: [[UInt8]]) { state = Mutex(.folded(texts)) }

    subscript(place: Int) -> [UInt8] {
        state.withLock { state in
            switch state {
            case .folded(let texts): return texts[place]
            case .entries(let entries, let collections):
                let texts = entries.map { Self.text(of: $0, collections) }
                state = .folded(texts)
                return texts[place]
            }
        }
    }

    /// The texts of the same flags, but for some; those that are folded stay so.
    func changed(
        by splice: ListSplice, inserting inserted: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> FoldedTexts {
        state.withLock { state in
            switch state {
            case .folded(let texts):
                FoldedTexts(splice.applied(to: texts, inserting: inserted.map { Self.text(of: $0, collections) }))
            case .entries(let entries, _):
                FoldedTexts(splice.applied(to: entries, inserting: inserted), collections)
            }
        }
    }

    private static func text(
        of entry: FlagEntry, _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> [UInt8] {
        let definition = entry.definition
        let groups = collections.isEmpty ? [] : entry.key.ancestors.compactMap { collections[$0]?.name }
        let fields = [entry.key.text, definition.displayName, definition.metadata.description]
        return FlagSearchIndex.folded((fields + definition.metadata.tags + groups).joined(separator: "\n"))
    }
}
