import FeatureFlags
import FlagHistory
import Foundation

/// Which changes to list, as typed; what is not valid is kept to show it again beside what is wrong with it.
struct HistoryFilter: Hashable, Sendable {
    /// The key path of one flag.
    let key: String
    /// The key path of a group.
    let group: String
    /// What ties changes that were applied together.
    let batch: String
    let actor: String
    let origin: String
    let kind: String
    /// The first day or time.
    let from: String
    /// The last day, to its end, or time.
    let to: String
    /// What the key path, reason, actor or values contain.
    let text: String
    /// What is not valid, in sentences.
    let problems: [String]

    private let parsed: HistoryQuery

    /// Reads the query of a request: `key`, `group`, `batch`, `actor`, `origin`, `kind`, `from`, `to`, `q`, and the cursors
    /// `before` and `after`; empty ones count as absent.
    init(query: [String: String]) {
        func text(_ name: String) -> String? {
            query[name]?.trimmingCharacters(in: .whitespacesAndNewlines).nonEmpty
        }
        var problems: [String] = []
        func parse<Value>(_ name: String, _ remedy: String, _ parse: (String) -> Value?) -> Value? {
            guard let typed = text(name) else { return nil }
            let value = parse(typed)
            if value == nil { problems.append("\(name): \"\(typed)\" \(remedy)") }
            return value
        }
        let dateRemedy = "is not a date; write it as 2026-01-31 or 2026-01-31T12:00:00Z."
        let keyRemedy = "is not a key path; a ~ is written ~0 in it, a / ~1."
        key = text("key") ?? ""
        group = text("group") ?? ""
        batch = text("batch") ?? ""
        actor = text("actor") ?? ""
        origin = text("origin") ?? ""
        kind = text("kind") ?? ""
        from = text("from") ?? ""
        to = text("to") ?? ""
        self.text = text("q") ?? ""
        parsed = HistoryQuery(
            key: parse("key", keyRemedy, FlagKeyPath.init(text:)),
            group: parse("group", keyRemedy, FlagKeyPath.init(text:)),
            batch: parse("batch", "is not the identifier of a batch; a change’s page links to its own.") {
                UUID(uuidString: $0)
            },
            actor: text("actor"),
            origin: parse("origin", "is no origin; choose one from the list.", HistoryRecord.Origin.init(rawValue:)),
            kind: parse("kind", "is no kind; choose one from the list.", HistoryRecord.Kind.init(rawValue:)),
            from: parse("from", dateRemedy, FlagDate.parse), until: parse("to", dateRemedy, Self.end),
            text: text("q"),
            olderThan: parse("before", "is not the number of a change.") { Int64($0) },
            newerThan: parse("after", "is not the number of a change.") { Int64($0) })
        if let from = parsed.from, let until = parsed.until, from >= until {
            problems.append("from \(self.from) is later than to \(self.to): exchange them.")
        }
        self.problems = problems
    }

    /// Whether anything is asked for at all.
    var isActive: Bool { !items.allSatisfy { $0.1?.isEmpty ?? true } }

    /// The query that the filter amounts to.
    ///
    /// - Parameters:
    ///   - hiddenKeys: What must not appear.
    ///   - limit: How many rows at most.
    /// - Returns: `nil` where something in the filter is not valid.
    func historyQuery(hiddenKeys: HiddenKeys, limit: Int = 50) -> HistoryQuery? {
        guard problems.isEmpty else { return nil }
        var query = parsed
        query.hiddenKeys = hiddenKeys
        query.limit = limit
        return query
    }

    /// The list with this filter, from a cursor on.
    ///
    /// - Parameters:
    ///   - before: Only changes older than the one of this id.
    ///   - after: Only changes newer than the one of this id.
    /// - Returns: The link.
    func href(before: Int64? = nil, after: Int64? = nil) -> String {
        let cursors = [("before", before.map { String($0) }), ("after", after.map { String($0) })]
        return PageLink.history + PageLink.query(items + cursors)
    }

    /// The list with some criteria of this filter replaced.
    ///
    /// - Parameter replaced: The criteria by name; an empty text leaves one out.
    /// - Returns: The link.
    func href(replacing replaced: [String: String]) -> String {
        PageLink.history + PageLink.query(items.map { ($0.0, replaced[$0.0] ?? $0.1) })
    }

    /// A download of the changes that are listed.
    ///
    /// - Parameter path: The download of all.
    /// - Returns: The link.
    func exportHref(_ path: String) -> String { path + PageLink.query(items) }

    private var items: [(String, String?)] {
        [
            ("q", text), ("key", key), ("group", group), ("batch", batch), ("actor", actor), ("kind", kind),
            ("origin", origin), ("from", from), ("to", to),
        ]
    }

    /// The first moment that is too late: a day counts through its end, a time through its second.
    private static func end(of text: String) -> Date? {
        FlagDate.parse(text).map { $0.addingTimeInterval(isDay(text) ? 86_400 : 1) }
    }

    /// Whether a text is a day without a time, as a date field of a browser takes it.
    static func isDay(_ text: String) -> Bool {
        text.count == 10 && FlagDate.parse(text) != nil
    }
}

extension String {
    /// The text, or `nil` where it is empty.
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
