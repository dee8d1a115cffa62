import FeatureFlags
import Foundation
import Testing

@testable import Flagboard

@Suite("Values as they are shown")
struct ShownValueTests {
    @Test(
        "What can't be seen has a sign",
        arguments: [
            ("a\n\n\nb", "\"a↵↵↵b\""), ("a\tb", "\"a⇥b\""), ("a\r\nb", "\"a␍↵b\""), ("a\u{202E}b", "\"a⟨U+202E⟩b\""),
            ("a\u{200B}", "\"a⟨U+200B⟩\""), ("\"\u{FE0F}", "“\"⟨U+FE0F⟩”"), ("5\u{A0}€", "\"5⍽€\""),
            ("👨‍👩‍👧 ❤️", "\"👨‍👩‍👧 ❤️\""), ("say \"hi\"", "“say \"hi\"”"), ("e\u{301}", "\"e\u{301}\""),
        ])
    func signs(text: String, shown: String) {
        #expect(ShownValue(.string(text)).plain == shown)
    }

    @Test("The text stays what it is beside the signs, in a row and in full")
    func copying() {
        let text = "a\tb\u{202E}c\nd"
        #expect(ShownValue(.string(text)).parts.map(\.text).joined() == "\"\(text)\"")
        #expect(ShownValue(whole: .string(text)).parts.map(\.text).joined() == "\"\(text)\"")
    }

    @Test(
        "A date is shown to its last digit, on the day that it has in the file",
        arguments: [
            ("2026-12-24T18:00:00Z", "2026-12-24 18:00:00 UTC"),
            ("2026-12-24T18:00:00.123Z", "2026-12-24 18:00:00.123 UTC"),
            ("0001-01-01T00:00:00Z", "0001-01-01 00:00:00 UTC"), ("1582-10-14T23:59:59Z", "1582-10-14 23:59:59 UTC"),
            ("9999-12-31T23:59:59Z", "9999-12-31 23:59:59 UTC"),
        ])
    func dates(text: String, shown: String) throws {
        let date = try #require(FlagDate.parse(text))
        #expect(ShownValue(.date(date)).plain == shown)
        #expect(TimeText(date).machine == text.replacing(".123", with: ""))
    }

    @Test("Two pieces of data of one size can be told apart")
    func data() {
        let (first, second) = (Data(repeating: 1, count: 40), Data(repeating: 1, count: 39) + [2])
        #expect(ShownValue(.data(first)).plain != ShownValue(.data(second)).plain)
        #expect(ShownValue(.data(Data([0, 255]))).plain == "2 bytes: 00 ff")
        #expect(ShownValue(.data(Data())).plain == "0 bytes")
    }

    @Test("Long values that differ late show where they differ, and how long they are")
    func difference() {
        let start = String(repeating: "y", count: 3000)
        let pair = ShownValue.pair(.string(start + "A"), .string(start + "B and more"))
        #expect(pair.before.plain.hasPrefix("\"…yyy") && pair.before.plain.hasSuffix("yA\""))
        #expect(pair.after.plain.hasSuffix("yB and more\""))
        #expect(pair.before.size == "3,001 characters" && pair.after.size == "3,010 characters")
    }

    @Test("A value is not cut to save a few characters", arguments: [(125, false), (140, true)])
    func cutting(length: Int, isCut: Bool) {
        let shown = ShownValue(.string(String(repeating: "x", count: length)))
        #expect((shown.size != nil) == isCut)
        #expect(shown.plain.contains("…") == isCut)
    }

    @Test("A character of a thousand marks does not get around the limit")
    func marks() {
        let shown = ShownValue(.string(String(repeating: "a" + String(repeating: "\u{301}", count: 1000), count: 100)))
        #expect(shown.plain.unicodeScalars.count < 700)
        #expect(shown.size == "100 characters")
    }

    @Test(
        "Arrays and dictionaries without elements are written without space",
        arguments: [
            (FlagValue.array([]), "[]"), (.dictionary([:]), "{}"),
            (.dictionary(["[\n]": .array([])]), "{ \"[\\n]\": [] }"),
        ])
    func empty(value: FlagValue, shown: String) {
        #expect(ShownValue(value).plain == shown)
    }

    @Test(
        "A choice has quotes where it could be taken for another kind of value",
        arguments: [
            (FlagValue.string("light"), "light"), (.string("true"), "\"true\""), (.string("5"), "\"5\""),
            (.string(""), "\"\""), (.string(" a"), "\" a\""), (.integer(5), "5"),
        ])
    func choices(choice: FlagValue, label: String) {
        #expect(ShownValue.label(of: choice) == label)
    }

    @Test(
        "How long ago a time was is told in words",
        arguments: [
            (3, "just now"), (59, "59 seconds ago"), (60, "1 minute ago"), (7300, "2 hours ago"), (90_000, "1 day ago"),
        ])
    func ago(seconds: Double, words: String) {
        #expect(TimeText.ago(Samples.now.addingTimeInterval(-seconds), now: Samples.now) == words)
    }
}
