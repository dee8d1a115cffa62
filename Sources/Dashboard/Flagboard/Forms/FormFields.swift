import Foundation

/// The fields of a query string or of an `application/x-www-form-urlencoded` body.
struct FormFields: Hashable, Sendable {
    /// In bytes.
    static let maximumBytes = 1024 * 1024

    /// More fields than any form of the dashboard has.
    private static let maximum = 100

    let values: [String: String]

    /// - Throws: ``UnreadableFormError`` for wrong encoding, a repeated field, or too many fields.
    init(_ encoded: some StringProtocol) throws(UnreadableFormError) {
        try self.init(bytes: encoded.utf8)
    }

    init?(ifReadable encoded: some StringProtocol) {
        do { try self.init(encoded) } catch { return nil }
    }

    /// Decodes fields byte by byte, since a combining mark would merge with a separator.
    init(bytes: some Collection<UInt8>) throws(UnreadableFormError) {
        try self.init(Self.pairs(bytes, upTo: Self.maximum))
    }

    init(_ values: [String: String]) {
        self.values = values
    }

    private init(_ pairs: [(name: String, value: String)]) throws(UnreadableFormError) {
        var values: [String: String] = [:]
        for (name, value) in pairs {
            guard values.updateValue(value, forKey: name) == nil else { throw .repeated(name) }
        }
        guard values.count <= Self.maximum else { throw .tooMany(Self.maximum) }
        self.values = values
    }

    static func separating(
        _ name: String, in bytes: some Collection<UInt8>, upTo maximum: Int
    ) throws(UnreadableFormError) -> (values: [String], others: FormFields) {
        let pairs = try pairs(bytes, upTo: maximum + Self.maximum)
        let others = try FormFields(pairs.filter { $0.name != name })
        let values = pairs.filter { $0.name == name }.map(\.value)
        guard values.count <= maximum else { throw .tooMany(maximum) }
        return (values, others)
    }

    /// Decodes fields in order, allowing repetitions.
    static func pairs(
        _ bytes: some Collection<UInt8>, upTo maximum: Int
    ) throws(UnreadableFormError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts[0]), let value = parts.count > 1 ? decode(parts[1]) : "" else {
                throw .malformed
            }
            pairs.append((name, value))
            guard pairs.count <= maximum else { throw .tooMany(maximum) }
        }
        return pairs
    }

    subscript(name: String) -> String? { values[name] }

    private static func decode(_ encoded: some Sequence<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var bytes = encoded.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit) else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Line ends in forms: browsers turn each one into CR LF and show none of them.
enum LineEnds {
    /// Returns the text with LF for every line end.
    static func normalized(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        var normalized = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "\r" {
                normalized.append("\n")
            } else if scalar != "\n" || previous != "\r" {
                normalized.append(scalar)
            }
            previous = scalar
        }
        return String(normalized)
    }

    /// Returns `original` itself if nothing else differs; otherwise CR LF or CR only if all of `original` has that.
    static func restored(_ typed: String, like original: String) -> String {
        guard original.utf8.contains(0x0D) else { return typed }
        let normal = normalized(original)
        if typed.utf8.elementsEqual(normal.utf8) { return original }
        for end in ["\r\n", "\r"] where replaced(normal, by: end).utf8.elementsEqual(original.utf8) {
            return replaced(typed, by: end)
        }
        return typed
    }

    private static func replaced(_ text: String, by end: String) -> String {
        var replaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" { replaced.append(contentsOf: end.unicodeScalars) } else { replaced.append(scalar) }
        }
        return String(replaced)
    }
}
