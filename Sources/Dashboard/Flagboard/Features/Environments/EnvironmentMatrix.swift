import FeatureFlags
import FlagChanges
import HTTPTypes

/// Each flag's value in each environment: the one in the environment's file, else the default.
struct EnvironmentMatrix: Sendable {
    struct Row: Sendable {
        let entry: FlagEntry
        /// The flag's values, in the order of the environments.
        let outcomes: [FlagResolution.Answer]
        /// The differences from the base environment, in the same order.
        let differs: [Bool]

        var isDifferent: Bool { differs.contains(true) }
    }

    /// The environments: the providers that are files.
    let environments: [ProviderSummary]
    let found: [Row]

    static func environments(_ catalogue: FlagCatalogue) -> [ProviderSummary] {
        catalogue.providers.filter(\.isFile)
    }

    init(_ view: CatalogueView, _ filter: EnvironmentFilter) {
        environments = Self.environments(view.catalogue)
        let names = environments.map(\.name)
        let base = names.firstIndex(of: filter.base)
        let isKnown = names.map { !view.status.unreadable.contains($0) }
        found = FlagFilter(text: filter.text).entries(of: view).map { entry in
            let outcomes = names.map { Self.outcome(of: entry, in: $0) }
            let differs = names.indices.map { place in
                // Nothing is known about a file that can't be read.
                guard let base, place != base, isKnown[place], isKnown[base] else { return false }
                return Difference(outcomes[base], outcomes[place], of: entry.definition).isDifferent
            }
            return Row(entry: entry, outcomes: outcomes, differs: differs)
        }
    }

    /// Returns the value of an environment's file, else the default; a broken value stays broken.
    private static func outcome(of entry: FlagEntry, in environment: String) -> FlagResolution.Answer {
        let answer = entry.resolution[environment] ?? .absent
        guard answer == .absent, let fallback = entry.definition.defaultValue else { return answer }
        return .value(fallback, stored: fallback)
    }

    func differing(_ source: String, _ target: String) -> [Row] {
        let names = environments.map(\.name)
        guard let left = names.firstIndex(of: source), let right = names.firstIndex(of: target) else { return [] }
        return found.filter { Difference($0.outcomes[left], $0.outcomes[right], of: $0.entry.definition).isDifferent }
    }
}

/// The flags to list, and the environment to compare the others with.
struct EnvironmentFilter: Hashable, Sendable {
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

    /// The environment to compare with; the first one if the requested one is unknown.
    var base: String
    var text: String
    /// The flags to list; `nil` when not requested: the page then opens on differences, if there are any.
    var extent: Extent?
    /// The page of the list, from 1.
    var page: Int
    /// Problems with the request, in sentences.
    private(set) var problems: [String]

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

    /// Adds a problem for each unknown parameter.
    mutating func tellUnknown(in query: [String: String]) {
        problems += UnknownCriteria.problems(in: query, known: ["base", "show", "q", "page"])
    }

    var href: String {
        PageLink.environments
            + PageLink.query([
                ("base", base), ("show", extent?.rawValue), ("q", text), ("page", page > 1 ? String(page) : nil),
            ])
    }

    func showing(_ extent: Extent? = nil, page: Int = 1) -> EnvironmentFilter {
        var filter = self
        filter.extent = extent ?? self.extent
        filter.page = page
        return filter
    }
}

/// The copy form of the environments page.
struct EnvironmentCopy: Sendable {
    let filter: EnvironmentFilter
    private let source: String
    private let target: String
    /// The flags to copy; `nil` for all that differ.
    private let keys: Set<FlagKeyPath>?

    /// Reads the fields of the filter, `copy`, `from` and `to`.
    ///
    /// The field `copy` is `chosen`, `all`, or a query of `from` and `key` for one flag to copy to the base.
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
            // An unknown base isn't replaced by the first environment.
            (source, target, keys) = (named["from"] ?? "", fields["base"] ?? "", [key])
        }
    }

    var chosen: (source: String, target: String) { (source, target) }

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
