import FeatureFlags
import FlagHistory
import Foundation

/// A text format for downloads of the history, with one line for each row.
package protocol HistoryFormat: Sendable {
    /// Precedes the first row.
    var header: String { get }

    /// Returns a row with its line end.
    func line(of record: HistoryRecord) throws -> String
}

/// Comma-separated values (RFC 4180) that no spreadsheet takes for formulas.
///
/// Values are readable text with their kind in another column; an empty kind means no value. The last column marks rows
/// that another program altered.
package struct HistoryCSV: HistoryFormat {
    private typealias Column = (name: String, text: @Sendable (HistoryRecord) throws -> String?)

    /// In the history's order, except for the batch.
    private static let columns = HistoryColumn.allCases.flatMap { column -> [Column] in
        switch column {
        case .batch: []
        case .before: value(column) { $0.before }
        case .after: value(column) { $0.after }
        case .reason: [stored(.reason), stored(.batch)]
        case .hash: [stored(.hash), ("altered", { $0.isAltered ? "true" : nil })]
        default: [stored(column)]
        }
    }

    private static func stored(_ column: HistoryColumn) -> Column { (column.name, { try $0.text(of: column) }) }

    private static func value(
        _ column: HistoryColumn, _ value: @escaping @Sendable (HistoryEvent) -> FlagValue?
    ) -> [Column] {
        [
            (column.name, { record in value(record.event).map(text(record.event.type)) }),
            ("\(column.name)_kind", { value($0.event)?.kind }),
        ]
    }

    private let hasByteOrderMark: Bool

    package init(hasByteOrderMark: Bool = false) { self.hasByteOrderMark = hasByteOrderMark }

    package var header: String {
        (hasByteOrderMark ? "\u{FEFF}" : "") + Self.columns.map(\.name).joined(separator: ",") + "\r\n"
    }

    package func line(of record: HistoryRecord) throws -> String {
        try Self.columns.map { Self.field(try $0.text(record) ?? "") }.joined(separator: ",") + "\r\n"
    }

    /// The first characters of formulas, in ASCII and in full width.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// The characters that separate fields or rows in some program, such as semicolons in locales with decimal commas.
    private static let separators: Set<Unicode.Scalar> = [";", "\t", "\n", "\r"]

    /// Returns a field that no spreadsheet evaluates, with an apostrophe before each possible formula.
    ///
    /// A formula may start at the beginning or after any character at which a program splits fields, ignoring quotes.
    /// The code works on scalars: a combining mark after a quotation mark makes another `Character`, but the byte of
    /// the quotation mark stays.
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
    package init() {}

    package var header: String { "" }

    package func line(of record: HistoryRecord) throws -> String {
        let columns = try HistoryColumn.allCases.map { column in
            let text = try record.text(of: column)
            return switch column {
            case .id, .before, .after: "\"\(column.name)\":\(text ?? "null")"
            default: try Self.field(column.name, text)
            }
        }
        return "{\((columns + (record.isAltered ? ["\"altered\":true"] : [])).joined(separator: ","))}\n"
    }

    private static func field(_ name: String, _ text: String?) throws -> String {
        guard let text else { return "\"\(name)\":null" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return "\"\(name)\":\(String(decoding: try encoder.encode(text), as: UTF8.self))"
    }
}
