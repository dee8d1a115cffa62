/// An entry of a property list that is not a value, such as `<date>soon</date>`, `<interger>3</interger>` or a key that
/// occurs twice.
///
/// ```swift
/// let broken = BrokenFlagValue(kind: .date, text: "soon")
/// print(broken.problem)  // "soon" is no date; write one that exists, such as 2011-11-11T11:11:11Z
/// ```
public struct BrokenFlagValue: Sendable {
    /// The kind of an element, by its name.
    ///
    /// ```swift
    /// print(BrokenFlagValue.Kind.date.rawValue)  // date
    /// ```
    public enum Kind: Hashable, Sendable {
        /// `<true>`, which is empty.
        case yes
        /// `<false>`, which is empty.
        case no
        /// `<integer>`.
        case integer
        /// `<real>`.
        case real
        /// `<date>`.
        case date
        /// `<data>`.
        case data
        /// A key that its dictionary has more than once, with the type of its values if they have the same one; the text
        /// describes them.
        case repeatedKey(FlagType?)
        /// An element with other elements or attributes that no value has; the text is its name.
        case markup
        /// An element that property lists don't have, by its name.
        case unknown(String)

        package var word: String {
            switch self {
            case .yes, .no: "boolean"
            case .unknown, .markup: "element"
            case .repeatedKey: "key"
            case .integer, .real, .date, .data: rawValue
            }
        }

        package var isRepeatedKey: Bool { if case .repeatedKey = self { true } else { false } }

        var type: FlagType {
            switch self {
            case .yes, .no: .bool
            case .integer: .integer
            case .real: .double
            case .date: .date
            case .data: .data
            case .repeatedKey(let type?): type
            case .unknown, .markup, .repeatedKey(nil): .string
            }
        }
    }

    /// The longest number or date that is read, in bytes.
    package static let maximumSize = 1024

    /// The element's kind.
    public let kind: Kind
    /// The element's text.
    public let text: String

    /// Creates a broken value.
    ///
    /// - Parameters:
    ///   - kind: The element's kind.
    ///   - text: The element's text.
    public init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// A sentence with the fault and its remedy.
    public var problem: String {
        switch kind {
        case .yes, .no: "<\(kind.rawValue)> contains \(shown); write it as <\(kind.rawValue)/>"
        case .integer where isWholeNumber:
            "the integer \(shown) is out of range; use a value from \(FlagValue.integerRange.lowerBound) to "
                + "\(FlagValue.integerRange.upperBound)"
        case .integer:
            "\(shown) is not a whole number; use digits like 42 or -1, or hexadecimal like 0xff"
        case .real: "\(shown) is not a number; use a number like 1.5, -2e3, nan or infinity"
        case .date: "\(shown) is not a date; use an existing date like 2011-11-11T11:11:11Z"
        case .data: "the data is not base64; use groups of four characters like AAEC or AA=="
        case .repeatedKey:
            "the file has this key more than once (\(text)); set the flag, or keep one of the entries"
        case .markup:
            "<\(text)> is not a property list element, or has other elements in it; use string, integer, real, true, false, date, data, array "
                + "or dict, and write &lt; for <"
        case .unknown(let name):
            "<\(name)> is not a property list element; use string, integer, real, true, false, date, data, array or dict"
        }
    }

    private var shown: String {
        let trimmed = text.trimmingPrefix(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }
        let text = end.map { String(trimmed[...$0]) } ?? ""
        return text.quotedOrCounted
    }

    private var isWholeNumber: Bool {
        text.utf8.count <= Self.maximumSize && text.contains(/^\s*[+-]?(0[xX][0-9A-Fa-f]+|[0-9]+)\s*$/)
    }
}

extension BrokenFlagValue.Kind: RawRepresentable {
    private static let known: [String: Self] = Dictionary(
        uniqueKeysWithValues: ([.yes, .no, .integer, .real, .date, .data, .repeatedKey(nil), .markup]
            + FlagType.allCases.map(Self.repeatedKey)).map { ($0.rawValue, $0) })

    /// The elements whose text is always a value, or that contain others.
    private static let sound: Set = ["plist", "dict", "array", "string"]

    /// Creates a kind by the element's name; `nil` for an unusual name, and for an element that is never broken.
    ///
    /// - Parameter rawValue: A name of ASCII letters, digits, `-`, `.` and `_` that begins with a letter or `_`.
    public init?(rawValue: String) {
        if let known = Self.known[rawValue] {
            self = known
            return
        }
        guard !Self.sound.contains(rawValue), rawValue.count <= 64,
            rawValue.wholeMatch(of: /[A-Za-z_][A-Za-z0-9._\-]*/) != nil
        else { return nil }
        self = .unknown(rawValue)
    }

    /// The element's name; `key`, `key` with a type such as `key integer`, and `<>` for ``repeatedKey(_:)`` and
    /// ``markup``.
    public var rawValue: String {
        switch self {
        case .yes: "true"
        case .no: "false"
        case .integer: "integer"
        case .real: "real"
        case .date: "date"
        case .data: "data"
        // No element that is a value has these names.
        case .repeatedKey(let type): type.map { "key \($0.rawValue)" } ?? "key"
        case .markup: "<>"
        case .unknown(let name): name
        }
    }
}

extension BrokenFlagValue: Hashable {
    /// Compares kinds, and texts byte by byte.
    public static func == (left: BrokenFlagValue, right: BrokenFlagValue) -> Bool {
        left.kind == right.kind && left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the kind and the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(text)
    }
}

extension FlagValue {
    /// True for a broken value whose text describes it and isn't its content.
    package var isDescribed: Bool {
        if case .broken(let value) = self { value.kind.isRepeatedKey || value.kind == .markup } else { false }
    }

    package var isRepeatedKey: Bool { if case .broken(let value) = self { value.kind.isRepeatedKey } else { false } }

    /// The first broken part and the steps to it; `nil` if there is none.
    @usableFromInline package var brokenPart: (path: [String], value: BrokenFlagValue)? {
        switch self {
        case .broken(let value): return ([], value)
        case .array(let values):
            for (index, value) in values.enumerated() {
                if let found = value.brokenPart { return ([String(index)] + found.path, found.value) }
            }
        case .dictionary(let entries):
            let broken = entries.filter { $0.value.brokenPart != nil }
            guard let first = broken.min(by: { $0.key < $1.key }), let found = first.value.brokenPart else {
                return nil
            }
            return ([first.key] + found.path, found.value)
        case .bool, .integer, .double, .string, .date, .data: break
        }
        return nil
    }

    /// Returns the error for a stored value that is not as expected; for a broken value, its own fault.
    @usableFromInline
    func mismatch(wanted expectation: String) -> FlagValueError {
        guard let (path, broken) = brokenPart else {
            return FlagValueError(of: self, expected: expectation)
        }
        let place = path.isEmpty ? "" : "at /\(FlagKeyPath(components: path).text): "
        return FlagValueError(place + broken.problem)
    }
}

extension String {
    package var quotedOrCounted: String { count <= 60 ? "\"\(self)\"" : "text of \(count) characters" }
}
