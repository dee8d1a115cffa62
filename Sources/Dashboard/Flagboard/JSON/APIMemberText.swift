enum APIMemberText {
    static func text(of member: String, in document: String) -> String? { texts[document]?[member] }

    private static let codes =
        "The sort of problem, in a word that stays the same. "
        + ProblemCode.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: " ")

    private static let texts: [String: [String: String]] = [
        "Bulk": [
            "eventStreams": "Where a client hears that it should evaluate again.",
            "flags": "Each flag that may be seen.",
        ],
        "Change": [
            "id": "The number of the change; later ones are higher.",
            "batch": "What ties changes that were made together, all or none.",
            "at": "When it was made, as ISO 8601 in UTC.",
            "actor": "Who made it.",
            "role": "The role of who made it; empty where none is known.",
            "origin": "Which way it came in.",
            "kind": "What it did.",
            "provider": "The provider whose value was changed; left out where the definition was.",
            "key": "The key path of the flag.",
            "type": "The flag's type then; left out where none was known.",
            "before": "The value, or the definition, before it; left out where there was none.",
            "after": "The value, or the definition, after it; left out where there was none.",
            "reason": "Why it was made; empty where no reason was given.",
            "noteOn": "Of a note, the number of the change that it gives a reason for; left out otherwise.",
            "notes":
                "The reasons that the change was given later, oldest first; told where it is asked for by its number, and left out "
                + "where there are none.",
            "requestID": "The request that asked for it, as the server's log names it.",
            "hash": "The SHA-256 of the row and of all rows before it, in hexadecimal.",
            "altered":
                "True where another program altered the row after it was written: what it says is not proven; else left out.",
        ],
        "Comparison": [
            "left": "What the left side is: a provider, default or effective.",
            "right": "What the right side is.",
            "time": "When the left side was so; left out where both sides are of now.",
            "altered":
                "Changes that the left side follows from and that were altered after they were recorded, by their numbers, so that "
                + "it is not proven; left out where there are none.",
            "withoutPast":
                "Providers of the app, whose values of then are not known: the left side is told with those of now.",
            "flags": "The flags that were asked for.",
        ],
        "Comparison.Item": [
            "key": "The flag's key path.",
            "type": "The flag's type.",
            "difference":
                "What the sides come to: neither has a value, one has, or the values are the same or changed.",
            "left": "The left side's value; left out where it has none.",
            "right": "The right side's value; left out where it has none.",
            "leftProblem":
                "Why the left side's value is not one of the flag, or why the source of a stale one is broken.",
            "rightProblem":
                "Why the right side's value is not one of the flag, or why the source of a stale one is broken.",
            "leftStale": "True where the left side's value is the last good one of a broken source; else left out.",
            "rightStale": "True where the right side's value is the last good one of a broken source; else left out.",
        ],
        "Definition": [
            "key": "The flag's key path.",
            "definition": "What the manifest says of the flag, in the manifest's words.",
            "revision": "What a change of the definition states in If-Match.",
        ],
        "DefinitionList": [
            "definitions": "The definitions, in their order.",
            "after": "What to send as after for the next part; left out with the last one.",
        ],
        "DefinitionOutcome": [
            "outcome": "Whether there was something to do.",
            "change": "The change in the history; left out where nothing was written.",
            "definition": "The definition as the change left it; left out where there is none.",
        ],
        "Evaluation": [
            "key": "The flag's key path.",
            "value": "The value; left out where a client takes its own default. An array is the items of an object.",
            "reason":
                "STATIC for a value, STALE for the last good one of a source that is broken, DEFAULT for the default, DISABLED where the flag says nothing; left out of a failure.",
            "variant": "Where the value comes from: a provider, or the default; left out of a failure.",
            "metadata":
                "The source of the value, the flag's type, and, where a source is broken, which (brokenSource) and why (problem).",
            "errorCode": "GENERAL where nothing is known of the flag, since a source is broken; else left out.",
            "errorDetails": "Why nothing is known of the flag, in a sentence.",
        ],
        "EvaluationFailure": [
            "key": "The flag; left out where it is about no single one.",
            "errorCode": "What is wrong, in the protocol's words.",
            "errorDetails": "What is wrong, in a sentence.",
        ],
        "EventStream": [
            "type": "How the events are sent: sse.",
            "endpoint": "Where to listen.",
        ],
        "Flag": [
            "key": "The flag's key path.",
            "name": "What people call the flag.",
            "description": "What the flag is for; empty where that is not told.",
            "type": "The flag's type.",
            "value": "The effective value; left out where there is none.",
            "source": "Where the effective value comes from: a provider's name, computed, default or none.",
            "isStale": "True where the effective value is the last good one of a source that is broken; else left out.",
            "brokenSources":
                "The providers that the value would be from, or that would be asked before, and that are broken; left out where there are none.",
            "state": "How the flag is set.",
            "providers": "What each provider says, in order of precedence.",
            "default": "The default; left out where there is none.",
            "choices": "The values that the flag may have; left out where it may have any.",
            "minimum": "The least value.",
            "maximum": "The greatest value.",
            "pattern": "The regular expression that the text has to match.",
            "format": "The number that the app holds the value in, such as uint8; left out where it is not known.",
            "computed":
                "What the app computes at each read, so that it isn't known here: the value or the default; else left out.",
            "excludedProviders":
                "The providers that the app doesn't read the flag from; left out where there are none.",
            "group":
                "The path of the group that the flag is shown in; left out where that is the group of its key path.",
            "isOptional": "True where the flag may have no value; else left out.",
            "items": "What each element or value is, as in a manifest; left out where it may be anything.",
            "properties": "What the members of a JSON object are, by name; left out where they are not known.",
            "storage": "How values are stored, where the definition says so.",
            "tags": "The flag's tags.",
            "icon": "The name of the flag's icon, as of an SF Symbol; left out where it has none.",
            "owner": "Who answers for the flag.",
            "expires": "When the flag should be gone, as ISO 8601 in UTC.",
            "isDefined": "Whether the flag has a definition; without one its type is inferred from what it holds.",
            "isLocked": "Whether its value can't be changed until an admin unlocks it.",
            "requiresRestart": "Whether the app reads the flag only when it starts.",
            "unknownFields": "Fields of its definition that have no effect.",
        ],
        "FlagList": [
            "flags": "The flags, in their order.",
            "after": "What to send as after for the next part; left out with the last one.",
        ],
        "Health": [
            "status": "ready; degraded where flags can be read and not all is well; failed where none can be shown.",
            "readOnly": "Whether the server refuses every change, as it was told to.",
            "takesChanges": "Whether changes can be made now.",
            "openChange": "Whether a change was begun that is not yet completed or taken back.",
            "unreadableFiles": "How many files can't be read now.",
            "alteredRows":
                "How many rows of the history were found altered by another program; left out where none was.",
            "replica": "How fresh the flags are, where they are another server's; left out where they are not.",
            "webhooks": "How many webhooks don't take what they are told; left out where there are none.",
            "followers": "What passes the rows of the history on; left out where nothing does.",
        ],
        "Replica": [
            "age": "How many seconds ago the other server said that these are its flags; left out where it never did.",
            "failing": "Whether it can't be followed now.",
            "problem": "Why it can't; told where only this machine reaches the server.",
        ],
        "Follower": [
            "behind": "How many rows of the history it has not passed on yet; left out where that is not known.",
            "failing": "Whether it can't pass any on now.",
            "name": "Where the rows go; told where only this machine reaches the server.",
            "problem": "Why it can't; told where only this machine reaches the server.",
        ],
        "History": [
            "changes": "The changes, the newest first.",
            "total": "How many match without regard to the part, as far as they were counted.",
            "isTotalExact": "Whether there are no more than that.",
            "before": "What to send as before for the next part; left out with the last one.",
        ],
        "Import": [
            "provider": "The provider that was imported into.",
            "mode": "What happened to other values.",
            "preview": "Whether nothing was changed, since only a preview was asked for.",
            "flags": "What became of each flag; of keys that stand for no flag, the first 1,000 are told.",
            "moreUnknown": "How many more keys stand for no flag; left out where there are none.",
        ],
        "Import.Item": [
            "key": "The flag's key path.",
            "fate": "What became of it, or would.",
            "problem": "Why the value is not valid.",
        ],
        "Outcome": [
            "outcome": "Whether there was something to do.",
            "change": "The change in the history; left out where nothing was written.",
            "flag": "The flag as it is now; left out where nothing of it is left.",
            "retyped": "The parts that became another kind of value; left out where none did.",
            "waitsForRestart":
                "Whether the app reads the new value only when it starts again; left out where that can't be told.",
        ],
        "OutcomeList": ["outcomes": "What became of each change, in their order."],
        "Preview": ["changes": "What each change would do, in their order."],
        "Preview.Item": [
            "key": "The flag's key path.",
            "provider": "The provider that would be changed; left out where the definition would.",
            "before": "What is there now; left out for nothing.",
            "after": "What would be there; left out for nothing.",
            "changesNothing": "Whether it is so already.",
            "retyped": "The parts that would become another kind of value; left out where none would.",
            "refusal": "Why the change is refused; left out where it is allowed.",
        ],
        "Retyped": [
            "path": "Where the part stands in the value after the change, as a JSON Pointer.",
            "before": "Its kind before: date, data, real, integer, string, boolean, array or dictionary.",
            "after": "Its kind after.",
            "isNew": "Whether the part was added: the kind before is then that of all others beside it.",
        ],
        "Problem": [
            "type": "about:blank: the code says what sort of problem it is.",
            "code": codes,
            "title": "The sort of problem, in a few words.",
            "status": "The status of the answer.",
            "detail": "What is wrong, in sentences.",
            "remedy": "What to do.",
            "key": "The flag that it is about.",
            "problems": "What is wrong with each field of a definition, by the field's name.",
            "conflict": "What changed meanwhile.",
            "changes": "Of a batch or an import: what each change would have done, or why it is refused.",
        ],
        "Problem.Conflict": [
            "provider": "The provider.",
            "base": "What the change was based on; left out where the history doesn't know it.",
            "theirs": "What the provider holds now.",
            "yours": "What was asked for; left out for a reset.",
            "revision": "The revision of theirs.",
        ],
        "Problem.Version": [
            "value": "The value; left out where there was none.",
            "change": "The change by which it came there; left out where none is known.",
        ],
        "Provider": [
            "name": "What the provider is called.",
            "kind":
                "What sort of source it is: a file that is served, or a provider of the app itself, which has no history.",
            "source": "Where its values come from.",
            "isWritable": "Whether it can be changed here.",
            "isAsked":
                "Whether a read asks it; otherwise it holds the values of another environment, or of a connected app.",
            "count": "How many flags it holds a value of, or something that is none.",
            "problem": "Why its values can't be read now; left out where they can.",
        ],
        "ProviderList": ["providers": "The providers, in order of precedence."],
        "Reading": [
            "name": "The provider.",
            "answer": "Whether it holds a value, something that is none, or nothing.",
            "isAsked":
                "False where it holds the values of another environment or of a connected app, which a read does not ask; else left out.",
            "value": "The value that it holds.",
            "problem": "Why what it holds is no value of the flag.",
            "lastGood": "The last good value that it held, which counts where it is broken.",
            "revision":
                "What a change of this flag in this provider states in If-Match; left out where it can't be changed.",
        ],
        "Restart": [
            "waiting":
                "How many flags wait for another restart, since they were changed meanwhile; left out where that can't be told."
        ],
        "Snapshot": [
            "row": "The last row of the history that the flags are told with.",
            "hash": "That row's hash, in hexadecimal digits.",
            "knownHash":
                "The hash of the row that was asked for as known; left out where the history has no such row, or none any more.",
            "values":
                "The values in force that providers hold, as a property list; flags that have their default are left out.",
            "manifest": "The definitions, as a manifest; left out where there is none.",
            "broken": "Why a source is broken, by the key path of each flag that would be read from it.",
        ],
        "UnknownField": [
            "name": "The field.",
            "likely": "The field that was likely meant; left out where it is one of the author's own.",
        ],
        "WebhookHealth": [
            "failing": "How many are tried again later.",
            "disabled": "How many are told of nothing until they are enabled again.",
            "problem":
                "What keeps webhooks from being told, such as a file about them that can't be read; left out where nothing does. Which file it is, and why, is told on this machine alone.",
        ],
    ]
}
