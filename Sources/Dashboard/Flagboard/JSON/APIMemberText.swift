enum APIMemberText {
    static func text(of member: String, in document: String) -> String? { texts[document]?[member] }

    private static let codes =
        "A stable, machine-readable code for the kind of problem. "
        + ProblemCode.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: " ")

    private static let texts: [String: [String: String]] = [
        "Bulk": [
            "eventStreams": "The event streams that announce when to evaluate again.",
            "flags": "The flags that the caller can see.",
        ],
        "Comparison": [
            "left": "The left side: a provider, default or effective.",
            "right": "The right side.",
            "time": "The time of the left side. Omitted if both sides are current.",
            "altered":
                "The numbers of altered changes that the left side depends on, so that it can't be trusted. Omitted if "
                + "there are none.",
            "withoutPast":
                "Providers of the app. Their past values aren't recorded, so the left side has their current ones.",
            "flags": "The requested flags.",
        ],
        "Comparison.Item": [
            "key": "The flag's key path.",
            "type": "The flag's type.",
            "difference":
                "The result: neither side has a value, only one has, or the values are the same or changed.",
            "left": "The value on the left side. Omitted if there is none.",
            "right": "The value on the right side. Omitted if there is none.",
            "leftProblem":
                "Why the left value is invalid, or why its provider is broken if the value is stale.",
            "rightProblem":
                "Why the right value is invalid, or why its provider is broken if the value is stale.",
            "leftStale": "True if the left value is the last good value of a broken provider. Omitted otherwise.",
            "rightStale": "True if the right value is the last good value of a broken provider. Omitted otherwise.",
            "leftComputed": "True if only the app knows the left value, which it computes. Omitted otherwise.",
            "rightComputed": "True if only the app knows the right value, which it computes. Omitted otherwise.",
        ],
        "Definition": [
            "key": "The flag's key path.",
            "definition": "The flag's fields in the manifest.",
            "revision": "The value to send as If-Match to change the definition.",
        ],
        "DefinitionList": [
            "definitions": "The definitions, in order.",
            "after": "The value to send as after for the next page. Omitted on the last page.",
        ],
        "DefinitionOutcome": [
            "outcome": "Whether anything changed.",
            "change": "The recorded change. Omitted if nothing changed.",
            "definition": "The definition after the change. Omitted if there is none.",
        ],
        "Evaluation": [
            "key": "The flag's key path.",
            "value": "The value. Omitted if the client should use its own default. An array is wrapped in an "
                + "object, as its items member.",
            "reason":
                "STATIC for a value, STALE for the last good value of a broken provider, DEFAULT for the default, "
                + "DISABLED if the flag has no value. Omitted on failure.",
            "variant": "The source of the value: a provider or the default. Omitted on failure.",
            "metadata":
                "The source of the value and the flag's type. If a provider is broken, also its name (brokenSource) "
                + "and the cause (problem).",
            "errorCode": "GENERAL if the flag can't be evaluated because a provider is broken. Omitted otherwise.",
            "errorDetails": "Why the flag can't be evaluated.",
        ],
        "EvaluationFailure": [
            "key": "The flag. Omitted if the problem isn't about a single flag.",
            "errorCode": "The OpenFeature error code.",
            "errorDetails": "The problem, as a sentence.",
            "metadata":
                "The flag's type, the broken provider (brokenSource) and the cause (problem). Omitted if no flag "
                + "is broken.",
        ],
        "EventStream": [
            "type": "How events are sent: sse.",
            "endpoint": "The address of the event stream.",
        ],
        "Flag": [
            "key": "The flag's key path.",
            "name": "The flag's display name.",
            "description": "The description. Can be empty.",
            "type": "The flag's type.",
            "value": "The effective value. Omitted if there is none.",
            "source": "The source of the effective value: a provider's name, computed, default or none.",
            "isStale": "True if the effective value is the last good value of a broken provider. Omitted otherwise.",
            "brokenSources":
                "Broken providers that would otherwise provide the value, or come before the one that does. Omitted if "
                + "there are none.",
            "state": "Where the value comes from, and its on/off state for a Boolean.",
            "providers": "The value in each provider, highest priority first.",
            "default": "The default. Omitted if there is none.",
            "choices": "The allowed values. Omitted if any value is allowed.",
            "minimum": "The minimum.",
            "maximum": "The maximum.",
            "pattern": "The regular expression that the text must match.",
            "format": "The app's number type, such as uint8. Omitted if unknown.",
            "computed":
                "What the app computes at each read, so that it isn't available here: the value or the default. "
                + "Omitted otherwise.",
            "excludedProviders":
                "The providers that the app skips for this flag. Omitted if there are none.",
            "group":
                "The path of the group that shows the flag. Omitted if it is the group in the key path.",
            "isOptional": "True if the flag can have no value. Omitted otherwise.",
            "items": "The schema of each element or value, as in a manifest. Omitted if there is none.",
            "properties": "The members of a JSON object, by name. Omitted if unknown.",
            "storage": "How values are stored, if the definition sets it.",
            "tags": "The flag's tags.",
            "icon": "The name of the flag's icon, such as an SF Symbol. Omitted if there is none.",
            "owner": "The person or team responsible for the flag.",
            "expires": "The expiry date, in ISO 8601 (UTC).",
            "retired": "Why the flag is deprecated. Omitted if it isn't.",
            "isDefined": "Whether the flag has a definition. If not, its type is inferred from its value.",
            "isLocked": "Whether the flag is locked, so that it can't be changed until an admin unlocks it.",
            "requiresRestart": "Whether changes apply only after the app restarts.",
            "unknownFields": "Fields in the definition that have no effect.",
        ],
        "FlagList": [
            "flags": "The flags, in order.",
            "after": "The value to send as after for the next page. Omitted on the last page.",
        ],
        "Health": [
            "status": "ready; degraded if flags can be read but there are problems; failed if no flags can be read.",
            "readOnly": "Whether the server is in read-only mode.",
            "takesChanges": "Whether changes can be made now.",
            "openChange": "Whether a change is pending: neither completed nor undone yet.",
            "unreadableFiles": "The number of files that can't be read.",
            "alteredRows":
                "The number of altered rows in the history. Omitted if there are none.",
            "historySigned": "Whether new history rows are signed. Omitted if they are.",
            "replica":
                "The state of the followed source, or of the worst one if there are several. Omitted if none is followed.",
            "webhooks": "The state of failing webhooks. Omitted if there are no webhooks.",
            "followers": "The state of publishing. Omitted if nothing is published.",
        ],
        "Replica": [
            "age": "The time since the source last confirmed the flags, in seconds. Omitted if it never has.",
            "failing": "Whether the source can't be followed now.",
            "problem":
                "Why the source can't be followed. Only included if the server can be reached from this machine alone.",
        ],
        "Follower": [
            "behind": "The number of history rows not published yet. Omitted if unknown.",
            "failing": "Whether publishing is failing.",
            "name": "The address that rows are published to. Only included if the server can be reached from this "
                + "machine alone.",
            "problem": "Why publishing is failing. Only included if the server can be reached from this machine alone.",
        ],
        "History": [
            "changes": "The changes, newest first.",
            "total": "The total number of matches, as far as they were counted.",
            "isTotalExact": "Whether the total is exact.",
            "before": "The value to send as before for the next page. Omitted on the last page.",
            "altered": "The numbers of rows found altered or missing so far. Omitted if there are none.",
        ],
        "Import": [
            "provider": "The provider that the values were imported into.",
            "mode": "How the import was combined with existing values.",
            "preview": "Whether this is only a preview and nothing was changed.",
            "flags": "The result for each flag. Includes up to 1,000 unknown key paths.",
            "moreUnknown": "The number of further unknown key paths. Omitted if there are none.",
            "refusal": "In a preview, why nothing would be imported. Omitted if the import is allowed.",
        ],
        "Import.Item": [
            "key": "The flag's key path.",
            "fate": "What happened to the flag, or would happen.",
            "problem": "Why the value is invalid.",
            "retyped": "The parts that are stored as a different type. Omitted if there are none.",
        ],
        "Outcome": [
            "outcome": "Whether anything changed.",
            "change": "The recorded change. Omitted if nothing changed.",
            "flag": "The flag after the change. Omitted if it no longer exists.",
            "retyped": "The parts that were stored as a different type. Omitted if there are none.",
            "waitsForRestart":
                "Whether the new value applies only after the app restarts. Omitted if unknown.",
        ],
        "OutcomeList": ["outcomes": "The result of each change, in order."],
        "Preview": ["changes": "What each change would do, in order."],
        "Preview.Item": [
            "key": "The flag's key path.",
            "provider": "The provider that would change. Omitted for a change to the definition.",
            "before": "The current value or definition. Omitted if there is none.",
            "after": "The new value or definition. Omitted if there is none.",
            "changesNothing": "Whether the change has no effect.",
            "retyped": "The parts that would be stored as a different type. Omitted if there are none.",
            "refusal": "Why the change is refused. Omitted if it is allowed.",
        ],
        "Retyped": [
            "path": "The position of the part in the new value, as a JSON Pointer.",
            "before": "Its type before: date, data, real, integer, string, boolean, array or dictionary.",
            "after": "Its type after.",
            "isNew": "Whether the part is new. Its type before is then the type of its siblings.",
        ],
        "Problem": [
            "type": "about:blank. Use code for the kind of problem.",
            "code": codes,
            "title": "A short title of the problem.",
            "status": "The HTTP status of the response.",
            "detail": "The problem, in sentences.",
            "remedy": "The next step.",
            "key": "The flag that the problem is about.",
            "problems": "The problems in a definition, by field name.",
            "conflict": "What changed in the meantime.",
            "changes": "For a batch or an import: the result of each change, or why it is refused.",
        ],
        "Problem.Conflict": [
            "provider": "The provider.",
            "base": "The state that the change was based on. Omitted if the history doesn't have it.",
            "theirs": "The provider's current state.",
            "yours": "The requested value. Omitted for a reset.",
            "revision": "The current revision.",
        ],
        "Problem.Version": [
            "value": "The value. Omitted if there was none.",
            "change": "The change that set it. Omitted if unknown.",
        ],
        "Provider": [
            "name": "The provider's name.",
            "declaredName":
                "Its name in the app's code, if it is shown by that of its environment. Omitted otherwise.",
            "kind":
                "The kind of source: a file on the server, or a provider of the app, whose values have no history.",
            "source": "Where its values come from.",
            "isWritable": "Whether its values can be changed here.",
            "isAsked":
                "Whether the provider is used for values. If not, it belongs to another environment or to a connected "
                + "app.",
            "count": "The number of flags with a value in this provider, including invalid values.",
            "problem": "Why its values can't be read. Omitted if they can.",
        ],
        "ProviderList": ["providers": "The providers, highest priority first."],
        "Reading": [
            "name": "The provider.",
            "answer": "Whether the provider has a value, an invalid value or no value.",
            "isAsked":
                "False if the provider belongs to another environment or to a connected app, so that it isn't used for "
                + "values. Omitted otherwise.",
            "value": "The provider's value.",
            "problem": "Why the provider's value is invalid.",
            "lastGood": "The last good value, which is used while the provider is broken.",
            "revision":
                "The value to send as If-Match to change this flag in this provider. Omitted if it can't be changed.",
        ],
        "Restart": [
            "waiting":
                "The number of flags that still need a restart, because they changed in the meantime. Omitted if "
                + "unknown."
        ],
        "Snapshot": [
            "row": "The last history row that the snapshot includes.",
            "hash": "The hash of that row, in hexadecimal.",
            "knownHash":
                "The hash of the row in known. Omitted if the history doesn't have that row.",
            "values":
                "The values in use from providers, as a property list. Flags with their default are omitted.",
            "manifest": "The definitions, as a manifest. Omitted if there are none.",
            "broken": "Why a provider is broken, by the key path of each affected flag.",
        ],
        "UnknownField": [
            "name": "The field.",
            "likely": "The field that was likely intended. Omitted if unknown.",
        ],
        "WebhookHealth": [
            "failing": "The number of webhooks waiting to retry.",
            "disabled": "The number of disabled webhooks.",
            "problem":
                "What stops all deliveries, such as an unreadable file. Omitted if nothing does. The file and the "
                + "cause are only included if the server can be reached from this machine alone.",
        ],
    ]
}
