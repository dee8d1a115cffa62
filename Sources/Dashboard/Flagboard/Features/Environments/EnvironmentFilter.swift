import FeatureFlags
import FlagChanges

/// Which flags to list environment by environment, and which environment the others are held against.
struct EnvironmentFilter: Hashable, Sendable {
    /// Which flags to list.
    enum Extent: String, CaseIterable, Hashable, Sendable {
        case different, same, all

        func contains(_ row: EnvironmentMatrix.Row) -> Bool {
            switch self {
            case .different: row.isDifferent
            case .same: !row.isDifferent
            case .all: true
            }
        }
    }

    /// The name of the environment that the others are held against, as it was asked for.
    var base: String
    var text: String
    /// Which flags; `nil` where that was not asked for: the page then opens on what differs, where anything does.
    var extent: Extent?
    /// Which page of the list, from 1.
    var page: Int
    /// What was asked for and does not exist, in sentences.
    private(set) var problems: [String]

    /// Reads `base`, `show`, `q` and `page`.
    init(query: [String: String], environments: [ProviderSummary]) {
        var problems: [String] = []
        let first = environments.first?.name ?? FlagFiles.localProviderName
        let wanted = query["base"].flatMap { $0.isEmpty ? nil : $0 } ?? first
        base = environments.contains { $0.name == wanted } ? wanted : first
        if base != wanted { problems.append("There is no environment \"\(wanted)\": choose one from the list.") }
        text = query["q"] ?? ""
        page = max(1, query["page"].flatMap { Int($0) } ?? 1)
        if let name = query["show"], !name.isEmpty {
            extent = Extent(rawValue: name)
            if extent == nil { problems.append("There is nothing called \"\(name)\" to show: choose a link.") }
        }
        self.problems = problems
    }

    /// Says of what else a query asks for that the page is not narrowed by it.
    mutating func tellUnknown(in query: [String: String]) {
        problems += UnknownCriteria.problems(in: query, known: ["base", "show", "q", "page"])
    }

    /// The page with this filter.
    var href: String {
        PageLink.environments
            + PageLink.query([
                ("base", base), ("show", extent?.rawValue), ("q", text), ("page", page > 1 ? String(page) : nil),
            ])
    }

    /// This filter with another extent, or another page of the same.
    func showing(_ extent: Extent? = nil, page: Int = 1) -> EnvironmentFilter {
        var filter = self
        filter.extent = extent ?? self.extent
        filter.page = page
        return filter
    }
}
