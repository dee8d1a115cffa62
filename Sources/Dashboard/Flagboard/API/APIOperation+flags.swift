import FeatureFlags
import FeatureFlagsXML
import FlagChanges

extension APIOperation {
    static let listFlags = APIOperation(
        "listFlags", "List flags, in manifest order.",
        query: flagFilter + parts, condition: .known,
        answer: .json(
            .document("FlagList") {
                [
                    .init(name: "after", shape: .optional(.text)),
                    .init(name: "flags", shape: .array(FlagDocument.shape)),
                ]
            }), hasTag: true)

    static let getFlag = APIOperation(
        "getFlag",
        "Get a flag: its definition, its effective value and source, and the value in each "
            + "provider.", at: flagKey,
        query: [
            APIField("provider", "The provider whose revision is the ETag (default: the first writable one).")
        ],
        answer: .json(FlagDocument.shape), hasTag: true)

    static let setFlag = APIOperation(
        "setFlag", "Set a flag in a provider.", at: flagKey, query: [.provider], condition: .match, isRepeatable: true,
        body: .json(
            [
                APIField("value", .anything, "The value as JSON. Dates are ISO 8601 text; data is base64."),
                APIField("text", "The value as text, as entered on a page."), .provider, .reason, .confirm,
            ], rules: valueOrText),
        answer: .json(OutcomeDocument.shape), hasTag: true)

    static let resetFlag = APIOperation(
        "resetFlag",
        "Reset a flag: remove a provider's value and fall back to the next provider or the "
            + "default.", at: flagKey,
        query: [.provider, .reason, .confirm], condition: .match, isRepeatable: true,
        answer: .json(OutcomeDocument.shape),
        hasTag: true)

    static let applyBatch = APIOperation(
        "applyBatch", "Apply a batch of changes: all or none. With preview, only returns the results.",
        isRepeatable: true,
        body: .json(
            [
                APIField(
                    "changes",
                    .list(of: batchChange, upTo: Dashboard.largestBatch),
                    "The changes, in order.", isRequired: true),
                .reason, .confirm, .preview,
            ], rules: [:]), answer: .json(.either([OutcomeListDocument.shape, PreviewDocument.shape])))

    static let importValues = APIOperation(
        "importValues", "Import values from a property list or JSON, nested by key path. For admins.",
        query: [
            .provider,
            APIField("mode", ImportPlan.Mode.shape, "How to combine the import with existing values (default: merge)."),
            .reason, .confirm, APIField("preview", .boolean, "If true, only returns the result for each flag."),
            APIField(
                "partial", .boolean,
                "If true, skips invalid, locked and unknown flags instead of refusing the "
                    + "whole import."),
        ], isRepeatable: true, body: .file, answer: .json(ImportDocument.shape))

    static let compare = APIOperation(
        "compare", "Compare two providers, or two points in time.",
        query: [
            APIField("left", "A provider, default or effective. With time or before, its state at that time."),
            APIField("right", "A provider, default or effective, in its current state."),
            APIField(
                "show", .words(CompareFilter.Extent.allCases.map(\.name)), "Which flags to return (default: different)."
            ),
            .words, APIField("time", APIField.time, "The time for the left side."),
            APIField("before", APIField.change, "Compare with the state before this change."),
        ], answer: .json(ComparisonDocument.shape))

    static let listProviders = APIOperation(
        "listProviders", "List providers, highest priority first.", answer: .json(ProviderListDocument.shape))

    static let readSnapshot = APIOperation(
        "readSnapshot", "Get a snapshot of all flags, for replicas.",
        query: [
            APIField(
                "known", APIField.change,
                "The row of an earlier response. Its hash is returned as knownHash, so you can check that the history "
                    + "is still the same one."
            )
        ], condition: .known,
        answer: .json(SnapshotDocument.shape), hasTag: true)

    static let batchFields = batchChange.sentFields.map(\.name)

    /// Requires exactly one member; client generators can't handle a choice between unnamed schemas.
    private static let valueOrText: [String: FlagValue] = [
        "if": ["required": ["text"]], "then": ["not": ["required": ["value"]]], "else": ["required": ["value"]],
    ]

    static let flagKey = APIField(
        "key", .schema(["type": "string", "minLength": 1, "pattern": "^(?:[^~]|~[01])+$"]),
        "The flag's key path, percent-encoded. The / between its parts doesn't need encoding.", isRequired: true)

    static let flagFilter =
        [.words] + FlagCriterion.all.map { APIField($0.name, shape(of: $0.values), $0.about) } + [
            APIField("sort", .words(FlagFilter.Sort.allCases.map(\.rawValue)), "The sort order.")
        ]

    private static func shape(of values: FlagCriterion.Values) -> JSONShape {
        switch values {
        case .states: states
        case .words(let words): .words(words)
        case .keyPath: APIField.keyPath
        case .text: .text
        }
    }

    static let parts = [
        .limit, APIField("after", APIField.keyPath, "For the next page: the value of after in the previous response."),
    ]

    private static var states: JSONShape {
        let marks = FlagFilter.Mark.allCases.filter { !$0.isOfViewer }.map(\.rawValue).joined(separator: "|")
        let states = FlagFilter.State.allCases.map(\.rawValue).joined(separator: "|")
        return .schema([
            "type": "string", "pattern": .string("^(?:(?:\(marks)),)*(?:\(states)|\(marks))(?:,(?:\(marks)))*$"),
        ])
    }

    private static let batchChange: JSONShape = {
        func fields(_ actions: [String], _ others: [APIField] = []) -> [APIField] {
            [
                APIField("key", APIField.keyPath, "The flag.", isRequired: true),
                APIField("action", .words(actions), "The action.", isRequired: true), .provider,
            ] + others
        }
        func revision(isRequired: Bool) -> APIField {
            APIField(
                "revision",
                "The revision that the change is based on, or * to skip the "
                    + "check.", isRequired: isRequired)
        }
        let value = [
            APIField("value", .anything, "The value as JSON."),
            APIField(
                "text",
                "The value as text, as entered on a page. Use instead of "
                    + "value."), revision(isRequired: true),
        ]
        let definition = [
            APIField("definition", DefinitionDocument.wanted, "The complete definition.", isRequired: true),
            .breaksValues, revision(isRequired: false),
        ]
        return .choice(
            by: "action",
            [
                (["set"], .sent("SetChange", fields(["set"], value), rules: valueOrText)),
                (["reset"], .sent("ResetChange", fields(["reset"], [revision(isRequired: true)]))),
                (["lock", "unlock"], .sent("LockChange", fields(["lock", "unlock"], [revision(isRequired: false)]))),
                (["define"], .sent("DefineChange", fields(["define"], definition))),
            ])
    }()
}
