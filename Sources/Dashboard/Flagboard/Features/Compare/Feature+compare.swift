import FeatureFlags
import FlagChanges

extension Feature {
    static let compare = Feature(routes: [.compare])
}

extension MenuItem {
    static let compare = MenuItem("Compare", .compare)
}

extension Route {
    static let compare = Route(
        "compare", "/compare", get: Dashboard.matrixPage(of: ComparedSides.self),
        post: Dashboard.matrixChange(of: ComparedSides.self),
        resuming: { _ in "It copies values from one provider to another." })
}

/// Two columns to compare, and to copy values between.
struct ComparedSides: MatrixSource {
    static let previewTitle = "Copy values"

    let view: CatalogueView
    private var filter: CompareFilter

    init(_ query: [String: String], in dashboard: Dashboard, _ context: DashboardContext) async throws {
        view = dashboard.view(of: try await dashboard.service.overview(), context)
        filter = CompareFilter(query: query, providers: view.catalogue.providers)
    }

    var href: String { filter.href }

    mutating func tellUnknown(in query: [String: String]) { filter.tellUnknown(in: query) }

    func page(_ frame: PageFrame, refused: RefusedChoice?) -> ComparePage {
        ComparePage(frame: frame, view: view, filter: filter, refused: refused)
    }

    /// The field `copy` is `chosen-left`, `chosen-right`, `all-left` or `all-right`.
    func proposal(_ form: ChoiceForm) throws -> BatchProposal {
        let words = (form.fields["copy"] ?? "").split(separator: "-").map(String.init)
        guard let sides = filter.chosen, words.count == 2, ["all", "chosen"].contains(words[0]),
            let direction = CopyDirection(rawValue: words[1])
        else {
            throw FormError<Never>("Nothing was copied. Choose two sides and use one of the buttons.")
        }
        let matrix = ValueMatrix(sides, text: filter.text, in: view)
        let listed = matrix.rows(in: filter.extent)
        let takesAll = words[0] == "all"
        let keys = Set(form.keys)
        return try ValueCopy(
            matrix: matrix, source: direction.source, target: direction.target,
            rows: takesAll
                ? listed.filter { !$0.isLocked && matrix.isRead($0, in: direction.target) }
                : matrix.rows.filter { keys.contains($0.entry.key) },
            takesAll: takesAll,
            lockedCount: takesAll ? listed.count { $0.isDifferent && $0.isLocked } : 0, back: filter.href
        ).proposal(in: view)
    }
}
