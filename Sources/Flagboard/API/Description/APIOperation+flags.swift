import FeatureFlags
import FeatureFlagsXML
import FlagChanges

/// Flags, and changes of their values.
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
            ], rules: ["oneOf": [["required": ["value"]], ["required": ["text"]]]]),
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
                    .schema([
                        "type": "array", "minItems": 1, "maxItems": .integer(Int128(Dashboard.largestBatch)),
                        "items": batchChange,
                    ]),
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

    /// What a batch's change holds.
    static let batchFields = ["key", "action", "value", "text", "definition", "provider", "revision"]

    /// A key path in an address.
    static let flagKey = APIField(
        "key", .schema(["type": "string", "minLength": 1, "pattern": "^(?:[^~]|~[01])+$"]),
        "The flag's key path, percent-encoded; the / between its parts may stand as it is.", isRequired: true)

    /// The list's filters.
    static let flagFilter = [
        .words, APIField("state", states, "A state and marks, joined by commas."),
        APIField("type", FlagType.shape, "The type."), APIField("tag", "A tag."),
        APIField("owner", "Whose the flags are."),
        APIField("group", APIField.keyPath, "The group that it stands in, by its key path."),
        APIField("provider", "The provider whose value is the effective one, or default."),
        APIField("sort", .words(FlagFilter.Sort.allCases.map(\.rawValue)), "The order."),
    ]

    /// Which part of a list.
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

    private static let batchChange: FlagValue = {
        let properties: [String: FlagValue] = [
            "key": .dictionary(APIField.keyPathSchema),
            "provider": [
                "type": "string", "description": "The provider to change; without it, the first that can be.",
            ],
            "revision": ["type": "string", "description": "What the change is based on, or * for any value."],
        ]
        let set: [String: FlagValue] = [
            "action": ["type": "string", "const": "set"],
            "value": ["description": "The value as JSON."],
            "text": ["type": "string", "description": "The value as it is typed on a page, in place of value."],
        ]
        func object(_ others: [String: FlagValue], _ rules: [String: FlagValue]) -> FlagValue {
            let object: [String: FlagValue] = [
                "type": "object", "additionalProperties": false,
                "properties": .dictionary(properties.merging(others) { $1 }),
            ]
            return .dictionary(object.merging(rules) { $1 })
        }
        return [
            "oneOf": [
                object(
                    set,
                    [
                        "required": ["key", "action", "revision"],
                        "oneOf": [["required": ["value"]], ["required": ["text"]]],
                    ]),
                object(
                    ["action": ["type": "string", "const": "reset"]], ["required": ["key", "action", "revision"]]),
                object(
                    ["action": ["type": "string", "enum": ["lock", "unlock"]]], ["required": ["key", "action"]]),
                object(
                    [
                        "action": ["type": "string", "const": "define"],
                        "definition": .dictionary(DefinitionDocument.wantedSchema),
                    ], ["required": ["key", "action", "definition"]]),
            ]
        ]
    }()
}
