import FeatureFlags
import FlagChanges

struct CompareFilter: Hashable, Sendable {
    enum Extent: Hashable, Sendable {
        case different
        case all
        case only(Difference)

        /// In the order of the page.
        static let allCases: [Extent] =
            [.only(.changed), .only(.onlyLeft), .only(.onlyRight), .different, .only(.same), .only(.neither), .all]

        init?(name: String) {
            guard let extent = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = extent
        }

        var name: String {
            switch self {
            case .different: "different"
            case .all: "all"
            case .only(let difference): difference.rawValue
            }
        }

        func contains(_ difference: Difference) -> Bool {
            switch self {
            case .different: difference.isDifferent
            case .all: true
            case .only(let wanted): wanted == difference
            }
        }
    }

    /// The names of the sides as requested, known or not.
    var left: String
    var right: String
    var text: String
    var extent: Extent = .different
    /// The page of the list, from 1.
    var page: Int
    /// In sentences.
    private(set) var problems: [String] = []
    private let sides: (left: ValueColumn?, right: ValueColumn?)

    /// The default is the first two providers, or the defaults and the only provider.
    init(query: [String: String], providers: [ProviderSummary]) {
        let names = providers.map(\.name)
        let usual = names.count > 1 ? (names[0], names[1]) : (FlagFilter.defaultSource, names.first ?? "effective")
        left = query["left"].flatMap { $0.isEmpty ? nil : $0 } ?? usual.0
        right = query["right"].flatMap { $0.isEmpty ? nil : $0 } ?? usual.1
        text = query["q"] ?? ""
        page = max(1, query["page"].flatMap { Int($0) } ?? 1)
        sides = (ValueColumn(left, among: providers), ValueColumn(right, among: providers))
        for (name, side) in [(left, sides.left), (right, sides.right)] where side == nil {
            let known = (names + [FlagFilter.defaultSource, "effective"]).joined(separator: ", ")
            problems.append("No provider is named “\(name)”. Available: \(known).")
        }
        if left == right {
            problems.append("Both sides are \(sides.left?.label ?? left). Choose two different ones.")
        }
        if let name = query["show"], !name.isEmpty {
            extent = Extent(name: name) ?? .different
            if extent.name != name { problems.append("Unknown filter “\(name)”. Choose one of the links.") }
        }
    }

    mutating func tellUnknown(in query: [String: String]) {
        problems += UnknownCriteria.problems(in: query, known: ["left", "right", "show", "q", "page"])
    }

    /// `nil` if the sides can't be compared.
    var chosen: (left: ValueColumn, right: ValueColumn)? {
        guard let left = sides.left, let right = sides.right, left != right else { return nil }
        return (left, right)
    }

    var href: String {
        PageLink.compare
            + PageLink.query([
                ("left", left), ("right", right), ("show", extent == .different ? nil : extent.name), ("q", text),
                ("page", page > 1 ? String(page) : nil),
            ])
    }

    var exchangedHref: String {
        var filter = self
        (filter.left, filter.right, filter.page) = (right, left, 1)
        switch extent {
        case .only(.onlyLeft): filter.extent = .only(.onlyRight)
        case .only(.onlyRight): filter.extent = .only(.onlyLeft)
        default: break
        }
        return filter.href
    }

    func showing(_ extent: Extent? = nil, text: String? = nil, page: Int = 1) -> CompareFilter {
        var filter = self
        filter.text = text ?? self.text
        filter.extent = extent ?? self.extent
        filter.page = page
        return filter
    }

    var fields: [(String, String?)] {
        [
            ("left", left), ("right", right), ("show", extent.name), ("q", text),
            ("page", page > 1 ? String(page) : nil),
        ]
    }

    static func == (left: CompareFilter, right: CompareFilter) -> Bool {
        left.href == right.href && left.problems == right.problems
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(href)
    }
}

extension ValueMatrix {
    init(_ sides: (left: ValueColumn, right: ValueColumn), text: String, in view: CatalogueView) {
        self.init([sides.left, sides.right], text: text, in: view)
    }

    /// - Parameter countsDefaults: Counts a flag held only by the defaults as different, as API clients want.
    func rows(in extent: CompareFilter.Extent, countsDefaults: Bool = false) -> [Row] {
        rows.filter { row in
            let difference = row.differences[1]
            let isOfDefaults =
                columns[0] == .defaults && difference == .onlyLeft
                || columns[1] == .defaults && difference == .onlyRight
            return extent.contains(difference) && (countsDefaults || extent != .different || !isOfDefaults)
        }
    }
}
