import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

/// A value as pages show it: a Boolean as On or Off, text in quotes, collections and JSON data as JSON, other data by
/// size and first bytes.
struct ShownValue: Hashable, PagePart {
    let parts: [ShownPart]
    /// `none`, `true`, `false`, `number`, `text`, `date`, `data` or `json`.
    let style: String
    /// Set if only a part is shown.
    let size: String?

    static let absence = "no value"
    static let noDefinition = "no definition"
    /// Only the app knows the value.
    static let computed = "computed by the app"

    init(inRow resolution: FlagResolution) {
        self.init(resolution.effectiveValue, limit: 60, absence: Self.absence(of: resolution))
    }

    /// Excess that is not worth cutting.
    private static let grace = 12

    init(_ value: FlagValue?, limit: Int = 120, absence: String = absence) {
        self.init(Content(value, absence: absence), limit: limit, from: 0)
    }

    /// Shows a value as commands and JSON write it, in which a Boolean is `true` or `false`.
    init(inJSON value: FlagValue?, limit: Int = 120) {
        self.init(Content(value, absence: Self.absence).inJSON, limit: limit, from: 0)
    }

    /// Returns the words for an effective value that there is none of, or that only the app knows.
    static func absence(of resolution: FlagResolution) -> String {
        FlagState(resolution) == .computed ? computed : absence
    }

    /// In characters and in bytes of data: more would slow a browser down.
    private static let (longestWhole, longestData) = (50_000, 3072)

    /// Shows a value on several lines; only the beginning of a very long one.
    init(whole value: FlagValue?, absence: String = Self.absence) {
        let content = Content(value, absence: absence)
        style = content.style
        if case .data(let data) = value, !data.isEmpty, content.style == "data" {
            let count = data.count == 1 ? "1 byte" : "\(data.count) bytes"
            let isCut = data.count > Self.longestData
            let shown = data.prefix(Self.longestData).base64EncodedString() + (isCut ? "…" : "")
            parts = [ShownPart(text: "\(count), in base64: \(shown)", sign: nil)]
            size = isCut ? count : nil
        } else {
            let text = value.flatMap(JSONText.of) ?? content.text
            let isCut = text.utf8.count > Self.longestWhole && text.count > Self.longestWhole
            let shown = isCut ? text.prefix(Self.longestWhole) + "…" : text
            parts = ShownPart.parts(of: content.quoted(shown), breaksLines: true)
            size = isCut ? "\(text.count) characters" : nil
        }
    }

    /// Shows two values on one line each, cut so that the first difference is visible.
    static func pair(
        _ before: FlagValue?, _ after: FlagValue?, limit: Int = 120, absence: String = Self.absence,
        inJSON: Bool = false
    ) -> (before: ShownValue, after: ShownValue) {
        var (first, second) = (Content(before, absence: absence), Content(after, absence: absence))
        if inJSON { (first, second) = (first.inJSON, second.inJSON) }
        if before != after, first.text == second.text, first.style == "json", second.style == "json" {
            // Only the layouts differ.
            first = first.naming(before?.kind)
            second = second.naming(after?.kind)
        }
        // Counting characters is slow, and no text has more of them than bytes.
        let isShort = max(first.text.utf8.count, second.text.utf8.count) <= limit + grace
        let shared = isShort ? 0 : zip(first.text, second.text).prefix { $0 == $1 }.count
        let isHidden =
            !isShort && max(first.text.count, second.text.count) > limit + grace && shared > limit * 2 / 3
        let start = isHidden ? shared - limit / 4 : 0
        return (
            ShownValue(first, limit: limit, from: start), ShownValue(second, limit: limit, from: start)
        )
    }

    private init(_ content: Content, limit: Int, from start: Int) {
        style = content.style
        guard start > 0 || content.text.utf8.count > limit + Self.grace else {
            parts = ShownPart.parts(of: content.quoted(content.text), breaksLines: false)
            size = nil
            return
        }
        let count = content.text.count
        let start = min(start, max(0, count - limit / 2))
        let isCut = start > 0 || count > limit + Self.grace
        // Combining marks make characters of any length, so scalars are limited too.
        let shown = isCut ? String(content.text.dropFirst(start).prefix(limit)) : content.text
        let scalars = shown.unicodeScalars.prefix((limit + Self.grace) * 4)
        let isShort = scalars.count < shown.unicodeScalars.count
        let isEndCut = isShort || (isCut && start + limit < count)
        let text = (start > 0 ? "…" : "") + String(String.UnicodeScalarView(scalars)) + (isEndCut ? "…" : "")
        parts = ShownPart.parts(of: content.quoted(text), breaksLines: false)
        size = isCut || isShort ? content.size : nil
    }

    var plain: String { parts.map(\.plain).joined() }

    /// The value for a sentence, isolated so that its writing direction can't reverse the rest.
    var inSentence: String {
        switch style {
        case "text", "json": "\u{2068}\(plain)\u{2069}"
        case "true", "false": plain.lowercased()
        default: plain
        }
    }

    /// Returns a choice's label, without quotes unless it resembles another type.
    static func label(of choice: FlagValue) -> String {
        guard case .string(let text) = choice else { return ShownValue(choice).plain }
        let shown = ShownValue(choice)
        let isPlainWord =
            text.unicodeScalars.first?.properties.isAlphabetic == true
            && !["true", "false", "yes", "no", "on", "off", "nan", "inf", "infinity", "no value"]
                .contains(text.lowercased())
            && text == text.trimmingCharacters(in: .whitespacesAndNewlines)
        return isPlainWord && shown.size == nil
            ? ShownPart.parts(of: text, breaksLines: false).map(\.plain).joined()
            : shown.plain
    }
}

extension ShownValue {
    private struct Content {
        let text: String
        let style: String
        let size: String?

        init(_ value: FlagValue?, absence: String) {
            switch value {
            case nil: (text, style, size) = (absence, "none", nil)
            case .bool(let value): (text, style, size) = (value ? "On" : "Off", "\(value)", nil)
            case .integer(let value): (text, style, size) = ("\(value)", "number", nil)
            case .double(let value): (text, style, size) = (FlagNumber.text(value), "number", nil)
            case .string(let value): (text, style, size) = (value, "text", Self.count(value.count, "character"))
            case .date(let value): (text, style, size) = (TimeText.exact(value), "date", nil)
            case .data(let value):
                switch FlagJSON.structure(in: .data(value)) {
                case let json?: (text, style, size) = (JSONText.line(json), "json", Self.count(value.count, "byte"))
                case nil: (text, style, size) = (Self.text(of: value), "data", nil)
                }
            case .array(let values):
                (text, style, size) = (JSONText.line(.array(values)), "json", Self.count(values.count, "element"))
            case .dictionary(let values):
                (text, style, size) =
                    (
                        JSONText.line(.dictionary(values)), "json",
                        values.count == 1 ? "1 entry" : "\(values.count) entries"
                    )
            case .broken(let value):
                let name = value.kind.rawValue
                let text =
                    switch value.kind {
                    case .repeatedKey: value.text
                    case .markup: "<\(value.text)>…</\(value.text)>"
                    default: "<\(name)>\(value.text)</\(name)>"
                    }
                (self.text, style, size) = (text, "json", Self.count(text.count, "character"))
            }
        }

        private init(text: String, style: String, size: String?) {
            (self.text, self.style, self.size) = (text, style, size)
        }

        /// With `true` or `false` for a Boolean.
        var inJSON: Content {
            ["true", "false"].contains(style) ? Content(text: style, style: style, size: size) : self
        }

        func naming(_ kind: String?) -> Content {
            Content(text: kind.map { "\(text) (stored as \($0))" } ?? text, style: style, size: size)
        }

        /// Returns the text in quotes that it doesn't contain, if possible.
        func quoted(_ text: String) -> String {
            guard style == "text" else { return text }
            return text.unicodeScalars.contains("\"") ? "“\(text)”" : "\"\(text)\""
        }

        private static func count(_ number: Int, _ unit: String) -> String {
            if number == 1 { return "1 \(unit)" }
            // Only larger numbers have separators, for which a formatter is made.
            let digits = number < 1000 ? "\(number)" : number.formatted(.number.locale(Locale(identifier: "en_US")))
            return "\(digits) \(unit)s"
        }

        /// Enough to distinguish values: size, first bytes and, for longer data, a hash.
        private static func text(of data: Data) -> String {
            let size = count(data.count, "byte")
            let first = data.prefix(8).map { Data([$0]).hexadecimal }.joined(separator: " ")
            guard data.count > 8 else { return data.isEmpty ? size : "\(size): \(first)" }
            let hash = ContentHash.sha256(data).prefix(4).hexadecimal
            return "\(size): \(first) … (SHA-256 \(hash)…)"
        }
    }
}

extension FlagValue {
    /// The value as a flag of a type reads it: a date may be stored as text.
    func shown(as type: FlagType?) -> FlagValue {
        guard type == .date, case .string(let text) = self, let date = FlagDate.ofAnyYear(text) else { return self }
        return .date(date)
    }
}

extension HistoryEvent {
    /// The values before and after as the flag reads them, unless only their layouts differ.
    var shownValues: (before: FlagValue?, after: FlagValue?) {
        guard provider != nil else { return (before, after) }
        let read = (before?.shown(as: type), after?.shown(as: type))
        return read.0 == read.1 ? (before, after) : read
    }
}

extension FlagValueError {
    /// Returns the stored value and the expected ones, in words; `nil` if the error is about something else.
    func parts(of stored: FlagValue?) -> (found: String, expected: String)? {
        guard let expectation, let stored else { return nil }
        let shown = ShownValue(stored, limit: 60)
        // A number alone doesn't show whether it is an integer or a real.
        return (["text", "json"].contains(shown.style) ? shown.plain : stored.briefDescription, expectation)
    }

    /// Returns the fault of a provider's value, for a place that names the provider.
    func sentence(of stored: FlagValue?) -> String {
        parts(of: stored).map { "found \($0); expected \($1)" } ?? description
    }
}

enum JSONText {
    static func of(_ value: FlagValue) -> String? {
        switch value {
        case .array, .dictionary: FlagJSON.text(value)
        default: FlagJSON.structure(in: value).map { FlagJSON.text($0) }
        }
    }

    static func line(_ value: FlagValue) -> String { line(JSONValue(value)) }

    /// JSON strings contain no line ends, so each can go with its indentation.
    static func line(_ json: JSONValue) -> String {
        FlagJSON.text(json).split(separator: "\n")
            .map { $0.drop(while: { $0 == " " }) }.joined(separator: " ")
    }
}

package enum ValueWords {
    /// The whole value, without characters that a terminal would obey.
    ///
    /// A value that resembles another kind, such as a whole `real`, names its own.
    package static func line(_ value: FlagValue?, absence: String = "no value") -> String {
        guard let value else { return absence }
        let shown = ShownValue(inJSON: value, limit: unlimited)
        let looksLikeAnother =
            switch value {
            case .data: shown.style == "json"
            case .double: Int128(shown.plain) != nil
            default: false
            }
        return looksLikeAnother ? naming(value, shown) : shown.plain
    }

    /// Returns two values, cut so that the first difference is visible.
    package static func pair(
        _ before: FlagValue?, _ after: FlagValue?, absence: String = "no value"
    ) -> (before: String, after: String) {
        let shown = ShownValue.pair(before, after, absence: absence, inJSON: true)
        guard let before, let after, before != after, shown.before.plain == shown.after.plain else {
            return (shown.before.plain, shown.after.plain)
        }
        return (naming(before, shown.before), naming(after, shown.after))
    }

    private static func naming(_ value: FlagValue, _ shown: ShownValue) -> String {
        "\(shown.plain) (stored as \(value.kind))"
    }

    /// Signs replace characters that a terminal would obey or hide.
    package static func text(_ text: String) -> String {
        ShownPart.parts(of: text, breaksLines: false).map(\.plain).joined()
    }

    /// Large, yet far from overflow in sums.
    private static let unlimited = Int.max / 64
}
