import FeatureFlags
import Foundation
import GRDB

extension HistoryQuery {
    /// What every row of the result satisfies, on whatever page it stands.
    var condition: SQL {
        var parts: [SQL] = []
        if let key { parts.append("path = \(StoredEvent.path(of: key.text))") }
        if let actor { parts.append("actor = \(StoredEvent.storable(actor))") }
        if let origin { parts.append("origin = \(origin.rawValue)") }
        if let kind { parts.append("kind = \(kind.rawValue)") }
        if let from { parts.append("at >= \(HistoryTime.microseconds(from))") }
        if let until { parts.append("at < \(HistoryTime.microseconds(until))") }
        if let text, !text.isEmpty { parts.append(Self.contains(SearchText.folded(text))) }
        parts.append(hiddenKeys.isShown)
        return parts.joined(separator: " AND ")
    }

    /// Whether a row holds a text: three characters and more are found by the index, fewer by looking at every row.
    private static func contains(_ folded: String) -> SQL {
        if folded.unicodeScalars.count >= 3 {
            let phrase = "\"\(quoted(folded))\""
            return "id IN (SELECT rowid FROM history_search WHERE history_search MATCH \(phrase))"
        }
        return """
            id IN (SELECT rowid FROM history_search WHERE instr("key", \(folded)) OR instr(actor, \(folded))
                OR instr(reason, \(folded)) OR instr("before", \(folded)) OR instr("after", \(folded)))
            """
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
