import FeatureFlags
import FlagChanges
import HTTPTypes

/// What each flag is in each environment: what the environment's own file holds for it, else its default.
struct EnvironmentMatrix: Sendable {
    /// One flag in all environments.
    struct Row: Sendable {
        let entry: FlagEntry
        /// What it is in each, in their order.
        let outcomes: [FlagResolution.Answer]
        /// Whether it is something else there than in the one that it is held against.
        let differs: [Bool]

        var isDifferent: Bool { differs.contains(true) }
    }

    /// The environments: the files of values.
    let environments: [ProviderSummary]
    /// The flags that the search finds.
    let found: [Row]

    /// The environments of a dashboard.
    static func environments(_ catalogue: FlagCatalogue) -> [ProviderSummary] {
        catalogue.providers.filter(\.isFile)
    }

    /// Sets flags side by side.
    init(_ view: CatalogueView, _ filter: EnvironmentFilter) {
        environments = Self.environments(view.catalogue)
        let names = environments.map(\.name)
        let base = names.firstIndex(of: filter.base)
        let isKnown = names.map { !view.status.unreadable.contains($0) }
        found = FlagFilter(text: filter.text).entries(of: view).map { entry in
            let outcomes = names.map { Self.outcome(of: entry, in: $0) }
            let differs = names.indices.map { place in
                // Of a file that can't be read, it is not known what differs.
                guard let base, place != base, isKnown[place], isKnown[base] else { return false }
                return Difference(outcomes[base], outcomes[place], of: entry.definition).isDifferent
            }
            return Row(entry: entry, outcomes: outcomes, differs: differs)
        }
    }

    /// What a flag is in an environment: the value of its file, else the default; what is broken is told as it is.
    private static func outcome(of entry: FlagEntry, in environment: String) -> FlagResolution.Answer {
        let answer = entry.resolution[environment] ?? .absent
        guard answer == .absent, let fallback = entry.definition.defaultValue else { return answer }
        return .value(fallback, stored: fallback)
    }

    /// The flags that are not the same in two environments.
    func differing(_ source: String, _ target: String) -> [Row] {
        let names = environments.map(\.name)
        guard let left = names.firstIndex(of: source), let right = names.firstIndex(of: target) else { return [] }
        return found.filter { Difference($0.outcomes[left], $0.outcomes[right], of: $0.entry.definition).isDifferent }
    }
}

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

/// What the form of the environments sends: which flags to copy, from which one, and to which one.
struct EnvironmentCopy: Sendable {
    /// The page that the form stood on.
    let filter: EnvironmentFilter
    private let source: String
    private let target: String
    /// The flags; `nil` for all that differ.
    private let keys: Set<FlagKeyPath>?

    /// Reads the fields `base`, `show`, `q`, `page`, and `copy`, which is `chosen` or `all`, with `from` and `to` beside it; or is a query
    /// of `from` and `key`, of one flag that goes to the base.
    init(_ form: ChoiceForm, in view: CatalogueView) throws(FormFieldsError) {
        let fields = form.fields
        filter = EnvironmentFilter(
            query: fields.values, environments: EnvironmentMatrix.environments(view.catalogue))
        switch fields["copy"] ?? "" {
        case "all": (source, target, keys) = (fields["from"] ?? "", fields["to"] ?? "", nil)
        case "chosen", "": (source, target, keys) = (fields["from"] ?? "", fields["to"] ?? "", Set(form.keys))
        case let one:
            let named = try FormFields(one)
            guard let key = named["key"].flatMap({ FlagKeyPath(text: $0) }) else { throw .malformed }
            // One that is no longer there is not taken for another one.
            (source, target, keys) = (named["from"] ?? "", fields["base"] ?? "", [key])
        }
    }

    /// The environments that the form named, for it to be shown again.
    var chosen: (source: String, target: String) { (source, target) }

    /// The changes that copy, to be looked at.
    func proposal(in view: CatalogueView) -> Result<BatchProposal, EmptyProposalError> {
        guard let sides = Self.sides(source, target, in: view) else {
            return .failure(
                EmptyProposalError(
                    status: .unprocessableContent,
                    text: "Nothing was copied. Choose two environments of the list, and use a button of the form."))
        }
        let comparison = Comparison(sides, text: filter.text, .all, in: view, countsDefaults: false)
        let wanted = keys ?? Set(EnvironmentMatrix(view, filter).differing(source, target).map(\.entry.key))
        let items = comparison.found.filter { wanted.contains($0.entry.key) }
        let open = items.filter { !$0.entry.definition.metadata.isLocked && !$0.barred.contains(.toRight) }
        return ValueCopy(
            comparison: comparison, direction: .toRight, items: keys == nil ? open : items,
            lockedCount: keys == nil ? items.count(where: \.entry.definition.metadata.isLocked) : 0, back: filter.href
        ).proposal(in: view)
    }

    private static func sides(
        _ source: String, _ target: String, in view: CatalogueView
    ) -> (left: CompareSide, right: CompareSide)? {
        let names = EnvironmentMatrix.environments(view.catalogue).map(\.name)
        guard source != target, names.contains(source), names.contains(target) else { return nil }
        return (.provider(source), .provider(target))
    }
}
