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

/// The first and the last byte of a word, which are looked for together, at 32 places at a time: texts have many letters
/// in common with a word, and few pairs of them as far from each other.
struct WordEnds {
    private typealias Block = SIMD4<UInt64>

    private let first: UInt8
    private let last: UInt8
    /// How far the last one is from the first.
    private let distance: Int

    /// `nil` for a word of no bytes.
    init?(of word: UnsafeRawBufferPointer) {
        guard let first = word.first, let last = word.last else { return nil }
        (self.first, self.last, distance) = (first, last, word.count - 1)
    }

    /// The first place at which both of them stand.
    ///
    /// - Parameter start: From where on.
    /// - Returns: `nil` where there is none.
    func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let end = bytes.count - distance
        let (ones, highest) = (Self.repeated(0x01), Self.repeated(0x80))
        let firsts = Block(repeating: Self.repeated(first))
        let lasts = Block(repeating: Self.repeated(last))
        let size = MemoryLayout<Block>.size
        var place = start
        while place + size <= end {
            // A byte of it is 0 where both stand.
            let differences =
                (bytes.loadUnaligned(fromByteOffset: place, as: Block.self) ^ firsts)
                | (bytes.loadUnaligned(fromByteOffset: place + distance, as: Block.self) ^ lasts)
            let (one, two, three, four) = (differences[0], differences[1], differences[2], differences[3])
            // The highest bits of all bytes tell whether any of them is 0.
            let borrowed =
                ((one &- ones) & ~one) | ((two &- ones) & ~two) | ((three &- ones) & ~three) | ((four &- ones) & ~four)
            if borrowed & highest != 0, let found = firstMatch(among: place..<place + size, of: bytes) { return found }
            place += size
        }
        return place < end ? firstMatch(among: place..<end, of: bytes) : nil
    }

    private func firstMatch(among places: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Int? {
        places.first { bytes[$0] == first && bytes[$0 + distance] == last }
    }

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) * 0x0101_0101_0101_0101 }
}
