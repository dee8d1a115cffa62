import FeatureFlags
import FlagChanges

struct FlagEditor: Hashable, PagePart {
    let action: String
    /// The list that the row is open in.
    let back: String?
    let provider: String
    /// Links rather than a select, since each provider has its own revision.
    let otherProviders: [TextLink]
    let revision: String
    /// The choices, if they are few.
    let radios: [ChoiceOption]
    /// The choices, if they are many.
    let options: [ChoiceOption]
    let line: LineField?
    /// `nil` unless the field is for colours.
    let colour: String?
    let area: AreaField?
    /// For a flag that holds data.
    let upload: Upload?
    let type: String
    /// The layout that decides what JSON may hold; empty if only the history may know it.
    let layout: String
    /// In bytes.
    let dataLimit: String
    /// A note on a value that is missing or looks like it.
    let heldNote: String?
    let hint: String
    let suggestions: [Suggestion]
    let brokenNote: String?
    /// The origin of the content if the provider has no value.
    let startNote: String?
    /// A note on a stored value of another kind.
    let storedNote: String?
    /// A note that another provider was requested.
    let providerNote: String?
    /// A note that another value stays effective.
    let shadowNote: String?
    let formProblem: String?
    let valueProblem: String?
    /// Set if the flag was changed meanwhile.
    let conflict: [ConflictRow]
    /// `set` or `reset`.
    let conflictAction: String
    /// A reset needs no filled fields.
    let conflictSkipsChecks: Bool
    /// Drops the input.
    let discardHref: String
    let describedBy: String
    let reasonLabel: String
    let isReasonRequired: Bool
    let reason: String
    let reasonProblem: String?
    /// What a switch of the list doesn't ask for.
    let askNote: String?
    let asksReason: Bool
    let reasonLimit: Int
    let confirmation: ChangeDemand.Confirmation?
    let isResetFirst: Bool
    let resetLabel: String
    /// `nil` without anything to reset.
    let resetNote: String?
    let isResetPossible: Bool
    /// A reset that requires a restart is confirmed first.
    let asksBeforeReset: Bool
    let needsRestart: Bool

    struct AreaField: Hashable, PagePart {
        let content: String
        let rows: Int
        /// `ltr` for code and for long text, whose direction takes a browser long to find; else `auto`.
        let direction: String
    }

    struct Upload: Hashable, PagePart {
        let hint: String
        let isRequired: Bool
        let problem: String?
        let describedBy: String
    }

    init(
        entry: FlagEntry, provider: String, writable: [String], form: FlagForm? = nil, access: EditorAccess? = nil,
        suggestion: FlagValue? = nil, back: String? = nil
    ) {
        let definition = entry.definition
        let answer = entry.resolution[provider] ?? .absent
        let suggested = suggestion.map(definition.editableText)
        let content = form?.value ?? suggested ?? Self.content(of: entry, answer)
        let field = EditorField(definition, content: content, picked: form?.picked)
        // A refused input stays for correction, whatever its length.
        let isForFileAlone = definition.type.rules.isData && form?.value == nil && Self.isLarge(content)
        action = PageLink.flag(entry.key)
        self.back = back
        self.provider = provider
        otherProviders = writable.filter { $0 != provider }
            .map { TextLink(label: $0, href: PageLink.flag(entry.key, provider: $0)) }
        revision = form?.revision ?? entry.revisions[provider]?.rawValue ?? ""
        radios = field.radios
        options = field.options
        line = field.line
        colour = Colour(of: definition, content: content)?.picked
        area = isForFileAlone ? nil : field.area
        type = definition.type.rawValue
        let elsewhere = entry.resolution.readings.lazy.compactMap(\.answer.stored)
            .first { FlagStorage(of: $0, as: definition.type) != nil }
        layout = definition.layout(replacing: answer.stored, like: elsewhere)?.rawValue ?? ""
        dataLimit = String(FlagRequest.maximumFileBytes)
        upload = definition.type.rules.isData ? Self.upload(form, isRequired: isForFileAlone) : nil
        hint =
            isForFileAlone
            ? "Too large to edit as text. Upload a file to replace it."
            : EditorField.hint(definition, answer)
        let namedProvider = provider == writable.first ? nil : provider
        suggestions = Suggestion.suggestions(of: definition, provider: namedProvider)
        let isReadable = access?.isReadable ?? true
        brokenNote = isReadable ? Self.brokenNote(answer) : nil
        startNote = form?.value == nil ? Self.startNote(entry, answer, suggestion) : nil
        storedNote = Self.storedNote(answer)
        heldNote = Self.heldNote(answer, isStartSaid: startNote != nil)
        providerNote = access?.note
        shadowNote = access?.elsewhereNote ?? Self.shadowNote(entry, provider)
        formProblem = form?.place == .form ? form?.problem : nil
        valueProblem = form?.place == .value ? form?.problem : nil
        let fallback = Fallback(entry, without: provider)
        conflict = Self.conflict(form, entry, answer, fallback)
        conflictAction = form?.isReset == true ? "reset" : "set"
        conflictSkipsChecks = form?.isReset == true
        needsRestart = definition.metadata.requiresRestart
        discardHref = PageLink.flag(entry.key, provider: namedProvider)
        let notes = [
            ("form-problem", formProblem), ("value-problem", valueProblem), ("value-broken", brokenNote),
            ("value-stored", storedNote), ("value-start", startNote), ("value-held", heldNote),
        ]
        describedBy = (notes.filter { $0.1 != nil }.map(\.0) + ["value-hint"]).joined(separator: " ")
        reason = form?.reason ?? ""
        let isAsking = form?.isAsking == true
        reasonProblem = form?.place == .reason && !isAsking ? form?.problem : nil
        askNote = isAsking ? form.map { "\($0.problem.asSentence) Nothing is changed yet." } : nil
        asksReason = isAsking && form?.place == .reason
        let demand = ChangeDemand(
            access?.environments, changing: [provider], sent: form?.confirmation ?? .none, refusal: form?.refusal,
            isAsking: isAsking)
        isReasonRequired = demand.isReasonRequired
        reasonLabel = demand.reasonLabel
        confirmation = demand.confirmation
        isResetFirst = form?.isReset == true && [.reason, .confirmation].contains(form?.place)
        reasonLimit = Change.longestReason
        isResetPossible = answer != .absent
        asksBeforeReset = isResetPossible && needsRestart
        resetLabel = fallback.label
        resetNote = answer == .absent ? nil : fallback.note
    }

    private static func isLarge(_ content: String?) -> Bool { content.map { $0.utf8.count > 32 * 1024 } ?? false }

    private static func upload(_ form: FlagForm?, isRequired: Bool) -> Upload {
        let problem = form?.place == .file ? form?.problem : nil
        return Upload(
            hint: "Up to \(FlagRequest.maximumFileBytes / 1024) KB\(isRequired ? "" : ". Replaces the text above").",
            isRequired: isRequired, problem: problem,
            describedBy: problem == nil ? "file-hint" : "file-problem file-hint")
    }

    private static func content(of entry: FlagEntry, _ answer: FlagResolution.Answer) -> String? {
        switch answer {
        case .value(let value, let stored):
            // A type without suggestions offers all its values, so the field has the one that is read.
            entry.definition.editableText(of: entry.definition.type.rules.hasSuggestions ? stored : value)
        case .broken(_, let stored):
            stored.flatMap { $0.isDescribed ? nil : entry.definition.editableText(of: $0) }
        case .absent: entry.resolution.effectiveValue.map(entry.definition.editableText)
        }
    }

    private static func brokenNote(
        _ answer: FlagResolution.Answer
    ) -> String? {
        guard case .broken(let problem, let stored) = answer else { return nil }
        if problem.isUnchecked { return "The stored value couldn’t be checked: \(problem)." }
        return problem.parts(of: stored).map { "The stored value \($0) is invalid. Expected \($1)." }
            ?? "The stored value is invalid: \(problem)."
    }

    private static func storedNote(_ answer: FlagResolution.Answer) -> String? {
        guard case .value(let value, let stored) = answer else { return nil }
        switch (value, stored) {
        case (.bool, .string), (.bool, .integer), (.integer, .string), (.double, .string):
            let found = ShownValue(stored).inSentence
            return
                "Stored as the \(stored.kind) \(found) and read as \(ShownValue(value).inSentence). Saving stores it as "
                + "\(value.kind == "integer" ? "an" : "a") \(value.kind)."
        default: return nil
        }
    }

    private static func heldNote(
        _ answer: FlagResolution.Answer, isStartSaid: Bool
    ) -> String? {
        switch answer {
        case .absent: isStartSaid ? nil : "Not set."
        case .value(_, .string("")): "Currently empty."
        case .value(_, .data(let data)) where data.isEmpty: "Currently 0 bytes."
        case .value, .broken: nil
        }
    }

    private static func conflict(
        _ form: FlagForm?, _ entry: FlagEntry, _ answer: FlagResolution.Answer, _ fallback: Fallback
    ) -> [ConflictRow] {
        guard let form, let conflict = form.conflict else { return [] }
        let stored: FlagValue? =
            switch answer {
            case .value(_, let stored): stored
            case .broken(_, let stored): stored
            case .absent: nil
            }
        return ConflictRow.rows(form, conflict, stored: stored, entry.definition, resetWords: fallback.words)
    }

    private static func shadowNote(_ entry: FlagEntry, _ provider: String) -> String? {
        let earlier = entry.resolution.readings.prefix { $0.provider != provider }
        guard earlier.count < entry.resolution.readings.count,
            let winner = earlier.first(where: { entry.resolution.source == .provider($0.provider) })
        else { return nil }
        return "\(winner.provider) overrides \(provider), so a change here has no effect yet."
    }

    private static func startNote(
        _ entry: FlagEntry, _ answer: FlagResolution.Answer, _ suggestion: FlagValue?
    ) -> String? {
        if suggestion != nil { return "Suggested value. Save to use it." }
        guard answer == .absent, entry.resolution.effectiveValue != nil else { return nil }
        let source = entry.resolution.source == .defaultValue ? "the default" : "the value in use"
        return "Not set. Showing \(source)."
    }

    private struct Fallback {
        let label: String
        let note: String
        /// The reset's effect, to follow "Your change".
        let words: String

        init(_ entry: FlagEntry, without provider: String) {
            // Another environment has only its own file and the defaults.
            let others =
                entry.resolution.asks(provider) ? entry.resolution.asked.filter { $0.provider != provider } : []
            let remaining = others.first { $0.valueInForce != nil }
            if entry.definition.computed == .value {
                label = "Reset"
                note = "Reset removes the value, which the app uses only if it computes none."
                words = "reset: the value is removed"
            } else if let remaining, let value = remaining.valueInForce {
                label = "Reset"
                note = "Reset falls back to \(remaining.provider) (\(ShownValue(value).inSentence))."
                words = "reset to \(ShownValue(value).inSentence), from \(remaining.provider)"
            } else if let value = entry.definition.defaultValue {
                label = "Reset to default"
                note = "Reset falls back to the default, \(ShownValue(value).inSentence)."
                words = "reset to its default, \(ShownValue(value).inSentence)"
            } else if entry.definition.computed == .default {
                label = "Reset to default"
                note = "Reset falls back to the default, which the app computes."
                words = "reset to its default, which the app computes"
            } else {
                label = "Clear value"
                note = "Clear value leaves the flag without a value."
                words = "reset to no value"
            }
        }
    }
}

/// A link to a flag's page with a suggested value in its field.
///
/// Links fit every kind of field, without a script. A `datalist` has no effect on a `textarea`, and lists only values
/// that begin with the field's content.
struct Suggestion: Hashable, PagePart {
    let label: String
    let href: String

    /// The query item with the suggestion's number, from 1.
    static let query = "suggestion"

    /// `provider` is `nil` for the usual one.
    static func suggestions(of definition: FlagDefinition, provider: String?) -> [Suggestion] {
        definition.suggestions.enumerated().map { index, value in
            let page = PageLink.flag(definition.key, provider: provider)
            return Suggestion(
                label: ShownValue(value, limit: 60).plain,
                href: PageLink.adding(query, String(index + 1), to: page) + "#editor-title")
        }
    }

    /// `nil` if there is no such suggestion, for example after a change of the manifest.
    static func value(_ number: String?, of definition: FlagDefinition) -> FlagValue? {
        guard let place = number.flatMap({ Int($0) }), place >= 1 else { return nil }
        return definition.suggestions.dropFirst(place - 1).first
    }
}
