import FeatureFlags
import Foundation

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

    /// Words to search for.
    public struct Words: Sendable {
        fileprivate let words: [[UInt8]]
        /// Whether there are none, so that every flag has them all.
        public var isEmpty: Bool { words.isEmpty }

        /// Splits a text at its spaces.
        public init(_ text: String) {
            words = text.split(whereSeparator: \.isWhitespace).map { FlagSearchIndex.folded($0) }
                .filter { !$0.isEmpty }
        }
    }

    /// Which flags have every word, each in what they are searched by or in a text that they hold.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - texts: The text that each flag holds, where it holds one, in the order of the flags: these change more often than
    ///     the rest, and are looked at only where that misses.
    /// - Returns: For each flag whether it has them; `true` where there are no words.
    public func matches(_ words: Words, texts: [String?]) -> [Bool] {
        var matches = Array(repeating: true, count: texts.count)
        let runs = self.texts.runs
        for word in words.words {
            var found = Array(repeating: false, count: texts.count)
            var start = 0
            for run in runs {
                run.forEach(having: word) { found[start + $0] = true }
                start += run.count
            }
            texts.withUnsafeBufferPointer { texts in
                for place in texts.indices where !found[place] && matches[place] {
                    if let text = texts[place], Self.holds(text, word) { continue }
                    matches[place] = false
                }
            }
        }
        return matches
    }

    /// How many characters of a long text are searched.
    private static let longestValue = 4000

    /// Whether a text that a flag holds has a word.
    private static func holds(_ text: String, _ word: [UInt8]) -> Bool {
        var text = text.utf8.count > longestValue ? String(text.prefix(longestValue)) : text
        return text.withUTF8 { bytes in
            // Of ASCII, no folded copy is made.
            if bytes.allSatisfy({ $0 < 0x80 }) { return contains(bytes, word) }
            return folded(String(decoding: bytes, as: UTF8.self)).withUnsafeBufferPointer { contains($0, word) }
        }
    }

    /// Whether a text has a word, in whichever case its ASCII letters are.
    private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ word: [UInt8]) -> Bool {
        guard text.count >= word.count else { return false }
        return word.withUnsafeBufferPointer { word in
            for start in 0...text.count - word.count {
                var same = 0
                while same < word.count, lowercased(text[start + same]) == word[same] { same += 1 }
                if same == word.count { return true }
            }
            return false
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// Without case, accents and width, composed.
    static func folded(_ text: some StringProtocol) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.map(lowercased)
        }
        return Array(
            text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
                .precomposedStringWithCanonicalMapping.utf8)
    }
}
