import FeatureFlags
import FlagHistory
import Foundation

/// A text format for downloads of the history, with one line for each row.
package protocol HistoryFormat: Sendable {
    /// The text before the first row.
    var header: String { get }

    /// Returns a row with its line end.
    func line(of record: HistoryRecord) throws -> String
}

extension HistoryRecord {
    /// The time of the change in microseconds, the history's precision: `2026-11-21T14:05:09.000123Z`.
    var exactTime: String {
        let microseconds = (event.at.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        let seconds = (microseconds / 1_000_000).rounded(.down)
        let fraction = String(Int64(microseconds - seconds * 1_000_000))
        let whole = Date(timeIntervalSinceReferenceDate: seconds)
            .formatted(Date.ISO8601FormatStyle(timeZone: .gmt)).dropLast()
        return "\(whole).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)Z"
    }
}

/// Comma-separated values (RFC 4180) that no spreadsheet takes for formulas.
///
/// Values are readable text with their kind in another column; an empty kind means no value. The last column marks rows
/// that another program altered.
package struct HistoryCSV: HistoryFormat {
    private static let columns: [(name: String, text: @Sendable (HistoryRecord) -> String?)] = [
        ("id", { "\($0.id)" }),
        ("at", \.exactTime),
        ("actor", \.event.actor),
        ("role", \.event.role),
        ("origin", \.event.origin.rawValue),
        ("kind", \.event.kind.rawValue),
        ("provider", \.event.provider),
        ("key", \.event.key.text),
        ("type", { $0.event.type?.rawValue }),
        ("before", { $0.event.before.map(text($0.event.type)) }),
        ("before_kind", { $0.event.before?.kind }),
        ("after", { $0.event.after.map(text($0.event.type)) }),
        ("after_kind", { $0.event.after?.kind }),
        ("reason", \.event.reason),
        ("batch", \.event.batch.uuidString),
        ("request_id", \.event.requestID),
        ("idempotency_key", \.event.idempotencyKey),
        ("file_hash_before", { $0.event.fileHashBefore?.hexadecimal }),
        ("file_hash_after", { $0.event.fileHashAfter?.hexadecimal }),
        ("previous_hash", \.previousHash.hexadecimal),
        ("hash", \.hash.hexadecimal),
        ("altered", { $0.isAltered ? "true" : nil }),
    ]

    private let hasByteOrderMark: Bool

    /// Creates the format.
    package init(hasByteOrderMark: Bool = false) { self.hasByteOrderMark = hasByteOrderMark }

    /// The names of the columns.
    package var header: String {
        (hasByteOrderMark ? "\u{FEFF}" : "") + Self.columns.map(\.name).joined(separator: ",") + "\r\n"
    }

    /// Returns a row with its line end.
    package func line(of record: HistoryRecord) -> String {
        Self.columns.map { Self.field($0.text(record) ?? "") }.joined(separator: ",") + "\r\n"
    }

    /// The first characters of formulas, in ASCII and in full width.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// The characters that separate fields or rows in some program, such as semicolons in locales with decimal commas.
    private static let separators: Set<Unicode.Scalar> = [";", "\t", "\n", "\r"]

    /// Returns a field that no spreadsheet evaluates, with an apostrophe before each possible formula.
    ///
    /// A formula may start at the beginning or after any character that some program splits fields at, since that
    /// program treats the field's quotes as text. The code works on scalars: a combining mark after a quotation mark makes
    /// another `Character`, but the byte of the quotation mark stays.
    static func field(_ text: String) -> String {
        var field = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        if isFormula(rest) { field.append("'") }
        while let separator = rest.firstIndex(where: separators.contains) {
            let next = rest.index(after: separator)
            append(rest[..<next], to: &field)
            rest = rest[next...]
            let part = rest.prefix { !separators.contains($0) }
            if isFormula(part) { field.append("'") }
        }
        append(rest, to: &field)
        let needsQuotes = field.contains { $0 == "," || $0 == "\"" || separators.contains($0) }
        return needsQuotes ? "\"\(String(field))\"" : String(field)
    }

    private static func append(_ scalars: Substring.UnicodeScalarView, to field: inout String.UnicodeScalarView) {
        for scalar in scalars {
            field.append(scalar)
            if scalar == "\"" { field.append(scalar) }
        }
    }

    private static func isFormula(_ scalars: Substring.UnicodeScalarView) -> Bool {
        // Some programs skip blanks and invisible characters.
        let visible = scalars.first { formulaStarts.contains($0) || !isUnseen($0) }
        return visible.map(formulaStarts.contains) == true && !isNumber(scalars)
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func isNumber(_ scalars: Substring.UnicodeScalarView) -> Bool {
        let allowed = Set("0123456789.-+eE".unicodeScalars)
        return scalars.allSatisfy { allowed.contains($0) } && Double(String(scalars)) != nil
    }

    private static func text(_ type: FlagType?) -> (FlagValue) -> String {
        { value in
            let json = FlagJSON.json(value, of: type)
            return type == .json && json != JSONValue(value) ? JSONText.line(json) : text(of: value)
        }
    }

    private static func text(of value: FlagValue) -> String {
        switch value {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): FlagNumber.text(value)
        case .string(let value): value
        case .date(let value): FlagDate.text(value)
        case .data(let value): value.base64EncodedString()
        case .array, .dictionary: JSONText.line(value)
        case .broken(let value): value.text
        }
    }
}

/// JSON Lines: an object for each row with every hashed field of the history.
///
/// `before` and `after` are the encoded values exactly as hashed. A row that another program altered has
/// `"altered":true`.
package struct HistoryJSONLines: HistoryFormat {
    /// Creates the format.
    package init() {}

    /// Empty.
    package var header: String { "" }

    /// Returns a row with its line end.
    package func line(of record: HistoryRecord) throws -> String {
        let event = record.event
        let texts: [(String, String?)] = [
            ("batch", event.batch.uuidString), ("at", record.exactTime), ("actor", event.actor), ("role", event.role),
            ("origin", event.origin.rawValue), ("kind", event.kind.rawValue), ("provider", event.provider),
            ("key", event.key.text), ("type", event.type?.rawValue),
        ]
        let values: [(String, String?)] = [
            ("before", try event.before?.encodedText()), ("after", try event.after?.encodedText()),
        ]
        let rest: [(String, String?)] = [
            ("reason", event.reason), ("request_id", event.requestID), ("idempotency_key", event.idempotencyKey),
            ("file_hash_before", event.fileHashBefore?.hexadecimal),
            ("file_hash_after", event.fileHashAfter?.hexadecimal),
            ("previous_hash", record.previousHash.hexadecimal), ("hash", record.hash.hexadecimal),
        ]
        let fields =
            ["\"id\":\(record.id)"] + (try texts.map(Self.field)) + values.map { "\"\($0)\":\($1 ?? "null")" }
            + (try rest.map(Self.field)) + (record.isAltered ? ["\"altered\":true"] : [])
        return "{\(fields.joined(separator: ","))}\n"
    }

    private static func field(_ name: String, _ text: String?) throws -> String {
        guard let text else { return "\"\(name)\":null" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return "\"\(name)\":\(String(decoding: try encoder.encode(text), as: UTF8.self))"
    }
}
