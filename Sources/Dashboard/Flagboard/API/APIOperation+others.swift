import FeatureFlags
import FeatureFlagsXML
import FlagHistory

extension APIOperation {
    static let listChanges = APIOperation(
        "listChanges", "List changes, newest first.", query: changeFilter + [.limit],
        answer: .json(HistoryDocument.shape))

    private static let changeFilter = [
        .words, APIField("key", APIField.keyPath, "Only changes to this flag."),
        APIField("group", APIField.keyPath, "Only changes to flags in this group, by key path."),
        APIField(
            "batch", .schema(["type": "string", "format": "uuid"]), "Only changes in this batch."),
        APIField("actor", "Only changes by this actor."),
        APIField("origin", HistoryRecord.Origin.shape, "Only changes made this way."),
        APIField("kind", HistoryRecord.Kind.shape, "Only changes of this kind."),
        APIField("from", APIField.time, "Only changes from this day or time on."),
        APIField("to", APIField.time, "Only changes up to the end of this day, or up to this time."),
        APIField("since", APIField.change, "Only changes after this one. Page through them with before or after."),
        APIField(
            "before", APIField.change,
            "Only changes older than this one. For the next page: the value of before in the previous response."),
        APIField("after", APIField.change, "Only changes newer than this one."),
    ]

    static let getChange = APIOperation(
        "getChange", "Get a change.", at: APIField("id", APIField.change, "The change number.", isRequired: true),
        answer: .json(ChangeDocument.shape))

    static let addNote = APIOperation(
        "addNote", "Add a reason to a change after it was made.",
        at: APIField("id", APIField.change, "The change number.", isRequired: true), isRepeatable: true,
        body: .json([APIField("reason", "The reason.", isRequired: true)], rules: [:]),
        answer: .json(OutcomeDocument.shape))

    static let revertChange = APIOperation(
        "revertChange", "Revert a change. With preview, only returns the result.",
        at: APIField("id", APIField.change, "The change number.", isRequired: true), isRepeatable: true,
        body: .json(
            [
                APIField(
                    "scope", .words(RevertRequest.Scope.allCases.map(\.rawValue)),
                    "change (default), or batch for the whole batch that the change belongs to."), .reason, .confirm,
                .preview,
            ], rules: [:]), answer: .json(.either([OutcomeListDocument.shape, PreviewDocument.shape])))

    static let undo = APIOperation(
        "undo", "Undo your last change, including the rest of its batch.", isRepeatable: true,
        body: .json([.reason, .confirm, .preview], rules: [:]),
        answer: .json(.either([OutcomeListDocument.shape, PreviewDocument.shape])))

    static let export = APIOperation(
        "export", "Download values, effective values, the manifest or the history.",
        at: APIField("file", .words(Route.downloads.map(\.fileName)), "The content and format.", isRequired: true),
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
        "For history.csv: whether to start with a byte order mark, which Excel needs.")
    private static let exportedFlags =
        flagFilter + [APIField(ExportLink.provider, "For values: the provider (default: the first one).")]

    static let listDefinitions = APIOperation(
        "listDefinitions", "List definitions.", query: flagFilter + parts,
        answer: .json(DefinitionListDocument.shape))

    static let getDefinition = APIOperation(
        "getDefinition", "Get a definition.", at: flagKey,
        answer: .json(DefinitionDocument.shape),
        hasTag: true)

    static let putDefinition = APIOperation(
        "putDefinition", "Define a flag or change its definition. For admins.", at: flagKey, condition: .matchOrNew,
        isRepeatable: true,
        body: .json(
            [
                APIField(
                    "definition", DefinitionDocument.wanted,
                    "The complete definition. Missing fields are removed.",
                    isRequired: true),
                .breaksValues, .reason, .confirm,
            ], rules: [:]), answer: .json(DefinitionOutcomeDocument.shape), hasTag: true)

    static let moveDefinition = APIOperation(
        "moveDefinition",
        "Rename a flag with its values, deprecate it, or remove the deprecation. For "
            + "admins.", at: flagKey,
        condition: .match, isRepeatable: true,
        body: .choice(move), answer: .json(DefinitionOutcomeDocument.shape), hasTag: true)

    private static let move: JSONShape = {
        func action(_ words: [String]) -> APIField {
            APIField("action", .words(words), "The action.", isRequired: true)
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
                            .confirm,
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
                                "The reason. For retire: why the flag is deprecated."),
                        ])
                ),
            ])
    }()

    static let deleteDefinition = APIOperation(
        "deleteDefinition", "Delete a definition and the flag's values. For admins.", at: flagKey,
        query: [APIField("keepValues", .boolean, "If true, keeps the stored values."), .reason, .confirm],
        condition: .match,
        isRepeatable: true, answer: .json(DefinitionOutcomeDocument.shape))

    static let reportRestart = APIOperation(
        "reportRestart", "Report that the app has restarted. Clears the list of pending restarts.",
        answer: .json(RestartDocument.shape))

    static let listen = APIOperation(
        "listen", "Stream changes as Server-Sent Events.",
        query: [
            APIField("after", APIField.change, "The last change received."),
            APIField("standing", "The data-standing of a page. If it is outdated, a standing event is sent."),
        ], answer: .media(["text/event-stream"]))

    static let describe = APIOperation(
        "describe", "Get this description, in OpenAPI 3.1 format.",
        answer: .json(.schema(["type": "object"])))

    static let evaluateFlags = APIOperation(
        "evaluateFlags", "Evaluate all flags for an OpenFeature client.",
        query: [
            APIField("flagConfigEtag", "The ETag from an event. Accepted but not needed."),
            APIField("flagConfigLastModified", "The time from an event. Accepted but not needed."),
        ], condition: .known, body: .evaluation,
        answer: .json(BulkDocument.shape), hasTag: true, isEvaluation: true)

    static let evaluateFlag = APIOperation(
        "evaluateFlag", "Evaluate a flag for an OpenFeature client.", at: flagKey, body: .evaluation,
        answer: .json(Evaluation.shape), isEvaluation: true)

    static let listenToEvaluations = APIOperation(
        "listenToEvaluations", "Stream re-evaluation events for OpenFeature clients, as Server-Sent Events.",
        query: [
            APIField(
                StreamTicket.field,
                "The ticket in the address that an evaluation of all flags names, for clients that can’t send a token.")
        ], answer: .media(["text/event-stream"]))

    static let health = APIOperation(
        "health", "Check the server's health. Responds with 503 if it can't serve flags.", takesAnyQuery: true,
        answer: .json(HealthDocument.shape), isOpen: true)

    static let metrics = APIOperation(
        "metrics", "Get metrics in the Prometheus text format. They contain no flag names or values.",
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
