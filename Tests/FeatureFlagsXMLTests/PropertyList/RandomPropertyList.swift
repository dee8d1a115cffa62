import FeatureFlags
import Foundation

/// A generator whose numbers follow from its seed alone (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }

    /// A value of any kind, in containers at most `depth` deep.
    mutating func value(depth: Int) -> FlagValue {
        switch Int.random(in: 0..<(depth > 0 ? 11 : 8), using: &self) {
        case 0, 1: .bool(chance(50))
        case 2: .integer(pick([0, -1, 42, Int128(Int64.min), Int128(UInt64.max)]))
        case 3: .double(pick([0.1, -2.5e30, .nan, .infinity, -.infinity, -0.0]))
        case 4: .date(Date(timeIntervalSince1970: Double(Int.random(in: -4_000_000_000...9_000_000_000, using: &self))))
        case 5: .data(Data((0..<Int.random(in: 0...40, using: &self)).map { UInt8($0) }))
        case 6, 7: .string(pick(["", "a", "<&>", "é\u{301}😀", "a\nb", " \t ", "]]>", "x\ry", "<!-- no -->"]))
        case 8: .array((0..<Int.random(in: 0...3, using: &self)).map { _ in value(depth: depth - 1) })
        default:
            .dictionary(
                Dictionary(
                    (0..<Int.random(in: 0...3, using: &self)).map { _ in (key(), value(depth: depth - 1)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }

    mutating func key() -> String {
        pick([
            "a", "b", "beta", "blue_text", "c", "Z", "_", "é", "x&y", "<k>", "a/b", "10", "9", "ui", "😀", "m", "n", "q",
        ])
    }
}

/// A document written piece by piece, with the bytes that each entry takes: what the editor has to find out for itself.
struct RandomPropertyList {
    struct Entry {
        var path: [String]
        var key: Range<Int>
        var value: Range<Int>
        var hasInnerComment: Bool
    }

    struct Group {
        var path: [String]
        var range: Range<Int>
        /// `nil` where it closes itself.
        var content: Range<Int>?
        var isSorted: Bool
    }

    private(set) var source = Data()
    private(set) var root: [String: FlagValue] = [:]
    private(set) var entries: [Entry] = []
    private(set) var groups: [Group] = []

    private var generator: SeededGenerator
    private let lineEnd: String
    private let step: String
    private let isSorted: Bool
    private let inline: String?

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        lineEnd = generator.chance(15) ? "" : generator.pick(["\n", "\n", "\r\n"])
        step = lineEnd.isEmpty ? "" : generator.pick(["\t", "\t", "  ", "    ", ""])
        isSorted = generator.chance(60)
        inline =
            lineEnd.isEmpty ? generator.pick(["", " "]) : (generator.chance(20) ? generator.pick(["", " "]) : nil)
        self.generator = generator
        write()
    }

    private mutating func write() {
        if generator.chance(15) { emit("\u{FEFF}") }
        if generator.chance(70) { emit("<?xml version='1.0' encoding=\"UTF-8\"?>" + lineEnd) }
        if generator.chance(20) { emit("<?style a='<dict/>'?><!-- <key>a</key><true/> -->" + lineEnd) }
        if generator.chance(60) {
            emit("<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" ")
            emit("\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">" + lineEnd)
        }
        emit("<plist version=\"1.0\">" + lineEnd)
        root = group(path: [], indent: "", depth: 3)
        emit(lineEnd + "</plist>" + generator.pick(["", lineEnd, lineEnd + "<!-- end -->" + lineEnd]))
    }

    private mutating func emit(_ text: String) {
        source.append(contentsOf: text.utf8)
    }

    private mutating func group(path: [String], indent: String, depth: Int) -> [String: FlagValue] {
        let start = source.count
        let count = generator.chance(15) ? 0 : Int.random(in: 1...5, using: &generator)
        if count == 0, generator.chance(60) {
            emit(generator.pick(["<dict/>", "<dict />"]))
            groups.append(Group(path: path, range: start..<source.count, content: nil, isSorted: true))
            return [:]
        }
        emit(generator.chance(10) ? "<dict note='a > b'>" : "<dict>")
        let contentStart = source.count
        var keys: [String] = []
        while keys.count < count {
            let key = generator.key()
            if !keys.contains(key) { keys.append(key) }
        }
        if isSorted { keys.sort { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) } }
        var values: [String: FlagValue] = [:]
        for key in keys { values[key] = entry(key, in: path, indent: indent + step, depth: depth) }
        if generator.chance(10) { emit(lineEnd + indent + step + "<!-- last -->") }
        if count > 0 || generator.chance(50) { emit(lineEnd + (lineEnd.isEmpty ? "" : indent)) }
        let contentEnd = source.count
        emit("</dict>")
        let ascending = zip(keys, keys.dropFirst()).allSatisfy {
            $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
        }
        groups.append(
            Group(
                path: path, range: start..<source.count, content: contentStart..<contentEnd,
                isSorted: keys.count >= 2 && ascending))
        return values
    }

    private mutating func entry(_ key: String, in path: [String], indent: String, depth: Int) -> FlagValue {
        if generator.chance(8) { emit(lineEnd) }
        if generator.chance(12) { emit(lineEnd + indent + "<!-- about <b> & é -->") }
        emit(lineEnd.isEmpty ? (inline ?? "") : lineEnd + indent)
        let keyStart = source.count
        emit("<key>\(escaped(key))</key>")
        let keyEnd = source.count
        let hasInnerComment = generator.chance(4)
        if hasInnerComment { emit(" <!-- inner -->") }
        emit(inline ?? (lineEnd + indent))
        let valueStart = source.count
        let position = entries.count
        entries.append(
            Entry(path: path + [key], key: keyStart..<keyEnd, value: 0..<0, hasInnerComment: hasInnerComment))
        let value: FlagValue
        if depth > 0, generator.chance(30) {
            value = .dictionary(group(path: path + [key], indent: indent, depth: depth - 1))
        } else {
            value = scalarOrArray(indent: indent)
        }
        entries[position].value = valueStart..<source.count
        emit(generator.pick(["", "", "", "", "", " <!-- on the line -->", "  ", " <?pi?>"]))
        return value
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    private mutating func scalarOrArray(indent: String) -> FlagValue {
        let forms: [(String, FlagValue)] = [
            ("<true/>", .bool(true)), ("<true></true>", .bool(true)), ("<false />", .bool(false)),
            ("<false><!-- f --></false>", .bool(false)), ("<string/>", .string("")), ("<string></string>", .string("")),
            ("<string>a<![CDATA[<b>&]]>c</string>", .string("a<b>&c")),
            ("<string>&#x41;&#66;&lt;&amp;é</string>", .string("AB<&é")),
            ("<string x=\"1>\">  \(lineEnd) </string>", .string("  \(lineEnd.isEmpty ? "" : "\n") ")),
            ("<integer>0x1F</integer>", .integer(31)), ("<integer> -7 </integer>", .integer(-7)),
            ("<real>1e3</real>", .double(1000)), ("<real>NaN</real>", .double(.nan)),
            ("<date>2020-02-29T12:00:00Z</date>", .date(Date(timeIntervalSince1970: 1_582_977_600))),
            ("<data>\(lineEnd)\(indent)AAEC\(lineEnd)\(indent)</data>", .data(Data([0, 1, 2]))),
            ("<array/>", .array([])),
            (
                "<array>\(lineEnd)\(indent)\(step)<dict><key>a</key><true/></dict>\(lineEnd)\(indent)</array>",
                .array([.dictionary(["a": .bool(true)])])
            ),
        ]
        let (text, value) = generator.pick(forms)
        emit(text)
        return value
    }
}
