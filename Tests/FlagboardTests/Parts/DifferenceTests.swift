import FeatureFlags
import Testing

@testable import Flagboard

@Suite("Differences of values")
struct DifferenceTests {
    /// The pieces as text: what is removed in `[-…-]`, what is added in `{+…+}`.
    private static func shown(_ before: String, _ after: String) -> String? {
        WordDifference(before, after)?.pieces.map { piece in
            switch piece.fate {
            case .kept: piece.text
            case .removed: "[-\(piece.text)-]"
            case .added: "{+\(piece.text)+}"
            }
        }.joined()
    }

    @Test(
        "Text differs word by word",
        arguments: [
            ("a b c", "a b c", "a b c"),
            ("One fine day", "One rainy day", "One [-fine-]{+rainy+} day"),
            ("one two three four", "one 2 3 four", "one [-two three-]{+2 3+} four"),
            ("late", "late, again", "late{+, again+}"),
            ("", "new", "{+new+}"),
            ("gone", "", "[-gone-]"),
            ("50% off!", "60% off!", "[-50-]{+60+}% off!"),
            ("e\u{301}t\u{e9}", "\u{e9}t\u{e9}", "[-e\u{301}t\u{e9}-]{+\u{e9}t\u{e9}+}"),
        ])
    func words(before: String, after: String, expected: String) {
        #expect(Self.shown(before, after) == expected)
    }

    @Test("The pieces make up both texts", arguments: [1, 2, 3] as [UInt64])
    func complete(seed: UInt64) throws {
        var state = seed
        func text() -> String {
            (0..<12).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return ["a", "b", " ", "  ", "c,", "\n", "d\u{301}"][Int(state >> 33) % 7]
            }.joined()
        }
        for _ in 0..<200 {
            let (before, after) = (text(), text())
            let pieces = try #require(WordDifference(before, after)).pieces
            #expect(pieces.filter { $0.fate != .added }.map(\.text).joined() == before)
            #expect(pieces.filter { $0.fate != .removed }.map(\.text).joined() == after)
        }
    }

    @Test("Texts that are too long to compare are not, unless only a little of them differs")
    func bounded() {
        let long = (0..<5000).map { "w\($0)" }.joined(separator: " ")
        let other = (0..<5000).map { "x\($0)" }.joined(separator: " ")
        #expect(WordDifference(long, other) == nil)
        #expect(WordDifference(long, long + " more")?.pieces.last?.text == " more")
        #expect(ShownDifference(.string(long), .string(other)) == nil)
    }

    @Test("Texts that have little in common stand side by side alone")
    func unlike() {
        #expect(ShownDifference(.string("completely other words"), .string("https://example.com/")) == nil)
        #expect(ShownDifference(.string("One fine day"), .string("One rainy day")) != nil)
    }

    @Test("Dictionaries and arrays differ entry by entry, however deep")
    func entries() throws {
        let before: FlagValue = .dictionary([
            "same": .integer(1), "gone": .bool(true),
            "deep": .dictionary(["list": .array([.integer(1), .integer(2)])]),
        ])
        let after: FlagValue = .dictionary([
            "same": .integer(1), "new": .string("x"),
            "deep": .dictionary(["list": .array([.integer(1), .integer(3), .integer(4)])]),
        ])
        let shown = try #require(ShownDifference(before, after))
        #expect(shown.entries.map(\.path) == ["deep › list › [1]", "deep › list › [2]", "gone", "new"])
        #expect(shown.entries.map(\.sort) == ["changed", "added", "removed", "added"])
        #expect(shown.entries[0].entryBefore?.plain == "2" && shown.entries[0].entryAfter?.plain == "3")
        #expect(shown.entries[3].entryBefore == nil)
    }

    @Test("Values of other kinds, and a value that came or went, have no difference beside both")
    func others() {
        #expect(ShownDifference(.bool(true), .bool(false)) == nil)
        #expect(ShownDifference(nil, .string("x")) == nil)
        #expect(ShownDifference(.array([]), .dictionary([:])) == nil)
        #expect(ShownDifference(.string("a"), .string("a")) == nil)
    }
}
