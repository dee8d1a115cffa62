import Foundation
import Testing

@testable import FeatureFlagsXML

@Suite("Lines and columns")
struct SourceMapTests {
    /// Text over several of the map's blocks: all line ends, or none for long stretches, and characters of several bytes.
    private static func text(_ seed: UInt64) -> Data {
        var generator = SeededGenerator(seed: seed)
        var text = ""
        while text.utf8.count < 15_000 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: text += String(repeating: "x", count: Int.random(in: 0..<6000, using: &generator))
            case 1: text += "\r"
            case 2: text += "\n"
            case 3: text += "\r\n"
            case 4: text += String(repeating: "\r\n", count: Int.random(in: 0..<500, using: &generator))
            case 5: text += "é"
            case 6: text += "🚩"
            default: text += "y"
            }
        }
        return Data(text.utf8)
    }

    @Test(
        "A place in a text has the line and column that counting from its start gives",
        arguments: 1...3 as ClosedRange<UInt64>)
    func locations(seed: UInt64) {
        let bytes = Array(Self.text(seed))
        let map = SourceMap(Data(bytes))
        var (line, column, wrong) = (1, 1, 0)
        for offset in bytes.indices {
            let isAsked = offset % 7 == 0 || bytes[offset] == 0x0A || bytes[offset] == 0x0D
            if isAsked, bytes[offset] & 0xC0 != 0x80,
                map.location(of: offset) != FeatureFlagsXML.SourceLocation(line: line, column: column)
            {
                wrong += 1
            }
            let isEnd =
                bytes[offset] == 0x0A
                || bytes[offset] == 0x0D && (offset + 1 == bytes.count || bytes[offset + 1] != 0x0A)
            if isEnd {
                (line, column) = (line + 1, 1)
            } else if bytes[offset] & 0xC0 != 0x80 {
                column += 1
            }
        }
        #expect(wrong == 0)
        #expect(map.location(of: bytes.count) == FeatureFlagsXML.SourceLocation(line: line, column: column))
        #expect(map.location(of: bytes.count + 9) == FeatureFlagsXML.SourceLocation(line: line, column: column))
    }

    @Test("An edit keeps the places behind it, on the same long line too", arguments: 1...3 as ClosedRange<UInt64>)
    func edits(seed: UInt64) {
        let old = Self.text(seed)
        var generator = SeededGenerator(seed: seed)
        let starts = old.indices.filter { old[$0] & 0xC0 != 0x80 }
        let edits = (1...3).map { part in
            let start = starts[starts.count * part / 4]
            let text = ["é🚩", "\n", "", "yyyy"].randomElement(using: &generator) ?? ""
            return SourceEdit(range: start..<start, replacement: text)
        }
        let new = SourceEdit.apply(edits, to: old)
        let (edited, read) = (SourceMap(new, from: SourceMap(old), edits: edits), SourceMap(new))
        #expect(new.indices.filter { edited.location(of: $0) != read.location(of: $0) } == [])
    }

    @Test("An empty text has one place")
    func empty() {
        #expect(SourceMap(Data()).location(of: 0) == FeatureFlagsXML.SourceLocation(line: 1, column: 1))
    }
}
