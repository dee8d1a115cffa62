import FeatureFlags
import Foundation
import GRDB

extension HistoryQuery {
    func condition(isShown: SQL) -> SQL {
        var parts: [SQL] = []
        if let key { parts.append("path = \(StoredEvent.path(of: key.text))") }
        if let group { parts.append(Self.isInside(group)) }
        if let batch { parts.append("batch = \(batch.uuidString)") }
        if let actor { parts.append("actor = \(StoredEvent.storable(actor))") }
        if let origin { parts.append("origin = \(origin.rawValue)") }
        if let kind { parts.append("kind = \(kind.rawValue)") }
        if let exceptKind { parts.append("kind <> \(exceptKind.rawValue)") }
        if let from { parts.append("at >= \(HistoryTime.microseconds(from))") }
        if let until { parts.append("at < \(HistoryTime.microseconds(until))") }
        if let text, !text.isEmpty { parts.append(Self.contains(SearchText.folded(text))) }
        parts.append(isShown)
        return parts.joined(separator: " AND ")
    }

    /// `true` if at most one filter is set.
    ///
    /// Only those few statements are cached; mixtures of filters would fill the memory.
    var hasFewStatements: Bool {
        let isSet = [
            key != nil, group != nil, batch != nil, actor != nil, origin != nil, kind != nil, from != nil, until != nil,
            text != nil,
        ]
        return isSet.count { $0 } <= 1
    }

    /// Matches paths inside a group: its path is a prefix, and `0` is the character after `/`.
    static func isInside(_ group: FlagKeyPath) -> SQL {
        let path = StoredEvent.path(of: group.text)
        // Drops a scalar, since a combining mark and the `/` can be one character.
        let bound = String(String.UnicodeScalarView(path.unicodeScalars.dropLast())) + "0"
        return "path >= \(path) AND path < \(bound)"
    }

    /// Matches rows with a text.
    ///
    /// Reads the content table, since the full-text index would list all rows of the text, possibly most.
    private static func contains(_ folded: String) -> SQL {
        """
        EXISTS (SELECT 1 FROM history_search_content AS t WHERE t.id = history.id AND (instr(t.c0, \(folded))
            OR instr(t.c1, \(folded)) OR instr(t.c2, \(folded)) OR instr(t.c3, \(folded)) OR instr(t.c4, \(folded))))
        """
    }

    /// More trigrams exclude few further rows.
    private static let mostTrigrams = 12

    /// The text's trigrams as a full-text query; `nil` if it is too short.
    ///
    /// A phrase of common trigrams would make the index scan all rows.
    var trigrams: String? {
        guard let text else { return nil }
        let scalars = Array(SearchText.folded(text).unicodeScalars)
        guard scalars.count >= 3 else { return nil }
        var known: Set<[Unicode.Scalar]> = []
        let all = (0...scalars.count - 3).map { Array(scalars[$0..<$0 + 3]) }.filter { known.insert($0).inserted }
            .map { String(String.UnicodeScalarView($0)) }
        let step = (all.count - 1) / Self.mostTrigrams + 1
        return stride(from: 0, to: all.count, by: step).map { "\"\(Self.quoted(all[$0]))\"" }.joined(separator: " AND ")
    }

    /// Doubles quotation marks by scalar: with a combining mark, one is another `Character`.
    private static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        return String(quoted)
    }
}
