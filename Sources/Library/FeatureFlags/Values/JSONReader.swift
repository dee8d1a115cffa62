import Foundation

/// A reader of JSON text (RFC 8259) that reports the exact place of an error.
///
/// Foundation's reader silently accepts repeated keys, trailing commas, and the nearest double for a long integer: an
/// edit must not change a value that way.
struct JSONReader {
    /// The limit of nesting in a property list.
    static let deepest = 200

    private let bytes: [UInt8]
    private let maximumDepth: Int
    /// Reads a number too small for a double as 0, as apps do.
    private var isLenient = false
    private var index = 0
    private var depth = 0

    private init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    static func value(
        _ text: some Sequence<UInt8>, maximumDepth: Int = Self.deepest
    ) throws(FlagValueError) -> JSONValue {
        try read(text, maximumDepth: maximumDepth) { reader throws(FlagValueError) in try reader.value() }
    }

    /// Reads what a file holds; typed text is read more strictly.
    static func storedValue(_ data: Data) throws(FlagValueError) -> JSONValue {
        try read(data, maximumDepth: deepest) { reader throws(FlagValueError) in
            reader.isLenient = true
            return try reader.value()
        }
    }

    static func read<Value>(
        _ text: some Sequence<UInt8>, maximumDepth: Int,
        _ readValue: (inout JSONReader) throws(FlagValueError) -> Value
    ) throws(FlagValueError) -> Value {
        var reader = JSONReader(Array(text), maximumDepth: maximumDepth)
        guard String(validating: reader.bytes, as: UTF8.self) != nil else {
            throw FlagValueError("invalid JSON: the text is not UTF-8")
        }
        reader.skipSpace()
        let value = try readValue(&reader)
        reader.skipSpace()
        if reader.index < reader.bytes.count { throw reader.problem("unexpected text after the value") }
        return value
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func value() throws(FlagValueError) -> JSONValue {
        guard let next else { throw problem(bytes.isEmpty ? "the text is empty" : "the text ends too early") }
        return switch next {
        case UInt8(ascii: "{"): .object(try object { reader throws(FlagValueError) in try reader.value() })
        case UInt8(ascii: "["): .array(try array { reader throws(FlagValueError) in try reader.value() })
        case UInt8(ascii: "\""): .scalar(.string(try string()))
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .scalar(.bool(try bool()))
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw problem("expected a value")
        }
    }

    private func checkDepth() throws(FlagValueError) {
        guard depth < maximumDepth else { throw problem("nested more than \(maximumDepth) levels deep") }
    }

    mutating func object<Value>(
        _ read: (inout JSONReader) throws(FlagValueError) -> Value
    ) throws(FlagValueError) -> [String: Value] {
        var entries: [String: Value] = [:]
        try checkDepth()
        try expect("{", "expected an object")
        depth += 1
        while !skip("}") {
            if !entries.isEmpty { try expect(",", "expected a comma or }") }
            let start = index
            let key = try key()
            let first = entries.index(forKey: key).map { entries[$0].key }
            entries[key] = try read(&self)
            if let first {
                let difference = UnicodeName.difference(of: first, from: key).map {
                    ", written with \($0), which flags treat as the same"
                }
                throw problem("duplicate key \"\(key)\"\(difference ?? "")", at: start)
            }
            skipSpace()
        }
        depth -= 1
        return entries
    }

    /// Reads an object of exactly one entry; `read` gets its key.
    mutating func onlyEntry<Value>(
        _ read: (inout JSONReader, String) throws(FlagValueError) -> Value
    ) throws(FlagValueError) -> Value {
        try checkDepth()
        try expect("{", "expected an object")
        depth += 1
        let value = try read(&self, try key())
        skipSpace()
        guard skip("}") else { throw problem("expected }, because the object has one key") }
        depth -= 1
        return value
    }

    private mutating func key() throws(FlagValueError) -> String {
        guard next == UInt8(ascii: "\"") else { throw problem("expected a quoted key") }
        let key = try string()
        skipSpace()
        try expect(":", "expected a colon")
        return key
    }

    mutating func array<Value>(
        _ read: (inout JSONReader) throws(FlagValueError) -> Value
    ) throws(FlagValueError) -> [Value] {
        var values: [Value] = []
        try checkDepth()
        try expect("[", "expected an array")
        depth += 1
        while !skip("]") {
            if !values.isEmpty { try expect(",", "expected a comma or ]") }
            values.append(try read(&self))
            skipSpace()
        }
        depth -= 1
        return values
    }

    /// Reads an integer if there is no point and no exponent, else the nearest double.
    private mutating func number() throws(FlagValueError) -> JSONValue {
        let start = index
        _ = skip("-")
        let first = next
        let whole = skipDigits()
        if whole == 0 || (whole > 1 && first == UInt8(ascii: "0")) {
            throw problem("a number must start with a digit, and can't have leading zeros", at: start)
        }
        var isInteger = true
        if skip(".") {
            isInteger = false
            if skipDigits() == 0 { throw problem("expected a digit after the decimal point") }
        }
        if skip("e") || skip("E") {
            isInteger = false
            _ = skip("+") || skip("-")
            if skipDigits() == 0 { throw problem("expected a digit in the exponent") }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger {
            guard let integer = Int128(text), FlagValue.integerRange.contains(integer) else {
                return .longInteger(text)
            }
            return .scalar(.integer(integer))
        }
        guard let double = Double(text), double.isFinite else {
            throw problem("the number \(text) is too large", at: start)
        }
        let digits = text.prefix { $0 != "e" && $0 != "E" }
        guard isLenient || double != 0 || digits.allSatisfy({ "-0.".contains($0) }) else {
            throw problem("the number \(text) is too small and would be stored as 0", at: start)
        }
        return .scalar(.double(double))
    }

    mutating func bool() throws(FlagValueError) -> Bool {
        try next == UInt8(ascii: "t") ? word("true", true) : word("false", false)
    }

    mutating func string() throws(FlagValueError) -> String {
        guard skip("\"") else { throw problem("expected quoted text") }
        var text = String.UnicodeScalarView()
        var start = index
        while true {
            guard let byte = next else { throw problem("unclosed string") }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                let stretch = String(decoding: bytes[start..<index], as: UTF8.self)
                index += 1
                // Most strings have no escapes.
                if byte == UInt8(ascii: "\""), text.isEmpty { return stretch }
                text.append(contentsOf: stretch.unicodeScalars)
                if byte == UInt8(ascii: "\"") { return String(text) }
                text.append(try escape())
                start = index
            case 0..<0x20:
                throw problem("write control characters in a string as \\n, \\t or \\u00XX")
            default:
                index += 1
            }
        }
    }

    private mutating func escape() throws(FlagValueError) -> Unicode.Scalar {
        let start = index - 1
        guard let byte = next else { throw problem("unclosed string") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let first = hexadecimal() else {
                throw problem("expected four hexadecimal digits after \\u", at: start)
            }
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard (0xD800..<0xDC00).contains(first), skip("\\"), skip("u"), let second = hexadecimal(),
                (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw problem("a surrogate pair is incomplete", at: start) }
            return scalar
        default: throw problem("unknown escape; write a backslash as \\\\", at: start)
        }
    }

    private mutating func hexadecimal() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var number: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        index += 4
        return number
    }

    private mutating func word<Value>(_ word: StaticString, _ value: Value) throws(FlagValueError) -> Value {
        for byte in "\(word)".utf8 {
            guard next == byte else { throw problem("expected \(word)") }
            index += 1
        }
        return value
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    private mutating func expect(_ character: Unicode.Scalar, _ text: String) throws(FlagValueError) {
        guard skip(character) else { throw problem(text) }
        skipSpace()
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Returns an error at a place; by default at the current one, with a hint at a lookalike of JSON's characters.
    func problem(_ text: String, at place: Int? = nil) -> FlagValueError {
        let before = bytes[..<(place ?? index)]
        let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let column = String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1
        let look = place == nil ? lookalike : nil
        return FlagValueError("invalid JSON at line \(lines.count), column \(column): \(text)\(look ?? "")")
    }

    /// A hint at a character that looks like one of JSON's or is invisible.
    private var lookalike: String? {
        guard let scalar = String(decoding: bytes[index...].prefix(4), as: UTF8.self).unicodeScalars.first else {
            return nil
        }
        let code = UnicodeName.of(scalar)
        switch scalar {
        case "'": return "; found the quote ', but JSON requires the double quote \""
        case "\u{2018}"..."\u{201F}", "\u{00AB}", "\u{00BB}":
            return "; found the quote \(scalar) (\(code)), but JSON requires the double quote \""
        case "\u{FEFF}": return "; remove the invisible byte order mark (\(code))"
        default: break
        }
        let name = scalar.properties.name.map { "\($0.lowercased()), \(code)" } ?? code
        // Wide forms, as keyboards for Chinese and Japanese write them.
        if scalar == "\u{2212}" || ("\u{FF01}"..."\u{FF5E}").contains(scalar) {
            let plain = scalar == "\u{2212}" ? "-" : Unicode.Scalar(scalar.value - 0xFEE0).map(String.init) ?? ""
            return "; replace the character \(scalar) (\(name)) with \(plain)"
        }
        switch scalar.properties.generalCategory {
        case .spaceSeparator where scalar != " ", .lineSeparator, .paragraphSeparator:
            return "; replace the space (\(name)) with a plain one"
        case .format: return "; remove the invisible character (\(name))"
        default: return nil
        }
    }
}
