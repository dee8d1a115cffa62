import FeatureFlags
import FlagHistory
import Foundation

/// The criteria as typed, invalid ones included, to show them with the problem.
struct HistoryFilter: Hashable, Sendable {
    let key: String
    let group: String
    let batch: String
    let actor: String
    let origin: String
    let kind: String
    /// A day or a time.
    let from: String
    /// A day, inclusive, or a time.
    let to: String
    /// Empty for UTC.
    let zone: String
    /// The number of the change before the first, or ``visit``.
    let since: String
    /// The end of the previous visit, if ``since`` asks for it.
    let lastVisit: ViewerVisit.Sight?
    let text: String
    let problems: [String]
    /// Unknown criteria.
    private(set) var leftOut: [String] = []

    /// Asks for the changes since the previous visit.
    static let visit = ViewerVisit.word

    private let parsed: HistoryQuery

    /// Empty items count as absent; `before` and `after` are cursors.
    init(query: [String: String], lastVisit: ViewerVisit.Sight? = nil) {
        func text(_ name: String) -> String? {
            query[name]?.trimmingCharacters(in: .whitespacesAndNewlines).nonEmpty
        }
        var problems: [String] = []
        func parse<Value>(_ name: String, _ remedy: String, _ parse: (String) -> Value?) -> Value? {
            guard let typed = text(name) else { return nil }
            let value = parse(typed)
            if value == nil { problems.append("\(name): “\(typed)” \(remedy)") }
            return value
        }
        let dateRemedy = "is not a date. Enter one like 2026-01-31 or 2026-01-31T12:00:00Z."
        let keyRemedy = "is not a key path. Write ~ as ~0 and / within a name as ~1."
        key = text("key") ?? ""
        group = text("group") ?? ""
        batch = text("batch") ?? ""
        actor = text("actor") ?? ""
        origin = text("origin") ?? ""
        kind = text("kind") ?? ""
        from = text("from") ?? ""
        to = text("to") ?? ""
        since = text("since") ?? ""
        self.lastVisit = since == Self.visit ? lastVisit : nil
        let isDated = text("from") != nil || text("to") != nil
        zone = isDated ? text("zone") ?? "" : ""
        self.text = text("q") ?? ""
        let zone =
            isDated ? parse("zone", "is not a time zone. Enter one like Europe/Berlin.", DayReader.zone) ?? .gmt : .gmt
        parsed = HistoryQuery(
            key: parse("key", keyRemedy, FlagKeyPath.init(text:)),
            group: parse("group", keyRemedy, FlagKeyPath.init(text:)),
            batch: parse("batch", "is not a batch ID. Open a batch from its change.") {
                UUID(uuidString: $0)
            },
            actor: text("actor"),
            origin: parse(
                "origin", "is not an origin. Use one of \(HistoryRecord.Origin.allCases.listed).",
                HistoryRecord.Origin.init(rawValue:)),
            kind: parse(
                "kind", "is not a kind. Use one of \(HistoryRecord.Kind.allCases.listed).",
                HistoryRecord.Kind.init(rawValue:)),
            from: parse("from", dateRemedy) { DayReader.start(of: $0, in: zone) },
            until: parse("to", dateRemedy) { DayReader.end(of: $0, in: zone) },
            since: parse("since", Self.sinceRemedy(since)) { text in
                text == Self.visit ? lastVisit?.row : Int64(text).flatMap { $0 < 0 ? nil : $0 }
            },
            text: text("q"),
            olderThan: parse("before", "is not a change number.") { Int64($0) },
            newerThan: parse("after", "is not a change number.") { Int64($0) })
        if let from = parsed.from, let until = parsed.until, from >= until {
            problems.append("“From” (\(self.from)) is later than “To” (\(self.to)). Swap them.")
        }
        self.problems = problems
    }

    mutating func tellUnknown(in query: [String: String]) {
        leftOut += UnknownCriteria.problems(in: query, known: Set(items.map(\.0) + ["before", "after"]))
    }

    private static func sinceRemedy(_ text: String) -> String {
        text == visit
            ? "is unknown: this is the first visit from this browser. Use the number of a change."
            : "is not a change number or \(visit)."
    }

    var isDated: Bool { !from.isEmpty || !to.isEmpty }

    var isActive: Bool { !items.allSatisfy { $0.1?.isEmpty ?? true } }

    /// Some criterion is about the changes themselves, and not only their time.
    var isAboutRows: Bool {
        items.contains { !["from", "to", "zone", "since"].contains($0.0) && $0.1?.isEmpty == false }
    }

    /// `nil` if the filter is invalid.
    func historyQuery(hiddenKeys: HiddenKeys, limit: Int = 50) -> HistoryQuery? {
        guard problems.isEmpty else { return nil }
        var query = parsed
        query.hiddenKeys = hiddenKeys
        query.limit = limit
        return query
    }

    func href(before: Int64? = nil, after: Int64? = nil) -> String {
        let cursors = [("before", before.map { String($0) }), ("after", after.map { String($0) })]
        return PageLink.history + PageLink.query(items + cursors)
    }

    /// An empty text drops the criterion.
    func href(replacing replaced: [String: String]) -> String {
        PageLink.history + PageLink.query(items.map { ($0.0, replaced[$0.0] ?? $0.1) })
    }

    func href(of bins: TimeBins, at place: Int) -> String {
        let days = bins.days(of: place)
        return href(replacing: [
            "from": days.first, "to": days.last, "zone": PageZone.isUTC(bins.zone) ? "" : bins.zone.identifier,
        ])
    }

    var range: (from: Date?, until: Date?) { (parsed.from, parsed.until) }

    func exportHref(_ path: String) -> String { path + PageLink.query(items) }

    private var items: [(String, String?)] {
        [
            ("q", text), ("key", key), ("group", group), ("batch", batch), ("actor", actor), ("kind", kind),
            ("origin", origin), ("from", from), ("to", to), ("zone", zone),
            ("since", since),
        ]
    }

    /// A batch has a sentence instead.
    var criteria: [HistoryCriterion] {
        let names = ["from": "From", "to": "To", "q": "Search", "key": "Flag"]
        return items.compactMap { name, value in
            guard let value, !value.isEmpty, !["zone", "batch"].contains(name) else { return nil }
            let label =
                switch name {
                case "kind": HistoryRecord.Kind(rawValue: value)?.label ?? value
                case "since": lastVisit.map { "your last visit, \(TimeText($0.at).text)" } ?? "change \(value)"
                case "origin": HistoryRecord.Origin(rawValue: value)?.label ?? value
                case "from", "to": DayReader.isDay(value) ? "\(value) (\(zone.isEmpty ? "UTC" : zone))" : value
                default: value
                }
            return HistoryCriterion(
                title: names[name] ?? name.capitalized, label: label, href: href(replacing: [name: ""]))
        }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
