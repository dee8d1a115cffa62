import FeatureFlags
import Foundation
import GRDB

extension HistoryQuery {
    /// What every row of the result satisfies, on whatever page it stands.
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

    /// Whether no more than one filter is set, besides what is hidden.
    ///
    /// There are few statements for such queries, and each is prepared once. Those for mixtures of filters are so many that
    /// they would fill the memory.
    var hasFewStatements: Bool {
        let isSet = [
            key != nil, group != nil, batch != nil, actor != nil, origin != nil, kind != nil, from != nil, until != nil,
            text != nil,
        ]
        return isSet.count { $0 } <= 1
    }

    /// A path inside another begins with it, and `0` follows on the `/` that it ends with.
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

    /// How many threes of letters are looked up: more of them leave out few rows more.
    private static let mostTrigrams = 12

    /// What the rows that hold the text have at least, as the full-text index takes it: the threes of letters that it is made
    /// of; `nil` where there are none.
    ///
    /// They are not asked for as one phrase: where every three of it is common and the phrase is not, the index would go
    /// through all rows for it, whichever are asked for.
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
