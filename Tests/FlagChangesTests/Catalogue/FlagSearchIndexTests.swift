import FeatureFlags
import Testing

@testable import FlagChanges

@Suite("What flags are searched by")
struct FlagSearchIndexTests {
    private static let parts = ["ab", "bc", "ca", "abc", "cab", "b", "Bö"]

    private static func entry(_ name: String) -> FlagEntry {
        let definition = FlagDefinition(key: FlagKeyPath(components: [name]), type: .bool)
        return FlagEntry(
            definition: definition, isDefined: true, resolution: definition.resolve(in: []), writable: [])
    }

    private func names(_ count: Int, _ random: inout SplitMix) -> [String] {
        (0..<count).map { _ in
            (0..<3).map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
        }
    }

    private func found(_ text: String, in index: FlagSearchIndex, of count: Int) -> [Bool] {
        index.matches(FlagSearchIndex.Words(text), texts: Array(repeating: nil, count: count))
    }

    @Test("After flags have come and gone, it finds what is found by looking at each of them")
    func carriedOn() {
        var random = SplitMix(seed: 25)
        var entries = names(700, &random).map(Self.entry)
        var index = FlagSearchIndex(entries, [:])
        for round in 0..<60 {
            for text in ["ab", "bcab", "cc", "bo", "ab ca"] {
                let words = text.split(separator: " ")
                let expected = entries.map { entry in
                    let name = entry.key.text.lowercased().replacing("ö", with: "o")
                    return words.allSatisfy { name.contains($0) }
                }
                #expect(found(text, in: index, of: entries.count) == expected, "\(text) in round \(round)")
            }
            // Now and then all of a run goes, or more flags than a run has come to one place.
            let start = Int.random(in: 0...entries.count, using: &random)
            let gone = start..<min(entries.count, start + (round % 7 == 3 ? 300 : 1))
            let new = names(round % 10 == 4 ? 400 : 2, &random).map(Self.entry)
            let place = Int.random(in: 0...entries.count, using: &random)
            let splice = ListSplice(removed: Array(gone), inserted: new.map { _ in place })
            entries = splice.applied(to: entries, inserting: new)
            index = index.changed(by: splice, inserting: new, [:])
        }
    }

    @Test("A word of any length is found wherever it is in a text, and no word across two texts")
    func anywhere() {
        var random = SplitMix(seed: 7)
        func letters(_ count: Int) -> String {
            String((0..<count).map { _ in "aab".randomElement(using: &random) ?? "a" })
        }
        let entries = (0..<600).map { _ in Self.entry(letters(Int.random(in: 1...60, using: &random))) }
        let index = FlagSearchIndex(entries, [:])
        let texts = entries.map { ($0.key.text + "\n" + $0.definition.displayName).lowercased() }
        for length in 1...40 {
            let text = letters(length)
            #expect(found(text, in: index, of: entries.count) == texts.map { $0.contains(text) }, "\(text)")
        }
    }

    @Test("Flags that come to none are found, and none is where all are gone")
    func empty() {
        let index = FlagSearchIndex([], [:])
        #expect(found("ab", in: index, of: 0) == [])
        let filled = index.changed(
            by: ListSplice(removed: [], inserted: [0]), inserting: [Self.entry("cab")], [:])
        #expect(found("ab", in: filled, of: 1) == [true])
        let emptied = filled.changed(by: ListSplice(removed: [0], inserted: []), inserting: [], [:])
        #expect(found("ab", in: emptied, of: 0) == [])
    }

    @Test(
        "A word is found in a text that a flag holds, whatever its case and accents",
        arguments: [
            ("Dark MODE", "mode", true), ("Dark MODE", "dark mode", true), ("Dark MODE", "modes", false),
            ("Café au lait", "cafe LAIT", true), ("ab", "abc", false), ("", "a", false), ("[a]", "{a}", false),
            (String(repeating: "x", count: 4000) + "end", "end", false),
            (String(repeating: "x", count: 3997) + "end", "end", true),
            (String(repeating: "ö", count: 3997) + "end", "END", true),
        ])
    func heldText(text: String, searched: String, isFound: Bool) {
        let index = FlagSearchIndex([Self.entry("key")], [:])
        #expect(index.matches(FlagSearchIndex.Words(searched), texts: [text]) == [isFound])
        #expect(index.matches(FlagSearchIndex.Words("key \(searched)"), texts: [text]) == [isFound])
    }
}
