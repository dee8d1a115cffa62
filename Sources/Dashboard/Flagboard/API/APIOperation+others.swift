import FeatureFlags
import FeatureFlagsXML
import FlagHistory

extension APIOperation {
    static let listChanges = APIOperation(
        "listChanges", "Lists changes, the newest first.", query: changeFilter + [.limit],
        answer: .json(HistoryDocument.shape))

    private static let changeFilter = [
        .words, APIField("key", APIField.keyPath, "The flag."),
        APIField("group", APIField.keyPath, "The group that the flags are in by their key paths."),
        APIField(
            "batch", .schema(["type": "string", "format": "uuid"]), "What ties changes that were made together."),
        APIField("actor", "Who made them."),
        APIField("origin", HistoryRecord.Origin.shape, "Which way they came in."),
        APIField("kind", HistoryRecord.Kind.shape, "What they did."),
        APIField("from", APIField.time, "The first day or time."),
        APIField("to", APIField.time, "The last day, to its end, or time."),
        APIField("since", APIField.change, "The change after which all begins, on each page of the answer."),
        APIField("before", APIField.change, "Only changes older than this one: before of the answer before."),
        APIField("after", APIField.change, "Only changes newer than this one."),
    ]

    static let getChange = APIOperation(
        "getChange", "Tells of one change.", at: APIField("id", APIField.change, "Its number.", isRequired: true),
        answer: .json(ChangeDocument.shape))

    static let addNote = APIOperation(
        "addNote", "Gives a change a reason after it was made.",
        at: APIField("id", APIField.change, "Its number.", isRequired: true), isRepeatable: true,
        body: .json([APIField("reason", "Why it was made.", isRequired: true)], rules: [:]),
        answer: .json(OutcomeDocument.shape))

    static let revertChange = APIOperation(
        "revertChange", "Reverts a change; with preview, only returns the plan.",
        at: APIField("id", APIField.change, "Its number.", isRequired: true), isRepeatable: true,
        body: .json(
            [
                APIField(
                    "scope", .words(RevertRequest.Scope.allCases.map(\.rawValue)),
                    "change where it is missing; batch for all that were made together with it."), .reason, .preview,
            ], rules: [:]), answer: .json(.either([OutcomeListDocument.shape, PreviewDocument.shape])))

    static let undo = APIOperation(
        "undo", "Reverts the caller's last change, with its whole batch.", isRepeatable: true,
        body: .json([.reason, .preview], rules: [:]),
        answer: .json(.either([OutcomeListDocument.shape, PreviewDocument.shape])))

    static let export = APIOperation(
        "export", "Downloads values, effective values, the manifest or the history.",
        at: APIField("file", .words(Route.downloads.map(\.fileName)), "What, and in which format.", isRequired: true),
        query: exportedFlags
            + changeFilter.filter { field in !exportedFlags.contains { $0.name == field.name } } + [byteOrderMark],
        answer: .media(["application/xml", "application/json", "application/jsonl", "text/csv", "text/plain"]))

    static func exportQuery(of download: Route) -> [APIField] {
        switch download {
        case .historyCSV: changeFilter + [byteOrderMark]
        case .historyJSONLines: changeFilter
        case .values, .valuesJSON: exportedFlags
        default: flagFilter
        }
    }

    private static let byteOrderMark = APIField(
        Dashboard.byteOrderMark, .boolean,
        "Of history.csv: whether it begins with a byte order mark, as Excel needs it.")
    private static let exportedFlags =
        flagFilter + [APIField(ExportLink.provider, "Of values: the provider that holds them; without it, the first.")]

    static let listDefinitions = APIOperation(
        "listDefinitions", "Lists what the manifest says of each flag.", query: flagFilter + parts,
        answer: .json(DefinitionListDocument.shape))

    static let getDefinition = APIOperation(
        "getDefinition", "Tells what the manifest says of a flag.", at: flagKey,
        answer: .json(DefinitionDocument.shape),
        hasTag: true)

    static let putDefinition = APIOperation(
        "putDefinition", "Defines a flag, or changes its definition. For admins.", at: flagKey, condition: .matchOrNew,
        isRepeatable: true,
        body: .json(
            [
                APIField(
                    "definition", DefinitionDocument.wanted,
                    "The whole definition; a field that is missing is removed.",
                    isRequired: true),
                APIField(
                    "breaksValues", .boolean, "Whether also where a value that is held will not be valid any more."),
                .reason,
            ], rules: [:]), answer: .json(DefinitionOutcomeDocument.shape), hasTag: true)

    static let moveDefinition = APIOperation(
        "moveDefinition", "Renames a flag with its values, retires it, or takes that back. For admins.", at: flagKey,
        condition: .match, isRepeatable: true,
        body: .choice(move), answer: .json(DefinitionOutcomeDocument.shape), hasTag: true)

    private static let move: JSONShape = {
        func action(_ words: [String]) -> APIField {
            APIField("action", .words(words), "What to do.", isRequired: true)
        }
        return .choice(
            by: "action",
            [
                (
                    ["rename"],
                    .sent(
                        "Renaming",
                        [
                            action(["rename"]),
                            APIField("newKey", APIField.keyPath, "The new key path.", isRequired: true), .reason,
                        ])
                ),
                (
                    ["retire", "restore"],
                    .sent(
                        "Retirement",
                        [
                            action(["retire", "restore"]),
                            APIField(
                                "reason", APIField.reasonText,
                                "Why; of retire, why the flag should not be used any more."),
                        ])
                ),
            ])
    }()

    static let deleteDefinition = APIOperation(
        "deleteDefinition", "Removes a definition, and the flag's values. For admins.", at: flagKey,
        query: [APIField("keepValues", .boolean, "Whether the values stay."), .reason], condition: .match,
        isRepeatable: true, answer: .json(DefinitionOutcomeDocument.shape))

    static let reportRestart = APIOperation(
        "reportRestart", "Reports that the app was restarted, so that nothing waits for that any more.",
        answer: .json(RestartDocument.shape))

    static let listen = APIOperation(
        "listen", "Streams what changes, as Server-Sent Events.",
        query: [
            APIField("after", APIField.change, "The change that was told last."),
            APIField("standing", "What a page shows: its data-standing."),
        ], answer: .media(["text/event-stream"]))

    static let describe = APIOperation(
        "describe", "Tells this description, as OpenAPI 3.1.",
        answer: .json(.schema(["type": "object"])))

    static let evaluateFlags = APIOperation(
        "evaluateFlags", "Evaluates all flags for a client of OpenFeature.",
        query: [
            APIField("flagConfigEtag", "What the stream told that is new; not needed here."),
            APIField("flagConfigLastModified", "When that was, where a stream tells it; not needed here."),
        ], condition: .known, body: .evaluation,
        answer: .json(BulkDocument.shape), hasTag: true, isEvaluation: true)

    static let evaluateFlag = APIOperation(
        "evaluateFlag", "Evaluates a flag for a client of OpenFeature.", at: flagKey, body: .evaluation,
        answer: .json(Evaluation.shape), isEvaluation: true)

    static let listenToEvaluations = APIOperation(
        "listenToEvaluations", "Streams when to evaluate all flags again, as Server-Sent Events.",
        answer: .media(["text/event-stream"]))

    static let health = APIOperation(
        "health", "Tells whether the server does its work; 503 where it doesn't.", takesAnyQuery: true,
        answer: .json(HealthDocument.shape), isOpen: true)

    static let metrics = APIOperation(
        "metrics", "Tells in Prometheus' text format what was counted; nothing of what the flags are.",
        takesAnyQuery: true,
        answer: .media(["text/plain"]))
}

extension DefinitionDocument {
    /// A definition's fields without the key path, which is a member beside them.
    static let fields = JSONShape.document("DefinitionFields") {
        manifestFields.map { field, schema in
            .init(name: field.rawValue, shape: field == .type ? .schema(schema) : .optional(.schema(schema)))
        }
    }

    static let wanted = JSONShape.sent(
        "WantedDefinition",
        manifestFields.map { field, schema in
            APIField(
                field.rawValue, .schema(schema), schema["description"]?.text ?? "", isRequired: field == .type)
        })

    private static let manifestFields = ManifestField.Place.flag.fields.filter { $0 != .key }.map { field in
        var schema = ManifestJSONSchema.described(field)
        // Client generators refuse a list without `items`.
        if schema["type"] == "array", schema["items"] == nil { schema["items"] = [:] }
        if [.schema, .schemas].contains(field.shape) {
            // The manifest's schema names a definition that is not in this document.
            schema = ["type": "object", "description": schema["description"] ?? ""]
        }
        return (field, schema)
    }
}
