import FeatureFlags
import FlagHistory
import Foundation

/// A text format that the history can be downloaded in, one line for each row.
package protocol HistoryFormat: Sendable {
    /// What comes before the first row.
    var header: String { get }

    /// A row with its line end.
    func line(of record: HistoryRecord) throws -> String
}

extension HistoryRecord {
    /// When the change was made, to the microsecond as the history keeps it: `2026-11-21T14:05:09.000123Z`.
    var exactTime: String {
        let microseconds = (event.at.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        let seconds = (microseconds / 1_000_000).rounded(.down)
        let fraction = String(Int64(microseconds - seconds * 1_000_000))
        let whole = Date(timeIntervalSinceReferenceDate: seconds)
            .formatted(Date.ISO8601FormatStyle(timeZone: .gmt)).dropLast()
        return "\(whole).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)Z"
    }
}

/// Comma-separated values (RFC 4180), with every field that a spreadsheet would take for a formula made harmless.
///
/// Values stand as they read, with their kinds beside them: an empty kind means that there is no value. The last column says of
/// a row that another program altered it.
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

    /// Makes the format.
    package init(hasByteOrderMark: Bool = false) { self.hasByteOrderMark = hasByteOrderMark }

    /// The names of the columns.
    package var header: String {
        (hasByteOrderMark ? "\u{FEFF}" : "") + Self.columns.map(\.name).joined(separator: ",") + "\r\n"
    }

    /// A row with its line end.
    package func line(of record: HistoryRecord) -> String {
        Self.columns.map { Self.field($0.text(record) ?? "") }.joined(separator: ",") + "\r\n"
    }

    /// What makes a formula of a cell, in the width of a keyboard and in that of East Asian ones.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// What parts fields or rows in some program: where a comma divides numbers, a semicolon parts fields.
    private static let separators: Set<Unicode.Scalar> = [";", "\t", "\n", "\r"]

    /// A field as text that no spreadsheet calculates: what begins like a formula gets an apostrophe before it, at the start and
    /// behind whatever some program begins a field at, since that one takes the quotes around the field for text.
    ///
    /// Works on scalars: a mark after a quotation mark makes another character of it, but not of its byte.
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
        // Blanks and what can't be seen are passed over by some programs.
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

/// JSON lines: an object for each row with every field of the history, as it is hashed.
///
/// `before` and `after` hold the typed form of the value, byte for byte what the row's hash was made over. A row that another
/// program altered has `"altered":true`.
package struct HistoryJSONLines: HistoryFormat {
    /// Makes the format.
    package init() {}

    /// Nothing.
    package var header: String { "" }

    /// A row with its line end.
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
