import Foundation

/// Text within a command line that is copied into a terminal: it stays text there, whatever it holds.
package enum ShellText {
    /// A text as one word, for any shell that follows POSIX.
    ///
    /// - Returns: The word; `nil` where the text holds what a terminal would act on when it is pasted, or what can't be seen.
    package static func word(_ text: String) -> String? {
        guard ShownPart.parts(of: text, breaksLines: false).allSatisfy({ $0.sign == nil }) else { return nil }
        return !text.isEmpty && text.utf8.allSatisfy(standsForItself)
            ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }

    /// JSON in which what can't be seen is written with escapes.
    static func visible(json: String) -> String {
        ShownPart.parts(of: json, breaksLines: false)
            .map { $0.sign == nil ? $0.text : escapes($0.text) }.joined()
    }

    private static func escapes(_ text: String) -> String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static func standsForItself(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "%"),
            UInt8(ascii: ","):
            true
        default: false
        }
    }
}
