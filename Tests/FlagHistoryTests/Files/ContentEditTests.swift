import Foundation
import Testing

@testable import FlagHistory

@Suite("Edits of contents")
struct ContentEditTests {
    /// A file of many flags, one in three lines.
    private static func lines(_ values: some Sequence<Int>) -> Data {
        Data(values.enumerated().map { "<key>flag_\($0)</key>\n<integer>\($1)</integer>\n<true/>\n" }.joined().utf8)
    }

    @Test(
        "An edit leads from one content to the other and back, and is read back as it was stored",
        arguments: [
            ("", ""), ("", "new"), ("old", ""), ("same", "same"), ("aaaa", "aa"), ("aa", "aaaa"), ("abab", "ab"),
            ("one two three", "one 2 three"), ("\r\n", "\n"), ("no line", "other"),
        ])
    func leadsThereAndBack(before: String, after: String) throws {
        let (before, after) = (Data(before.utf8), Data(after.utf8))
        let edit = ContentEdit(from: before, to: after)
        #expect(edit.applied(to: before) == after)
        #expect(edit.undone(in: after) == before)
        #expect(ContentEdit(encoded: edit.encoded) == edit)
        #expect(edit.splices.isEmpty == (before == after))
    }

    @Test("Any contents lead to one another, also as slices of others")
    func random() throws {
        var generator = SeededGenerator(seed: 25)
        var content = Self.lines(0..<400)
        for _ in 0..<300 {
            var next = content
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Int.random(in: 0...next.count, using: &generator)
                let end = min(next.count, start + Int.random(in: 0...90, using: &generator))
                let new = generator.pick(["", "x", "\n", "<integer>7</integer>\n", "<key>a</key>\n<true/>\n"])
                next.replaceSubrange(start..<end, with: Data(new.utf8))
            }
            let slice = (Data([0]) + next).dropFirst()
            let edit = ContentEdit(from: content, to: slice)
            #expect(edit.applied(to: content) == next)
            #expect(edit.undone(in: slice) == content)
            content = next
        }
    }

    @Test("The edit of one value in a large file is small, and so is that of two values far apart")
    func size() {
        var values = Array(0..<10_000)
        let before = Self.lines(values)
        values[77] = 1_000_000
        let one = ContentEdit(from: before, to: Self.lines(values))
        #expect(one.splices.map(\.old) == [Data("77".utf8)])
        #expect(one.splices.map(\.new) == [Data("1000000".utf8)])
        values[9990] = -1
        let two = ContentEdit(from: before, to: Self.lines(values))
        #expect(two.splices.count == 2)
        #expect(two.encoded.count < 100)
    }

    @Test("Flags that come and go far apart leave out what is between them")
    func lineSize() {
        let before = Self.lines(0..<10_000)
        let text = String(decoding: before, as: UTF8.self)
        let after = text.replacingOccurrences(of: "<key>flag_20</key>\n<integer>20</integer>\n<true/>\n", with: "")
            .replacingOccurrences(of: "<key>flag_9000</key>", with: "<key>new</key>\n<false/>\n<key>flag_9000</key>")
        let edit = ContentEdit(from: before, to: Data(after.utf8))
        #expect(edit.applied(to: before) == Data(after.utf8))
        #expect(edit.encoded.count < 400)
    }

    @Test("An edit fits no other content", arguments: ["", "one 2 three", "one two thre", "two one three"])
    func fitsNoOther(content: String) {
        let edit = ContentEdit(from: Data("one two three".utf8), to: Data("one 2 three!".utf8))
        #expect(edit.applied(to: Data(content.utf8)) == nil)
    }

    @Test("Bytes that are no edit are not read as one")
    func noEdit() {
        let bytes = ContentEdit(from: Data("old".utf8), to: Data("new".utf8)).encoded
        for count in 1..<bytes.count { #expect(ContentEdit(encoded: bytes.prefix(count)) == nil) }
        for place in [0, 8, 16] {
            var large = bytes
            large.replaceSubrange(place..<(place + 8), with: Data(repeating: 0xFF, count: 8))
            #expect(ContentEdit(encoded: large) == nil)
        }
    }
}
