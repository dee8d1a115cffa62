import FeatureFlags
import FlagChanges

/// What one of several changes would do.
struct BatchRow: Hashable, PagePart {
    /// The flag's key path.
    let key: String
    /// The flag's key path as it is shown.
    let flagKey: String
    /// The flag's page; `nil` where there is no such flag yet.
    let flagHref: String?
    let name: String?
    let provider: String?
    /// What is done to the flag, in a word.
    let deed: String
    /// `change`, `refused` or `idle`, for the style sheet.
    let sort: String
    let verdict: String
    let hasValues: Bool
    let before: ShownValue
    let after: ShownValue
    /// What ``after`` is called: what is left out is only asked for.
    let afterLabel: String
    /// Where an admin defines the flag that a left out value is for, with key path, type and value filled in.
    let defineLink: TextLink?
    /// Why it is refused, and what to do.
    let problem: String?
    /// That another person changed the flag since the person last looked; `nil` where there was no such change.
    let news: String?
    /// What else is to be known before.
    let note: String?
    /// What a definition says otherwise then, field by field.
    let entries: [ShownDifference.EntryRow]

    /// Tells of a change.
    ///
    /// - Parameters:
    ///   - isRedefined: Whether the flag's definition is changed with it, so that what the app gets then is not known.
    ///   - waitsForRestart: Whether it changes a value that the app has only after it was restarted.
    ///   - held: What each provider holds for the flag once all is made; `nil` for nothing.
    init(
        _ preview: ChangePreview, in view: CatalogueView, isStale: Bool = false, isLeftOut: Bool = false,
        isRedefined: Bool = false, waitsForRestart: Bool = false, amid held: [String: FlagValue?] = [:]
    ) {
        let change = preview.change
        let entry = view.catalogue[change.key]
        let left = isLeftOut ? LeftOutValue(preview, entry) : nil
        let values = ShownValue.pair(
            left?.before ?? change.action.told(of: preview.before),
            left?.asked ?? change.action.told(of: preview.after), absence: change.action.absence)
        key = change.key.text
        flagKey = change.key.shownText
        flagHref = entry.map { PageLink.flag($0.key) }
        name = entry?.definition.shownName
        provider = preview.provider
        deed = change.action.label
        (before, after) = (values.before, values.after)
        let difference = change.action.isRedefinition ? ShownDifference(preview.before, preview.after) : nil
        entries = difference?.entries ?? []
        hasValues =
            left != nil || (preview.provider != nil || change.action.isShownByValues) && preview.refusal == nil
        afterLabel = left == nil ? "After" : "Asked for"
        defineLink = left.flatMap { $0.defineLink(of: change.key, preview.refusal, in: view) }
        problem = preview.refusal.map(Self.problem)
        news = isStale ? "Somebody changed this flag since you looked." : nil
        let breaks = preview.refusal == nil && change.breaksFlag(in: view.catalogue)
        let brokenNotes =
            breaks ? ["This is no valid value of the flag: the flag is then broken, as it was before."] : []
        let notes =
            brokenNotes + [preview.retyped.sentence].compactMap(\.self) + Self.definitionNotes(preview, view)
            + (isRedefined ? [] : Self.effectNotes(preview, entry, held))
            + (change.action.settledSide != nil ? ["The comment of the conflict is removed from the file."] : [])
            + (waitsForRestart ? ["It takes effect when the app restarts."] : [])
        note = notes.isEmpty ? nil : notes.joined(separator: " ")
        if isLeftOut {
            (sort, verdict) = ("refused", "Left out")
        } else if preview.refusal != nil {
            (sort, verdict) = ("refused", "Refused")
        } else if preview.changesNothing {
            (sort, verdict) = ("idle", "Already so")
        } else {
            (sort, verdict) = ("change", "Will change")
        }
    }
}

extension BatchRow {
    /// All that a person agrees to who makes the change, as one text.
    var agreement: String {
        let values = hasValues ? [before.plain, after.plain] : []
        return ([key, provider ?? "", deed, verdict, note ?? ""] + values).joined(separator: "\u{0}")
    }
}

extension [ChangePreview] {
    /// What each provider holds of each flag whose values they change, once all is made that is allowed; `nil` for nothing.
    var held: [FlagKeyPath: [String: FlagValue?]] {
        var held: [FlagKeyPath: [String: FlagValue?]] = [:]
        for preview in self where preview.refusal == nil && !preview.change.action.isAboutDefinition {
            guard let provider = preview.provider else { continue }
            held[preview.change.key, default: [:]][provider] = .some(preview.after)
        }
        return held
    }
}

extension ChangePreview {
    /// Whether it is allowed and changes a value.
    var changesValue: Bool { refusal == nil && !changesNothing && !change.action.isAboutDefinition }
}

extension [ChangePreview] {
    /// The flags of which they change values that the app has only after it was restarted: those that require it now, or by
    /// a definition that is among the changes.
    func flagsWaitingForRestart(in view: CatalogueView) -> Set<FlagKeyPath> {
        var requiring: [FlagKeyPath: Bool] = [:]
        for preview in self where preview.refusal == nil {
            guard case .definition(let change) = preview.change.action, let edit = change.edit else { continue }
            requiring[preview.change.key] = edit.definition.metadata.requiresRestart
        }
        return Set(
            filter(\.changesValue).map(\.change.key).filter { key in
                requiring[key] ?? (view.catalogue[key]?.definition.metadata.requiresRestart == true)
            })
    }
}

extension BatchRow {
    /// Which values a definition makes broken, as they are now.
    private static func definitionNotes(_ preview: ChangePreview, _ view: CatalogueView) -> [String] {
        guard preview.refusal == nil else { return [] }
        let broken = preview.change.brokenProviders(in: view.catalogue)
        return broken.isEmpty
            ? []
            : ["The value in \(broken.joined(separator: ", ")) is then not valid, and the app passes it over."]
    }

    /// What the app gets where that is not what the provider holds then.
    private static func effectNotes(
        _ preview: ChangePreview, _ entry: FlagEntry?, _ held: [String: FlagValue?]
    ) -> [String] {
        guard let entry, preview.changesValue else { return [] }
        return preview.provider.flatMap { EffectiveNote.text(entry, changing: $0, amid: held) }.map { [$0] } ?? []
    }

    /// Why a change is refused; what to do only where that is not about a form in which a value was typed.
    private static func problem(_ refusal: ChangeError) -> String {
        let cause = refusal.description.asSentence
        switch refusal.reason {
        case .invalid: return "Not valid: \(cause)"
        case .conflict: return cause
        default: return "\(cause) \(refusal.remedy.asSentence)"
        }
    }
}

extension Change.Action {
    private var isAboutTags: Bool {
        if case .definition(.tag) = self { true } else { false }
    }

    /// Whether the entry of the manifest before and after is told field by field.
    fileprivate var isRedefinition: Bool {
        switch self {
        case .definition(.redefine), .definition(.settle): true
        default: false
        }
    }

    /// Whether what the manifest says before and after is told as a value each.
    fileprivate var isShownByValues: Bool {
        switch self {
        case .definition(.tag), .definition(.define), .definition(.remove): true
        default: false
        }
    }

    /// What is shown of what is stored: of a definition's entry, its tags.
    fileprivate func told(of stored: FlagValue?) -> FlagValue? {
        guard isAboutTags, case .dictionary(let entry)? = stored else { return stored }
        return entry["tags"]
    }

    /// How it is said that there is nothing before or after.
    fileprivate var absence: String {
        if isAboutTags { return "no tags" }
        return isAboutDefinition ? ShownValue.noDefinition : ShownValue.absence
    }

    /// What is done, in a word.
    fileprivate var label: String {
        switch self {
        case .value(.settle(let side)): side.label
        case .value(let change): change == .reset ? "Reset" : "Set"
        case .definition(let change): change.label
        case .note(let id): "Give change \(id) a reason"
        }
    }
}

extension ValueChange.MergeSide {
    /// What is done where it is chosen.
    fileprivate var label: String { self == .ours ? "Keep what the file has" : "Take the other version" }
}

extension DefinitionChange {
    /// What is done, in a word.
    fileprivate var label: String {
        switch self {
        case .lock: "Lock"
        case .unlock: "Unlock"
        case .define: "Define"
        case .redefine: "Change the definition"
        case .tag(let tag, let isSet): "\(isSet ? "Add" : "Remove") the tag \(tag)"
        case .rename(let key): "Rename to \(key.shownText)"
        case .settle(let side, let field): "\(side.label) of the field \(field)"
        case .retire(let reason): reason == nil ? "Put back in use" : "Retire"
        case .remove(let withValues): withValues ? "Delete with its values" : "Delete"
        }
    }
}
