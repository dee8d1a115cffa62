/// Looks at code before it is parsed: the parser calls itself for some of what is written one within the other.
///
/// Nothing is known of texts and comments, so that what they hold counts too.
struct SourceScan {
    /// How much of each sort may be open at once, which is far more than people write.
    private static let limit = 1_000
    /// Words after which another expression or type is to come.
    private static let prefixes: Set<String> = [
        "try", "await", "unsafe", "copy", "consume", "each", "repeat", "any", "some", "inout", "borrowing", "consuming",
        "sending", "isolated", "let", "var", "return", "throw", "yield", "then", "is",
    ]
    /// Words with which another declaration begins, and the type before it has ended.
    private static let declarations: Set<String> = ["func", "init", "subscript", "let", "var", "case", "typealias"]

    private var word: [UInt8] = []
    private var (brackets, conditions, prefixes, arrows) = (0, 0, 0, 0)
    private var isMinus = false

    /// Looks whether a text can be parsed.
    ///
    /// - Parameter text: The code.
    /// - Throws: Where it is nested too deeply for that.
    static func check(_ text: String) throws(SourceDepthError) {
        var scan = SourceScan()
        for byte in text.utf8 {
            scan.read(byte)
            if scan.isTooDeep { throw SourceDepthError(limit: limit) }
        }
    }

    private var isTooDeep: Bool { max(max(brackets, conditions), max(prefixes, arrows)) > Self.limit }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "#"), 0x80...:
            word.append(byte)
            return
        default: endWord()
        }
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): brackets = max(0, brackets - 1)
        case UInt8(ascii: ">") where isMinus: arrows += 1
        default: break
        }
        if [UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "{")].contains(byte) { arrows = 0 }
        isMinus = byte == UInt8(ascii: "-")
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        defer { word.removeAll(keepingCapacity: true) }
        isMinus = false
        // Longer ones mean nothing here.
        let text = word.count > 12 ? "" : String(decoding: word, as: UTF8.self)
        if text == "#if" { conditions += 1 }
        if text == "#endif" { conditions = max(0, conditions - 1) }
        prefixes = Self.prefixes.contains(text) ? prefixes + 1 : 0
        if Self.declarations.contains(text) { arrows = 0 }
    }
}
