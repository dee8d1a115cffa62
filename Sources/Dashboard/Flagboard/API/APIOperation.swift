import FeatureFlags
import FeatureFlagsXML
import HTTPTypes

struct APIOperation: Sendable {
    /// The precondition that a request states.
    enum Condition: Sendable {
        case none
        /// `If-Match`, required.
        case match
        /// `If-Match`, or `If-None-Match: *` to create.
        case matchOrNew
        /// `If-None-Match`, answered with 304.
        case known
    }

    enum Body: Sendable {
        /// A JSON object; `rules` adds keywords to its schema.
        case json([APIField], rules: [String: FlagValue])
        /// One of several JSON objects: a ``JSONShape/choice(by:_:)``.
        case choice(JSONShape)
        /// An OpenFeature context, or nothing.
        case evaluation
        /// A property list or JSON, unwrapped.
        case file

        var isJSON: Bool {
            switch self {
            case .json, .choice: true
            case .evaluation, .file: false
            }
        }
    }

    enum Answer: Sendable {
        case json(JSONShape)
        case media([String])
    }

    /// The `operationId`, after which client generators name the method.
    let name: String
    let summary: String
    let place: APIField?
    let query: [APIField]
    /// Monitoring programs add query items of their own.
    let takesAnyQuery: Bool
    let condition: Condition
    /// An `Idempotency-Key` makes a repeated request take effect once.
    let isRepeatable: Bool
    let body: Body?
    let answer: Answer
    let hasTag: Bool
    let isOpen: Bool
    let isEvaluation: Bool

    init(
        _ name: String, _ summary: String, at place: APIField? = nil, query: [APIField] = [],
        takesAnyQuery: Bool = false, condition: Condition = .none, isRepeatable: Bool = false, body: Body? = nil,
        answer: Answer,
        hasTag: Bool = false, isOpen: Bool = false, isEvaluation: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.place = place
        self.query = query
        self.takesAnyQuery = takesAnyQuery
        self.condition = condition
        self.isRepeatable = isRepeatable
        self.body = body
        self.answer = answer
        self.hasTag = hasTag
        self.isOpen = isOpen
        self.isEvaluation = isEvaluation
    }

    var memberNames: [String] {
        switch body {
        case .json(let fields, _): fields.map(\.name)
        case .choice(let shape): shape.sentFields.map(\.name)
        case .evaluation, .file, nil: []
        }
    }
}

extension Route {
    static let operations: [(route: Route, method: HTTPRequest.Method, operation: APIOperation)] = [
        (.apiFlags, .get, .listFlags), (.apiFlag, .get, .getFlag), (.apiFlag, .put, .setFlag),
        (.apiFlag, .delete, .resetFlag), (.apiBatches, .post, .applyBatch), (.apiImport, .post, .importValues),
        (.apiExport, .get, .export), (.apiComparison, .get, .compare), (.apiHistory, .get, .listChanges),
        (.apiChange, .get, .getChange), (.apiNotes, .post, .addNote),
        (.apiRevert, .post, .revertChange), (.apiUndo, .post, .undo), (.apiDefinitions, .get, .listDefinitions),
        (.apiDefinition, .get, .getDefinition), (.apiDefinition, .put, .putDefinition),
        (.apiDefinition, .post, .moveDefinition), (.apiDefinition, .delete, .deleteDefinition),
        (.apiProviders, .get, .listProviders), (.apiSnapshot, .get, .readSnapshot),
        (.apiRestarted, .post, .reportRestart), (.events, .get, .listen),
        (.apiDescription, .get, .describe), (.evaluations, .post, .evaluateFlags),
        (.evaluation, .post, .evaluateFlag), (.evaluationEvents, .get, .listenToEvaluations), (.health, .get, .health),
        (.metrics, .get, .metrics),
    ]

    /// Empty for pages.
    var operations: [HTTPRequest.Method: APIOperation] { Self.operationsByName[name] ?? [:] }

    private static let operationsByName = Dictionary(grouping: operations) { $0.route.name }.mapValues { rows in
        Dictionary(uniqueKeysWithValues: rows.map { ($0.method, $0.operation) })
    }
}

extension APIField {
    static let keyPath = JSONShape.schema(keyPathSchema)
    /// A key path of any length: one that is too long matches no flag.
    static let keyPathSchema = ManifestJSONSchema.keyPath.filter { $0.key != "maxLength" }
    static let time = JSONShape.schema([
        "anyOf": [["type": "string", "format": "date"], ["type": "string", "format": "date-time"]]
    ])
    static let change = JSONShape.schema([
        "type": "integer", "minimum": .integer(Int128(Int64.min)), "maximum": .integer(Int128(Int64.max)),
    ])
    static let reasonText = JSONShape.schema(["type": "string", "maxLength": 1000])

    static let reason = APIField("reason", reasonText, "The reason, shown in the history.")
    static let confirm = APIField(
        "confirm",
        "The name of the environment to change, if its changes must be confirmed. Separate several with commas.")
    static let breaksValues = APIField(
        "breaksValues", .boolean, "If true, allows a definition that makes stored values invalid.")
    static let preview = APIField("preview", .boolean, "If true, only returns a preview of the changes.")
    static let provider = APIField("provider", "The provider to change (default: the first writable one).")
    static let limit = APIField(
        "limit", .schema(["type": "integer", "minimum": 1, "maximum": .integer(Int128(FlagPortion.largestLimit))]),
        "The maximum number of results.")
    static let words = APIField("q", "Only results that contain all of these words.")
}

enum APISection: String, CaseIterable {
    case flags, definitions, history, evaluation, server

    init(_ route: Route) {
        switch route {
        case .apiFlags, .apiFlag, .apiBatches, .apiImport, .apiExport, .apiProviders, .apiSnapshot, .apiComparison:
            self = .flags
        case .apiDefinitions, .apiDefinition: self = .definitions
        case .apiHistory, .apiChange, .apiNotes, .apiRevert, .apiUndo, .events: self = .history
        case .evaluations, .evaluation, .evaluationEvents: self = .evaluation
        default: self = .server
        }
    }

    var label: String {
        switch self {
        case .flags: "Flags and values"
        case .definitions: "Definitions"
        case .history: "History"
        case .evaluation: "OpenFeature"
        case .server: "Server"
        }
    }
}
