import FeatureFlags
import FeatureFlagsXML
import FlagChanges

extension APIOperation {
    static let listFlags = APIOperation(
        "listFlags", "Lists the flags, in the order of their definitions; all of them, or a part.",
        query: flagFilter + parts, condition: .known,
        answer: .json(
            .document("FlagList") {
                [
                    .init(name: "after", shape: .optional(.text)),
                    .init(name: "flags", shape: .array(FlagDocument.shape)),
                ]
            }), hasTag: true)

    static let getFlag = APIOperation(
        "getFlag", "Tells what a flag is, what a read returns and why, and what each provider holds.", at: flagKey,
        query: [
            APIField("provider", "The provider whose revision is the ETag; without it, the first that can be changed.")
        ],
        answer: .json(FlagDocument.shape), hasTag: true)

    static let setFlag = APIOperation(
        "setFlag", "Sets a flag in a provider.", at: flagKey, query: [.provider], condition: .match, isRepeatable: true,
        body: .json(
            [
                APIField("value", .anything, "The value as JSON; dates are ISO 8601 text, data is base64."),
                APIField("text", "The value as it is typed on a page."), .provider, .reason,
            ], rules: valueOrText),
        answer: .json(OutcomeDocument.shape), hasTag: true)

    static let resetFlag = APIOperation(
        "resetFlag", "Removes a provider's value, so that the flag falls back to its next source.", at: flagKey,
        query: [.provider, .reason], condition: .match, isRepeatable: true, answer: .json(OutcomeDocument.shape),
        hasTag: true)

    static let applyBatch = APIOperation(
        "applyBatch", "Makes all of some changes, or none; with preview it only tells what they would do.",
        isRepeatable: true,
        body: .json(
            [
                APIField(
                    "changes",
                    .list(of: batchChange, upTo: Dashboard.largestBatch),
                    "The changes, in their order.", isRequired: true),
                .reason, .preview,
            ], rules: [:]), answer: .json(.either([OutcomeListDocument.shape, PreviewDocument.shape])))

    static let importValues = APIOperation(
        "importValues", "Imports a property list or JSON, nested by key path. For admins.",
        query: [
            .provider,
            APIField("mode", ImportPlan.Mode.shape, "What happens to other values; merge where it is missing."),
            .reason, APIField("preview", .boolean, "Whether to tell only what would become of each flag."),
            APIField("partial", .boolean, "Whether what is refused is left out, rather than all."),
        ], isRepeatable: true, body: .file, answer: .json(ImportDocument.shape))

    static let compare = APIOperation(
        "compare", "Tells what differs between two sides, or between then and now.",
        query: [
            APIField("left", "A provider, default or effective; with time or before, as it was then."),
            APIField("right", "A provider, default or effective, as it is."),
            APIField(
                "show", .words(CompareFilter.Extent.allCases.map(\.name)), "Which flags; different where it is missing."
            ),
            .words, APIField("time", APIField.time, "The moment of the left side."),
            APIField("before", APIField.change, "The change before which the left side was so."),
        ], answer: .json(ComparisonDocument.shape))

    static let listProviders = APIOperation(
        "listProviders", "Lists the providers in order of precedence.", answer: .json(ProviderListDocument.shape))

    static let readSnapshot = APIOperation(
        "readSnapshot", "Tells all flags at one moment, as a replica takes them over.",
        query: [
            APIField(
                "known", APIField.change,
                "The row of an earlier answer; its hash is told as knownHash, to tell whether this is still the same history."
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
        "The flag's key path, percent-encoded; the / between its parts may stand as it is.", isRequired: true)

    static let flagFilter =
        [.words] + FlagCriterion.all.map { APIField($0.name, shape(of: $0.values), $0.about) } + [
            APIField("sort", .words(FlagFilter.Sort.allCases.map(\.rawValue)), "The order.")
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
        .limit, APIField("after", APIField.keyPath, "The flag behind which to begin: after of the answer before."),
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
                APIField("action", .words(actions), "What to do.", isRequired: true), .provider,
            ] + others
        }
        func revision(isRequired: Bool) -> APIField {
            APIField("revision", "What the change is based on, or * for any value.", isRequired: isRequired)
        }
        let value = [
            APIField("value", .anything, "The value as JSON."),
            APIField("text", "The value as it is typed on a page, in place of value."), revision(isRequired: true),
        ]
        let definition = [
            APIField("definition", DefinitionDocument.wanted, "The whole definition.", isRequired: true),
            revision(isRequired: false),
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
