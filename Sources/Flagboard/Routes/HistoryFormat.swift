import FeatureFlags
import FlagHistory
import Foundation

/// A text format that the history can be downloaded in, one line for each row.
protocol HistoryFormat: Sendable {
    /// What stands before the first row.
    var header: String { get }

    /// A row with its line end.
    func line(of record: HistoryRecord) throws -> String
}

/// A column of the downloads: its name, and a row's text in it (`nil` where the row has no such value).
private struct HistoryColumn: Sendable {
    let name: String
    let text: @Sendable (HistoryRecord) throws -> String?

    init(_ name: String, _ text: @escaping @Sendable (HistoryRecord) throws -> String?) {
        self.name = name
        self.text = text
    }

    static let all = [
        HistoryColumn("id") { "\($0.id)" },
        HistoryColumn("batch") { $0.event.batch.uuidString.lowercased() },
        HistoryColumn("at") { $0.event.at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) },
        HistoryColumn("actor") { $0.event.actor },
        HistoryColumn("role") { $0.event.role },
        HistoryColumn("origin") { $0.event.origin.rawValue },
        HistoryColumn("kind") { $0.event.kind.rawValue },
        HistoryColumn("provider") { $0.event.provider },
        HistoryColumn("key") { $0.event.key.text },
        HistoryColumn("type") { $0.event.type?.rawValue },
        HistoryColumn("before") { try $0.event.before?.encodedText() },
        HistoryColumn("after") { try $0.event.after?.encodedText() },
        HistoryColumn("reason") { $0.event.reason },
        HistoryColumn("request_id") { $0.event.requestID },
        HistoryColumn("hash") { $0.hash.map { String(format: "%02x", $0) }.joined() },
    ]
}

/// Comma-separated values (RFC 4180), with every field that a spreadsheet would take for a formula made harmless.
struct HistoryCSV: HistoryFormat {
    var header: String { HistoryColumn.all.map(\.name).joined(separator: ",") + "\r\n" }

    func line(of record: HistoryRecord) throws -> String {
        try HistoryColumn.all.map { Self.field(try $0.text(record) ?? "") }.joined(separator: ",") + "\r\n"
    }

    /// A field as text that no spreadsheet calculates: one that begins like a formula gets an apostrophe before it.
    static func field(_ text: String) -> String {
        let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r"]
        let isFormula = text.unicodeScalars.first.map(formulaStarts.contains) ?? false
        let safe = isFormula ? "'" + text : text
        guard safe.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }) else {
            return safe
        }
        return "\"" + safe.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}

/// JSON lines: an object for each row, with values in their typed form.
struct HistoryJSONLines: HistoryFormat {
    var header: String { "" }

    func line(of record: HistoryRecord) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let texts = Dictionary(uniqueKeysWithValues: try HistoryColumn.all.map { ($0.name, try $0.text(record)) })
        return String(decoding: try encoder.encode(texts), as: UTF8.self) + "\n"
    }
}
