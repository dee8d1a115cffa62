import FeatureFlags
import Foundation

/// The texts by which flags are found, folded at the first search.
///
/// Folding takes longer than searching, and many catalogues are never searched.
package struct FlagSearchIndex: Sendable {
    private let texts: FoldedTexts

    package init(_ entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]) {
        texts = FoldedTexts(entries, collections)
    }

    private init(_ texts: FoldedTexts) { self.texts = texts }

    func changed(
        by splice: ListSplice, inserting entries: [FlagEntry], _ collections: [FlagKeyPath: FlagCollectionDefinition]
    ) -> FlagSearchIndex {
        FlagSearchIndex(texts.changed(by: splice, inserting: entries, collections))
    }

    package struct Words: Sendable {
        fileprivate let words: [[UInt8]]
        /// True if every flag matches.
        package var isEmpty: Bool { words.isEmpty }

        package init(_ text: String) {
            words = text.split(whereSeparator: \.isWhitespace).map { FlagSearchIndex.folded($0) }
                .filter { !$0.isEmpty }
        }
    }

    /// Returns true for each flag whose texts or values contain every word.
    ///
    /// The values, in flag order, change often: they are searched unfolded, and only if the index has no match.
    package func matches(_ words: Words, texts: [String?]) -> [Bool] {
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

    private static let longestValue = 4000

    private static func holds(_ text: String, _ word: [UInt8]) -> Bool {
        var text = text.utf8.count > longestValue ? String(text.prefix(longestValue)) : text
        return text.withUTF8 { bytes in
            // ASCII needs no folded copy.
            if bytes.allSatisfy({ $0 < 0x80 }) { return contains(bytes, word) }
            return folded(String(decoding: bytes, as: UTF8.self)).withUnsafeBufferPointer { contains($0, word) }
        }
    }

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

    /// Removes case, accents and width, and composes.
    static func folded(_ text: some StringProtocol) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.map(lowercased)
        }
        return Array(
            text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
                .precomposedStringWithCanonicalMapping.utf8)
    }
}

/// The first and last byte of a word, searched at 32 positions at a time.
///
/// Few pairs of a text's bytes match at that distance.
struct WordEnds {
    private typealias Block = SIMD4<UInt64>

    private let first: UInt8
    private let last: UInt8
    private let distance: Int

    init?(of word: UnsafeRawBufferPointer) {
        guard let first = word.first, let last = word.last else { return nil }
        (self.first, self.last, distance) = (first, last, word.count - 1)
    }

    func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let end = bytes.count - distance
        let (ones, highest) = (Self.repeated(0x01), Self.repeated(0x80))
        let firsts = Block(repeating: Self.repeated(first))
        let lasts = Block(repeating: Self.repeated(last))
        let size = MemoryLayout<Block>.size
        var place = start
        while place + size <= end {
            // Zero bytes mark the matches.
            let differences =
                (bytes.loadUnaligned(fromByteOffset: place, as: Block.self) ^ firsts)
                | (bytes.loadUnaligned(fromByteOffset: place + distance, as: Block.self) ^ lasts)
            let (one, two, three, four) = (differences[0], differences[1], differences[2], differences[3])
            // The highest bits show whether any byte is 0.
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
