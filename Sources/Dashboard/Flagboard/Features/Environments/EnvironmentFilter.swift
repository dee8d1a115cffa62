import FeatureFlags
import FlagChanges

struct EnvironmentFilter: Hashable, Sendable {
    enum Extent: String, CaseIterable, Hashable, Sendable {
        case different, same, all

        var label: String {
            switch self {
            case .different: "Different"
            case .same: "Same"
            case .all: "All"
            }
        }

        func contains(_ row: ValueMatrix.Row) -> Bool {
            switch self {
            case .different: row.isDifferent
            case .same: !row.isDifferent
            case .all: true
            }
        }
    }

    /// The first one if the requested one is unknown.
    let base: String
    private(set) var text: String
    /// `nil` if not requested: the page opens on differences, if there are any.
    private(set) var extent: Extent?
    /// The page of the list, from 1.
    private(set) var page: Int
    /// In sentences.
    private(set) var problems: [String]

    init(query: [String: String], environments: [ProviderSummary]) {
        var problems: [String] = []
        let first = environments.first?.name ?? FlagFiles.localProviderName
        let wanted = query["base"].flatMap { $0.isEmpty ? nil : $0 } ?? first
        base = environments.contains { $0.name == wanted } ? wanted : first
        if base != wanted {
            let known = environments.map(\.name).joined(separator: ", ")
            problems.append("No environment is named “\(wanted)”. Available: \(known).")
        }
        text = query["q"] ?? ""
        page = max(1, query["page"].flatMap { Int($0) } ?? 1)
        if let name = query["show"], !name.isEmpty {
            extent = Extent(rawValue: name)
            if extent == nil { problems.append("Unknown filter “\(name)”. Choose one of the links.") }
        }
        self.problems = problems
    }

    mutating func tellUnknown(in query: [String: String]) {
        problems += UnknownCriteria.problems(in: query, known: Set(fields.map(\.0)))
    }

    var fields: [(String, String?)] {
        [("base", base), ("show", extent?.rawValue), ("q", text), ("page", page > 1 ? String(page) : nil)]
    }

    var href: String { PageLink.environments + PageLink.query(fields) }

    func showing(_ extent: Extent? = nil, text: String? = nil, page: Int = 1) -> EnvironmentFilter {
        var filter = self
        filter.extent = extent ?? self.extent
        filter.text = text ?? self.text
        filter.page = page
        return filter
    }
}

struct Environments: MatrixSource {
    static let previewTitle = "Copy between environments"

    let view: CatalogueView
    let filter: EnvironmentFilter

    init(_ query: [String: String], in dashboard: Dashboard, _ context: DashboardContext) async throws {
        self.init(query, in: dashboard.view(of: try await dashboard.service.overview(), context))
    }

    init(_ query: [String: String], in view: CatalogueView) {
        self.view = view
        filter = EnvironmentFilter(query: query, environments: Self.all(view))
    }

    private init(_ view: CatalogueView, _ filter: EnvironmentFilter) { (self.view, self.filter) = (view, filter) }

    /// The main file and those of other environments; where there are none of these, all files.
    static func all(_ view: CatalogueView) -> [ProviderSummary] {
        let files = view.catalogue.providers.filter(\.isFile)
        return files.allSatisfy(\.isAsked) ? files : files.prefix(1) + files.dropFirst().filter { !$0.isAsked }
    }

    var all: [ProviderSummary] { Self.all(view) }
    var href: String { filter.href }

    mutating func tellUnknown(in query: [String: String]) {
        var filter = filter
        filter.tellUnknown(in: query)
        self = Environments(view, filter)
    }

    var matrix: ValueMatrix {
        let names = all.map(\.name)
        return ValueMatrix(
            names.map { .environment($0) }, base: names.firstIndex(of: filter.base) ?? 0, text: filter.text, in: view)
    }

    func page(_ frame: PageFrame, refused: RefusedChoice?) throws -> EnvironmentsPage {
        EnvironmentsPage(frame: frame, self, refused: refused, copy: try refused.map { try Self.copy($0.form) })
    }

    struct Copy {
        let source: String
        let target: String
        /// `nil` for all that differ.
        let keys: Set<FlagKeyPath>?
    }

    /// The field `copy` is `chosen`, `all`, or a query of `from` and `key` for one flag to copy to the base.
    private static func copy(_ form: ChoiceForm) throws(UnreadableFormError) -> Copy {
        let fields = form.fields
        let (source, target) = (fields["from"] ?? "", fields["to"] ?? "")
        switch fields["copy"] ?? "" {
        case "all": return Copy(source: source, target: target, keys: nil)
        case "chosen", "": return Copy(source: source, target: target, keys: Set(form.keys))
        case let one:
            let named = try FormFields(one)
            guard let key = named["key"].flatMap({ FlagKeyPath(text: $0) }) else { throw .malformed }
            // An unknown base isn't replaced by the first environment.
            return Copy(source: named["from"] ?? "", target: fields["base"] ?? "", keys: [key])
        }
    }

    func proposal(_ form: ChoiceForm) throws -> BatchProposal {
        let copy = try Self.copy(form)
        let names = all.map(\.name)
        guard copy.source != copy.target, names.contains(copy.source), names.contains(copy.target) else {
            throw FormError<Never>(
                "Nothing was copied. Choose two different environments and use one of the buttons.")
        }
        let matrix = ValueMatrix([.provider(copy.source), .provider(copy.target)], text: filter.text, in: view)
        let wanted = copy.keys ?? differing(copy.source, copy.target)
        let rows = matrix.rows.filter { wanted.contains($0.entry.key) }
        let takesAll = copy.keys == nil
        return try ValueCopy(
            matrix: matrix, source: 0, target: 1,
            rows: takesAll ? rows.filter { !$0.isLocked && matrix.isRead($0, in: 1) } : rows,
            takesAll: takesAll, lockedCount: takesAll ? rows.count(where: \.isLocked) : 0, back: filter.href
        ).proposal(in: view)
    }

    private func differing(_ source: String, _ target: String) -> Set<FlagKeyPath> {
        let matrix = ValueMatrix([.environment(source), .environment(target)], text: filter.text, in: view)
        // Includes unreadable values, whose refusal says that they are broken.
        return Set(matrix.rows.filter { $0.differs(0, 1) }.map(\.entry.key))
    }
}
