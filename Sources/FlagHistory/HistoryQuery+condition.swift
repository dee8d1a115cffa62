import FeatureFlags
import Foundation
import GRDB

extension HistoryQuery {
    /// What every row of the result satisfies, on whatever page it stands.
    var condition: SQL {
        var parts: [SQL] = []
        if let key { parts.append("\"key\" = \(StoredEvent.storable(key.text))") }
        if let actor { parts.append("actor = \(StoredEvent.storable(actor))") }
        if let origin { parts.append("origin = \(origin.rawValue)") }
        if let kind { parts.append("kind = \(kind.rawValue)") }
        if let from { parts.append("at >= \(HistoryTime.microseconds(from))") }
        if let until { parts.append("at < \(HistoryTime.microseconds(until))") }
        if let text, !text.isEmpty { parts.append(Self.contains(SearchText.folded(text))) }
        if !hiddenKeys.isEmpty { parts.append(Self.isShown(hiddenKeys)) }
        return parts.isEmpty ? "TRUE" : parts.joined(separator: " AND ")
    }

    /// Whether a row's key is none of the hidden ones.
    ///
    /// Swift takes a composed and a decomposed character for the same one and SQLite doesn't, so both are named.
    static func isShown(_ hiddenKeys: Set<FlagKeyPath>, column: SQL = "\"key\"") -> SQL {
        let texts = hiddenKeys.map { StoredEvent.storable($0.text) }.flatMap { text in
            [text, text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
        }
        return "\(column) NOT IN (SELECT value FROM json_each(\(jsonArray(texts))))"
    }

    /// A list as one argument, since SQLite limits how many a statement may have.
    static func jsonArray(_ texts: [String]) -> String {
        FlagJSON.text(.array(texts.map(FlagValue.string)))
    }

    /// Whether a row holds a text: three characters and more are found by the index, fewer by looking at every row.
    private static func contains(_ folded: String) -> SQL {
        if folded.unicodeScalars.count >= 3 {
            let phrase = "\"\(folded.replacing("\"", with: "\"\""))\""
            return "id IN (SELECT rowid FROM history_search WHERE history_search MATCH \(phrase))"
        }
        return """
            id IN (SELECT rowid FROM history_search WHERE instr("key", \(folded)) OR instr(actor, \(folded))
                OR instr(reason, \(folded)) OR instr("before", \(folded)) OR instr("after", \(folded)))
            """
    }
}
