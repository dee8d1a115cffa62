import FeatureFlags
import Foundation
import GRDB

extension HistoryQuery {
    /// What every row of the result satisfies, on whatever page it stands.
    var condition: SQL {
        var parts: [SQL] = []
        if let key { parts.append("path = \(StoredEvent.path(of: key.text))") }
        if let group { parts.append(Self.isInside(group)) }
        if let batch { parts.append("batch = \(batch.uuidString)") }
        if let actor { parts.append("actor = \(StoredEvent.storable(actor))") }
        if let origin { parts.append("origin = \(origin.rawValue)") }
        if let kind { parts.append("kind = \(kind.rawValue)") }
        if let from { parts.append("at >= \(HistoryTime.microseconds(from))") }
        if let until { parts.append("at < \(HistoryTime.microseconds(until))") }
        if let text, !text.isEmpty { parts.append(Self.contains(SearchText.folded(text))) }
        parts.append(hiddenKeys.isShown)
        return parts.joined(separator: " AND ")
    }

    /// What stands inside a path begins with it, and `0` follows on the `/` that it ends with.
    static func isInside(_ group: FlagKeyPath) -> SQL {
        let path = StoredEvent.path(of: group.text)
        // Scalars: a mark at the end of a component would make one character of itself and the `/`.
        let bound = String(String.UnicodeScalarView(path.unicodeScalars.dropLast())) + "0"
        return "path >= \(path) AND path < \(bound)"
    }

    /// Whether a row holds a text, by the table that the full-text index keeps the texts in: the index finds all rows of a
    /// text, which may be most, while this tells it of one row.
    private static func contains(_ folded: String) -> SQL {
        """
        EXISTS (SELECT 1 FROM history_search_content AS t WHERE t.id = history.id AND (instr(t.c0, \(folded))
            OR instr(t.c1, \(folded)) OR instr(t.c2, \(folded)) OR instr(t.c3, \(folded)) OR instr(t.c4, \(folded))))
        """
    }

    /// The text as the full-text index takes it; `nil` where there is none, or it is shorter than what the index holds.
    var phrase: String? {
        guard let text else { return nil }
        let folded = SearchText.folded(text)
        return folded.unicodeScalars.count >= 3 ? "\"\(Self.quoted(folded))\"" : nil
    }

    /// Doubles quotation marks; as a `Character`, one with a combining mark behind it is no quotation mark.
    private static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        return String(quoted)
    }
}
