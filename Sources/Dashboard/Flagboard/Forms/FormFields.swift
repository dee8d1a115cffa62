import Foundation

/// The fields of a query string or of an `application/x-www-form-urlencoded` body.
struct FormFields: Hashable, Sendable {
    /// How many bytes a form may have at most, unless it says otherwise.
    static let maximumBytes = 1024 * 1024

    /// How many fields there may be; no form of the dashboard has as many.
    private static let maximum = 100

    /// Each field's value by its name.
    let values: [String: String]

    /// Decodes fields.
    ///
    /// - Throws: ``FormFieldsError`` where it is not so encoded, a field is there twice, or there are too many.
    init(_ encoded: some StringProtocol) throws(FormFieldsError) {
        try self.init(bytes: encoded.utf8)
    }

    /// Decodes fields byte by byte, since a mark after a separator would make another character of it.
    ///
    /// - Throws: ``FormFieldsError`` where they are not so encoded, one is there twice, or there are too many.
    init(bytes: some Collection<UInt8>) throws(FormFieldsError) {
        try self.init(Self.pairs(bytes, upTo: Self.maximum))
    }

    /// The fields of these values.
    init(_ values: [String: String]) {
        self.values = values
    }

    private init(_ pairs: [(name: String, value: String)]) throws(FormFieldsError) {
        var values: [String: String] = [:]
        for (name, value) in pairs {
            guard values.updateValue(value, forKey: name) == nil else { throw .repeated(name) }
        }
        guard values.count <= Self.maximum else { throw .tooMany(Self.maximum) }
        self.values = values
    }

    /// Decodes fields of which one may be there many times, as a row of checkboxes sends them.
    static func separating(
        _ name: String, in bytes: some Collection<UInt8>, upTo maximum: Int
    ) throws(FormFieldsError) -> (values: [String], others: FormFields) {
        let pairs = try pairs(bytes, upTo: maximum + Self.maximum)
        let others = try FormFields(pairs.filter { $0.name != name })
        let values = pairs.filter { $0.name == name }.map(\.value)
        guard values.count <= maximum else { throw .tooMany(maximum) }
        return (values, others)
    }

    /// Decodes fields one by one, whichever are there more than once.
    static func pairs(
        _ bytes: some Collection<UInt8>, upTo maximum: Int
    ) throws(FormFieldsError) -> [(name: String, value: String)] {
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

    /// A field's value, or `nil` where there is none.
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

/// Why the fields of a request can't be read.
enum FormFieldsError: Error, Hashable, CustomStringConvertible {
    case malformed
    case repeated(String)
    case tooMany(Int)

    var description: String {
        switch self {
        case .malformed: "The form's fields are not URL-encoded UTF-8."
        case .repeated(let name): "The field \(name) is there twice; each may be sent once."
        case .tooMany(let maximum): "There are more than \(maximum) fields; no form here has as many."
        }
    }
}

/// The line ends of a text that went through a form: a browser turns every one into CR LF and shows none of them.
enum LineEnds {
    /// The text with every line end as LF.
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

    /// What a person typed, with the line ends of the text that the form started from.
    ///
    /// - Returns: `original` itself where they differ in nothing else; otherwise CR LF or CR where all of `original` has
    ///   that.
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
