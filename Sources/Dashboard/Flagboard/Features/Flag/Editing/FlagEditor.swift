import FeatureFlags
import FlagChanges

/// The form that changes one flag in one provider, with the field that fits the flag's type.
struct FlagEditor: Hashable, PagePart {
    let action: String
    let provider: String
    /// The other writable providers; each has its own revision, so each has a page of its own rather than a select.
    let otherProviders: [TextLink]
    let revision: String
    /// Radio buttons: for a Boolean and for a few choices.
    let radios: [ChoiceOption]
    /// A select: for many choices.
    let options: [ChoiceOption]
    let line: LineField?
    /// The colour that a picker beside the field begins with; `nil` where the field is not for colours.
    let colour: String?
    let area: AreaField?
    /// The field that takes a file in place of the text, where the flag holds data.
    let upload: Upload?
    /// What a script needs to know of the field: the flag's type.
    let type: String
    /// The layout of what is saved, as far as it is known here, which decides what JSON may hold; empty where the history
    /// alone may know.
    let layout: String
    /// The largest data that a form takes, in bytes.
    let dataLimit: String
    /// What the provider holds now, where that could be taken for nothing, or is nothing.
    let heldNote: String?
    /// Whether the empty text can be stored, which is to be asked for by name.
    let canBeEmpty: Bool
    let hint: String
    let suggestions: [Suggestion]
    /// What the provider holds instead of a valid value.
    let brokenNote: String?
    /// Where the field's content comes from when the provider holds none.
    let startNote: String?
    /// What is stored, where that is of another kind than the flag.
    let storedNote: String?
    /// That another provider was asked for than the form can change.
    let providerNote: String?
    /// That a change here does not show, where an earlier provider holds a value.
    let shadowNote: String?
    /// Why the form was refused, where no single field is at fault.
    let formProblem: String?
    let valueProblem: String?
    /// What there is to choose from, where another person changed the flag meanwhile.
    let conflict: [ConflictRow]
    /// What was asked for, to be asked for again: `set` or `reset`.
    let conflictAction: String
    /// Whether the fields need not be filled in for it.
    let conflictSkipsChecks: Bool
    /// What the two ways out come to.
    let conflictNote: String
    /// The page with the value that is there now, without what was typed.
    let discardHref: String
    /// The ids of the texts that describe the field.
    let describedBy: String
    let reason: String
    let reasonProblem: String?
    let reasonDescribedBy: String
    let reasonLimit: Int
    let resetLabel: String
    let resetNote: String
    let isResetPossible: Bool
    /// Whether a reset is to be opened before it is done, as it takes a restart of the app.
    let asksBeforeReset: Bool
    /// Whether a person must say that a change is to wait for a restart of the app.
    let needsRestart: Bool

    /// A field of several lines.
    struct AreaField: Hashable, PagePart {
        let content: String
        let rows: Int
        /// `auto` where the text says it; a browser takes long to find that out of a long text.
        let direction: String
    }

    /// A field that takes a file.
    struct Upload: Hashable, PagePart {
        /// What becomes of the file, and how large it may be, in sentences.
        let hint: String
        /// Whether there is no other way to set the value.
        let isRequired: Bool
        let problem: String?
        /// The ids of the texts that describe the field.
        let describedBy: String
    }

    /// Makes the form for a flag in one of its writable providers.
    ///
    /// - Parameters:
    ///   - form: What was typed before, to show again.
    ///   - suggestion: The value that the editor starts from, where it was chosen.
    init(
        entry: FlagEntry, provider: String, writable: [String], form: FlagForm? = nil, access: EditorAccess? = nil,
        suggestion: FlagValue? = nil
    ) {
        let definition = entry.definition
        let answer = entry.resolution[provider] ?? .absent
        let suggested = suggestion.map(definition.editableText)
        let content = form?.value ?? suggested ?? Self.content(of: entry, answer)
        let field = EditorField(definition, content: content, picked: form?.picked)
        // What a person typed stays to be corrected, however long it is.
        let isForFileAlone = definition.type == .data && form?.value == nil && Self.isLarge(content)
        action = PageLink.flag(entry.key)
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
        upload = definition.type == .data ? Self.upload(form, isRequired: isForFileAlone) : nil
        canBeEmpty = definition.type == .string && (try? definition.check(.string(""))) != nil
        hint =
            isForFileAlone
            ? "What is stored is too large to be edited as text. Choose a file to replace it."
            : EditorField.hint(definition, answer)
        let namedProvider = provider == writable.first ? nil : provider
        suggestions = Suggestion.suggestions(of: definition, provider: namedProvider)
        let isReadable = access?.isReadable ?? true
        brokenNote = isReadable ? Self.brokenNote(answer, provider, isTyped: (form?.value ?? suggested) != nil) : nil
        startNote = form?.value == nil ? Self.startNote(entry, answer, provider, suggestion) : nil
        storedNote = Self.storedNote(answer, provider)
        heldNote = Self.heldNote(answer, provider, isStartSaid: startNote != nil)
        providerNote = access?.note
        shadowNote = Self.shadowNote(entry, provider)
        formProblem = form?.place == .form && form?.conflict == nil ? form?.problem : nil
        valueProblem = form?.place == .value ? form?.problem : nil
        let fallback = Fallback(entry, without: provider)
        conflict = Self.conflict(form, entry, answer, fallback)
        conflictAction = form?.isReset == true ? "reset" : "set"
        conflictSkipsChecks = form?.isReset == true
        conflictNote =
            form?.isReset == true
            ? "Apply mine removes the value of now. Keep theirs leaves the flag as it is."
            : "Apply mine stores what the fields above hold. Keep theirs drops what you typed."
        needsRestart = definition.metadata.requiresRestart
        discardHref = PageLink.flag(entry.key, provider: namedProvider)
        let notes = [
            ("form-problem", formProblem), ("value-problem", valueProblem), ("value-broken", brokenNote),
            ("value-stored", storedNote), ("value-start", startNote), ("value-held", heldNote),
        ]
        describedBy = (notes.filter { $0.1 != nil }.map(\.0) + ["value-hint"]).joined(separator: " ")
        reason = form?.reason ?? ""
        reasonProblem = form?.place == .reason ? form?.problem : nil
        reasonDescribedBy = reasonProblem == nil ? "reason-hint" : "reason-problem reason-hint"
        reasonLimit = Change.longestReason
        isResetPossible = answer != .absent
        asksBeforeReset = isResetPossible && needsRestart
        resetLabel = fallback.label
        resetNote = answer == .absent ? "Nothing to reset: \(provider) holds no value." : fallback.note
    }

    /// Whether data, as base64, is too much for a field of text.
    private static func isLarge(_ content: String?) -> Bool { content.map { $0.utf8.count > 32 * 1024 } ?? false }

    private static func upload(_ form: FlagForm?, isRequired: Bool) -> Upload {
        let problem = form?.place == .file ? form?.problem : nil
        return Upload(
            hint: "The file is stored as it is\(isRequired ? "" : ", in place of the text"); at most "
                + "\(FlagRequest.maximumFileBytes / 1024) KiB.",
            isRequired: isRequired, problem: problem,
            describedBy: problem == nil ? "file-hint" : "file-problem file-hint")
    }

    private static func content(of entry: FlagEntry, _ answer: FlagResolution.Answer) -> String? {
        switch answer {
        case .value(let value, let stored):
            entry.definition.editableText(of: entry.definition.type == .bool ? value : stored)
        case .broken(_, let stored): stored.map(entry.definition.editableText)
        case .absent: entry.resolution.effectiveValue.map(entry.definition.editableText)
        }
    }

    private static func brokenNote(
        _ answer: FlagResolution.Answer, _ provider: String, isTyped: Bool
    ) -> String? {
        guard case .broken(let problem, let stored) = answer else { return nil }
        let start = stored == nil || isTyped ? "" : " The field starts from what is stored."
        let fault = problem.isUnchecked ? "could not be checked" : "is not valid"
        return "What \(provider) holds \(fault): \(problem).\(start)"
    }

    /// That a Boolean or a number is stored as something else, which reading it turns into one.
    private static func storedNote(_ answer: FlagResolution.Answer, _ provider: String) -> String? {
        guard case .value(let value, let stored) = answer else { return nil }
        switch (value, stored) {
        case (.bool, .string), (.bool, .integer), (.integer, .string), (.double, .string):
            let found = ShownValue(stored).inSentence
            return "\(provider) holds the \(stored.kind) \(found), which is read as \(ShownValue(value).plain). "
                + "Saving stores it as a \(value.kind)."
        default: return nil
        }
    }

    /// That a provider holds nothing, or something that looks like it.
    private static func heldNote(
        _ answer: FlagResolution.Answer, _ provider: String, isStartSaid: Bool
    ) -> String? {
        switch answer {
        case .absent: isStartSaid ? nil : "\(provider) holds no value now."
        case .value(_, .string("")): "\(provider) now holds the empty text \"\"."
        case .value(_, .data(let data)) where data.isEmpty: "\(provider) now holds data of 0 bytes."
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

    /// That an earlier provider's value, or that of the environment here, stays the effective one, whatever is changed here.
    private static func shadowNote(_ entry: FlagEntry, _ provider: String) -> String? {
        guard entry.resolution.asks(provider) else {
            return "\(provider) is another environment: what is stored there changes nothing here."
        }
        let earlier = entry.resolution.readings.prefix { $0.provider != provider }
        guard earlier.count < entry.resolution.readings.count,
            let winner = earlier.first(where: { entry.resolution.source == .provider($0.provider) })
        else { return nil }
        return "\(winner.provider) comes before \(provider) and holds a value: it stays the effective one."
    }

    private static func startNote(
        _ entry: FlagEntry, _ answer: FlagResolution.Answer, _ provider: String, _ suggestion: FlagValue?
    ) -> String? {
        if let suggestion {
            return "The field holds the suggestion \(ShownValue(suggestion).inSentence); save to store it."
        }
        guard answer == .absent, entry.resolution.effectiveValue != nil else { return nil }
        let source = entry.resolution.source == .defaultValue ? "the default" : "the effective value"
        return "\(provider) holds no value yet; the field starts from \(source)."
    }

    /// What a read returns once a provider's value is gone.
    private struct Fallback {
        let label: String
        let note: String
        /// What a reset comes to, to follow "Your change".
        let words: String

        init(_ entry: FlagEntry, without provider: String) {
            // Another environment has but its own file and the defaults.
            let others =
                entry.resolution.asks(provider) ? entry.resolution.asked.filter { $0.provider != provider } : []
            let remaining = others.first { $0.valueInForce != nil }
            if let remaining, let value = remaining.valueInForce {
                label = "Reset"
                note =
                    "Reset removes this value. The flag is then \(ShownValue(value).inSentence), from \(remaining.provider)."
                words = "reset to \(ShownValue(value).inSentence), from \(remaining.provider)"
            } else if let value = entry.definition.defaultValue {
                label = "Reset to default"
                note = "Reset removes this value. The flag is then \(ShownValue(value).inSentence), its default."
                words = "reset to its default, \(ShownValue(value).inSentence)"
            } else {
                label = "Reset to no value"
                note = "Reset removes this value. The flag then has no value, since it has no default."
                words = "reset to no value"
            }
        }
    }
}

/// A value that the form of a flag offers: a link to the page whose field holds it.
///
/// A link works for a field of any kind and without a script; a `datalist` goes with no field of several lines, and
/// shows only what begins with the value that is in the field already.
struct Suggestion: Hashable, PagePart {
    let label: String
    let href: String

    /// The item of a page's query that names the suggestion to start from, by its number from 1.
    static let query = "suggestion"

    /// The suggestions of a flag.
    ///
    /// - Parameter provider: The provider that the form changes, where that is not the usual one.
    static func suggestions(of definition: FlagDefinition, provider: String?) -> [Suggestion] {
        definition.suggestions.enumerated().map { index, value in
            let page = PageLink.flag(definition.key, provider: provider)
            return Suggestion(
                label: ShownValue(value, limit: 60).plain,
                href: PageLink.adding(query, String(index + 1), to: page) + "#editor-title")
        }
    }

    /// The suggestion that a page is asked to start from.
    ///
    /// - Returns: The value; `nil` where the flag has none of that number, as after a change of the manifest.
    static func value(_ number: String?, of definition: FlagDefinition) -> FlagValue? {
        guard let place = number.flatMap({ Int($0) }), place >= 1 else { return nil }
        return definition.suggestions.dropFirst(place - 1).first
    }
}
