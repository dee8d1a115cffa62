import FeatureFlags
import FeatureFlagsXML
import HTTPTypes

/// What programs can ask of an address by one method: what they send, and what is answered.
struct APIOperation: Sendable {
    /// What a program states of what it changes, or has already.
    enum Condition: Sendable {
        case none
        /// `If-Match`, which has to be there.
        case match
        /// `If-Match`, or `If-None-Match: *` for what is to be new.
        case matchOrNew
        /// `If-None-Match`, which is answered 304.
        case known
    }

    /// What is sent.
    enum Body: Sendable {
        /// A JSON object, with what its schema says beside the members.
        case json([APIField], rules: [String: FlagValue])
        /// One of some JSON objects: a ``JSONShape/choice(by:_:)``.
        case choice(JSONShape)
        /// An object of the OpenFeature protocol, or nothing.
        case evaluation
        /// A property list or JSON as it is.
        case file

        /// Whether it is JSON that is held against its description.
        var isJSON: Bool {
            switch self {
            case .json, .choice: true
            case .evaluation, .file: false
            }
        }
    }

    /// What is answered where all is well.
    enum Answer: Sendable {
        case json(JSONShape)
        /// Something else, in one of these media types.
        case media([String])
    }

    /// What programs made from the description call it.
    let name: String
    /// What it does, in a sentence.
    let summary: String
    /// What the part of its path that differs stands for.
    let place: APIField?
    let query: [APIField]
    /// Whether its query may hold anything else too: what watches over a process has items of its own.
    let takesAnyQuery: Bool
    let condition: Condition
    /// Whether an `Idempotency-Key` names it, so that it is made once.
    let isRepeatable: Bool
    let body: Body?
    let answer: Answer
    /// Whether its answer has an `ETag`.
    let hasTag: Bool
    /// Whether it needs no token.
    let isOpen: Bool
    /// Whether it tells of refusals as the OpenFeature protocol does.
    let isEvaluation: Bool

    /// Describes an operation.
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

    /// The members that its body may hold.
    var memberNames: [String] {
        switch body {
        case .json(let fields, _): fields.map(\.name)
        case .choice(let shape): shape.sentFields.map(\.name)
        case .evaluation, .file, nil: []
        }
    }
}

extension Route {
    /// What programs can ask of each address that is for them.
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

    /// What programs can ask of this address, by method; none where it is for people.
    var operations: [HTTPRequest.Method: APIOperation] { Self.operationsByName[name] ?? [:] }

    private static let operationsByName = Dictionary(grouping: operations) { $0.route.name }.mapValues { rows in
        Dictionary(uniqueKeysWithValues: rows.map { ($0.method, $0.operation) })
    }
}

extension APIField {
    /// A key path as text.
    static let keyPath = JSONShape.schema(keyPathSchema)
    /// A key path as text, of any length: one that is too long is of no flag.
    static let keyPathSchema = ManifestJSONSchema.keyPath.filter { $0.key != "maxLength" }
    /// A day, or a time.
    static let time = JSONShape.schema([
        "anyOf": [["type": "string", "format": "date"], ["type": "string", "format": "date-time"]]
    ])
    /// The number of a change.
    static let change = JSONShape.schema([
        "type": "integer", "minimum": .integer(Int128(Int64.min)), "maximum": .integer(Int128(Int64.max)),
    ])
    /// A reason that the history keeps.
    static let reasonText = JSONShape.schema(["type": "string", "maxLength": 1000])

    static let reason = APIField("reason", reasonText, "Why, for the history.")
    static let preview = APIField("preview", .boolean, "If true, only returns a preview of the changes.")
    static let provider = APIField("provider", "The provider to change; without it, the first that can be.")
    static let limit = APIField(
        "limit", .schema(["type": "integer", "minimum": 1, "maximum": .integer(Int128(FlagPortion.largestLimit))]),
        "How many at most.")
    static let words = APIField("q", "Words that are all found in it.")
}

/// What operations are about, to list them by.
enum APISection: String, CaseIterable {
    case flags, definitions, history, evaluation, server

    /// The section of what is asked at an address.
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

    /// What it is called.
    var label: String {
        switch self {
        case .flags: "Flags and their values"
        case .definitions: "Definitions"
        case .history: "History"
        case .evaluation: "OpenFeature"
        case .server: "The server"
        }
    }
}
