import FeatureFlags
import FlagChanges
import FlagHistory
import HTTPTypes
import Hummingbird

struct ComparisonDocument: JSONDocument {
    let left: String
    let right: String
    /// The time of the left side; omitted when both sides are current.
    let time: String?
    /// The app's providers, which have no history: the left side uses their current values; omitted for none.
    let withoutPast: [String]?
    /// Altered history rows that the left side depends on; `nil` for none.
    let altered: [Int64]?
    let flags: [Item]

    struct Item: JSONDocument {
        let key: String
        let type: FlagType
        let difference: Difference
        /// Each side's value, if it is valid.
        let left: PlainValue?
        let right: PlainValue?
        let leftProblem: String?
        let rightProblem: String?
        /// `true` for the last good value of a broken source; otherwise omitted.
        let leftStale: Bool?
        let rightStale: Bool?
        /// `true` for a value that only the app knows; otherwise omitted.
        let leftComputed: Bool?
        let rightComputed: Bool?

        init(
            _ definition: FlagDefinition, _ left: FlagResolution.Answer, _ right: FlagResolution.Answer,
            _ difference: Difference, staleness: (left: String?, right: String?) = (nil, nil),
            isComputed: (left: Bool, right: Bool) = (false, false)
        ) {
            key = definition.key.text
            type = definition.type
            self.difference = difference
            let (leftParts, rightParts) = (Self.parts(left, definition.type), Self.parts(right, definition.type))
            (self.left, self.right) = (leftParts.value, rightParts.value)
            (leftProblem, rightProblem) = (leftParts.problem ?? staleness.left, rightParts.problem ?? staleness.right)
            (leftStale, rightStale) = (staleness.left.map { _ in true }, staleness.right.map { _ in true })
            (leftComputed, rightComputed) = (isComputed.left ? true : nil, isComputed.right ? true : nil)
        }

        private static func parts(_ answer: FlagResolution.Answer, _ type: FlagType) -> (
            value: PlainValue?, problem: String?
        ) {
            switch answer {
            case .absent: (nil, nil)
            case .value(let value, _): (PlainValue(value, of: type), nil)
            case .broken(let fault, _): (nil, fault.description)
            }
        }
    }
}

extension ComparisonDocument {
    init(_ matrix: ValueMatrix, _ extent: CompareFilter.Extent) {
        let (left, right) = (matrix.columns[0], matrix.columns[1])
        (self.left, self.right, time, withoutPast) = (left.name, right.name, nil, nil)
        altered = nil
        flags = matrix.rows(in: extent, countsDefaults: true).map { row in
            Item(
                row.entry.definition, row.answers[0], row.answers[1], row.differences[1],
                staleness: (left.staleness(row.entry), right.staleness(row.entry)),
                isComputed: (left.isComputed(row.entry), right.isComputed(row.entry)))
        }
    }

    init(_ past: PastState, _ sides: (left: ValueColumn, right: ValueColumn), _ extent: CompareFilter.Extent) {
        (left, right, time) = (sides.left.name, sides.right.name, FlagDate.text(past.time))
        withoutPast = past.providersWithoutPast.isEmpty ? nil : past.providersWithoutPast
        altered = past.alteredRows.isEmpty ? nil : past.alteredRows
        flags = past.flags.compactMap { flag in
            guard let definition = (flag.now ?? flag.then)?.definition else { return nil }
            let left = flag.then.map(sides.left.answer) ?? .absent
            let right = flag.now.map(sides.right.answer) ?? .absent
            let difference = Difference(left, right, of: definition)
            let staleness = (flag.then.flatMap(sides.left.staleness), flag.now.flatMap(sides.right.staleness))
            let isComputed = (
                flag.then.map(sides.left.isComputed) ?? false, flag.now.map(sides.right.isComputed) ?? false
            )
            return extent.contains(difference)
                ? Item(definition, left, right, difference, staleness: staleness, isComputed: isComputed) : nil
        }
    }
}

extension Dashboard {
    func comparisonDocument(_ request: Request, _ context: DashboardContext) async throws -> Response {
        let query = try FormFields(request.uri.query ?? "").values
        let view = view(of: try await service.overview(), context)
        guard query["time"] != nil || query["before"] != nil else {
            let filter = CompareFilter(query: query, providers: view.catalogue.providers)
            guard filter.problems.isEmpty, let sides = filter.chosen else { throw Self.unreadable(filter.problems) }
            return respond(
                json: ComparisonDocument(ValueMatrix(sides, text: filter.text, in: view), filter.extent))
        }
        let left = query["left"] ?? ValueColumn.effectiveName
        let names = ["left": left, "right": query["right"] ?? left]
        let (sides, extent) = try Self.sides(names, show: query["show"], view)
        let moment = PastFilter(query: query.filter { ["time", "before"].contains($0.key) }, now: clock())
        guard moment.problems.isEmpty else { throw Self.unreadable(moment.problems) }
        guard let past = try await past(moment), past.moment.isKnown else {
            throw RequestError.noPastState()
        }
        return respond(json: ComparisonDocument(past, sides, extent))
    }

    private static func sides(
        _ names: [String: String], show: String?, _ view: CatalogueView
    ) throws(RequestError) -> (sides: (left: ValueColumn, right: ValueColumn), extent: CompareFilter.Extent) {
        let providers = view.catalogue.providers
        guard let left = names["left"].flatMap({ ValueColumn($0, among: providers) }),
            let right = names["right"].flatMap({ ValueColumn($0, among: providers) })
        else { throw unreadable(["left and right must be a provider, default or effective."]) }
        if providers.contains(where: { !$0.isFile && left == .provider($0.name) }) {
            throw unreadable(["left is \(left.label), a provider of the app. Its past values aren't recorded."])
        }
        guard let extent = show.map(CompareFilter.Extent.init(name:)) ?? .different else {
            throw unreadable(["show must be different, all, changed, only-left, only-right, same or neither."])
        }
        return ((left, right), extent)
    }
}
