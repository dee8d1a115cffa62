import FeatureFlags
import FlagChanges

struct BatchRow: Hashable, PagePart {
    let key: String
    /// The number in the form; `nil` if nothing can be left out.
    var row: Int?
    let isTicked: Bool
    let flagKey: String
    /// `nil` for a flag that doesn't exist yet.
    let flagHref: String?
    /// The name, or the key path if it has none.
    let name: String
    let isKey: Bool
    /// `nil` for the main file's provider.
    let provider: String?
    let deed: String
    /// `change`, `refused` or `idle`, for the style sheet.
    let sort: String
    /// The reason why it won't change, in a word; `nil` where it will.
    let verdict: String?
    let hasValues: Bool
    let before: ShownValue
    let after: ShownValue
    /// Set if ``after`` is only requested.
    let afterLabel: String?
    let defineLink: TextLink?
    let problem: String?
    /// A note that somebody else changed the flag since the person last saw it.
    let news: String?
    let note: String?
    let waitsForRestart: Bool
    let entries: [ShownDifference.EntryRow]

    /// - Parameters:
    ///   - isRedefined: The batch also changes the definition, so the effective value is unknown.
    ///   - held: Each provider's value after the whole batch; `nil` for none.
    init(
        _ preview: ChangePreview, in view: CatalogueView, isStale: Bool = false, isLeftOut: Bool = false,
        isTicked: Bool = true, isRedefined: Bool = false, waitsForRestart: Bool = false,
        amid held: [String: FlagValue?] = [:]
    ) {
        let change = preview.change
        let entry = view.catalogue[change.key]
        let left = isLeftOut ? LeftOutValue(preview, entry) : nil
        let values = ShownValue.pair(
            left?.before ?? change.action.told(of: preview.before),
            left?.asked ?? change.action.told(of: preview.after), absence: change.action.absence)
        key = change.key.text
        self.isTicked = isTicked
        self.waitsForRestart = waitsForRestart
        flagKey = change.key.shownText
        flagHref = entry.map { PageLink.flag($0.key) }
        let given = entry?.definition.metadata.name
        (name, isKey) = (given ?? change.key.shownText, given == nil)
        provider = preview.provider == view.catalogue.providers.usual?.name ? nil : preview.provider
        deed = change.action.label
        (before, after) = (values.before, values.after)
        let difference = change.action.isRedefinition ? ShownDifference(preview.before, preview.after) : nil
        entries = difference?.entries ?? []
        hasValues =
            left != nil || (preview.provider != nil || change.action.isShownByValues) && preview.refusal == nil
        afterLabel = left == nil ? nil : "Requested"
        defineLink = left.flatMap { $0.defineLink(of: change.key, preview.refusal, in: view) }
        problem = preview.refusal.map(Self.problem)
        news = isStale ? "This flag changed since you previewed it." : nil
        let breaks = preview.refusal == nil && change.breaksFlag(in: view.catalogue)
        let brokenNotes =
            breaks ? ["This value is invalid. The flag will be broken again."] : []
        let notes =
            brokenNotes + [preview.retyped.sentence].compactMap(\.self) + Self.definitionNotes(preview, view)
            + (isRedefined ? [] : Self.effectNotes(preview, entry, held))
            + (change.action.settledSide != nil ? ["Removes the conflict comment from the file."] : [])
            + (waitsForRestart ? ["Takes effect after the app restarts."] : [])
        note = notes.isEmpty ? nil : notes.joined(separator: " ")
        if isLeftOut {
            (sort, verdict) = ("refused", "Skipped")
        } else if preview.refusal != nil {
            (sort, verdict) = ("refused", "Error")
        } else if preview.changesNothing {
            (sort, verdict) = ("idle", "No change")
        } else {
            (sort, verdict) = ("change", nil)
        }
    }
}

extension BatchRow {
    /// Identifies a change without its value: provider, deed and flag.
    static func place(of change: Change) -> String {
        var parts = [change.provider ?? "", change.key.text]
        if change.action.isAboutDefinition {
            let (name, operand) = change.action.written
            parts.append(name)
            if case .string(let text)? = operand { parts.append(text) }
        }
        return parts.joined(separator: "\u{0}")
    }

    /// Returns everything that the person agrees to.
    func agreement(in provider: String?) -> String {
        let values = hasValues ? [before.plain, after.plain] : []
        return ([key, provider ?? "", deed, note ?? ""] + values).joined(separator: "\u{0}")
    }
}

extension [ChangePreview] {
    /// Each provider's value of the changed flags after all allowed changes; `nil` for none.
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
    var changesValue: Bool { refusal == nil && !changesNothing && !change.action.isAboutDefinition }
}

extension [ChangePreview] {
    /// Returns the flags whose new values need a restart, by their definitions after the batch.
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
    /// Warns of current values that the new definition makes invalid.
    private static func definitionNotes(_ preview: ChangePreview, _ view: CatalogueView) -> [String] {
        guard preview.refusal == nil else { return [] }
        let broken = preview.change.brokenProviders(in: view.catalogue)
        return broken.isEmpty
            ? []
            : ["The value in \(broken.joined(separator: ", ")) becomes invalid and will be ignored."]
    }

    /// Notes that the effective value will differ from the provider's.
    private static func effectNotes(
        _ preview: ChangePreview, _ entry: FlagEntry?, _ held: [String: FlagValue?]
    ) -> [String] {
        guard let entry, preview.changesValue else { return [] }
        return preview.provider.flatMap { EffectiveNote.text(entry, changing: $0, amid: held) }.map { [$0] } ?? []
    }

    /// Returns the refusal, with the remedy unless that is about typing a value.
    private static func problem(_ refusal: ChangeError) -> String {
        let cause = refusal.description.asSentence
        switch refusal.reason {
        case .invalid, .conflict: return cause
        default: return "\(cause) \(refusal.remedy.asSentence)"
        }
    }
}

extension Change.Action {
    private var isAboutTags: Bool {
        if case .definition(.tag) = self { true } else { false }
    }

    /// `true` for manifest entries that are compared field by field.
    fileprivate var isRedefinition: Bool {
        switch self {
        case .definition(.redefine), .definition(.settle): true
        default: false
        }
    }

    /// `true` for manifest entries that are compared as whole values.
    fileprivate var isShownByValues: Bool {
        switch self {
        case .definition(.tag), .definition(.define), .definition(.remove): true
        default: false
        }
    }

    /// Returns only the tags for a change of tags.
    fileprivate func told(of stored: FlagValue?) -> FlagValue? {
        guard isAboutTags, case .dictionary(let entry)? = stored else { return stored }
        return entry["tags"]
    }

    fileprivate var absence: String {
        if isAboutTags { return "no tags" }
        return isAboutDefinition ? ShownValue.noDefinition : ShownValue.absence
    }

    fileprivate var label: String {
        switch self {
        case .value(.settle(let side)): side.label
        case .value(let change): change == .reset ? "Reset" : "Set"
        case .definition(let change): change.label
        case .note(let id): "Add a reason to change \(id) of"
        }
    }
}

extension ValueChange.MergeSide {
    fileprivate var label: String { self == .ours ? "Keep the file’s version of" : "Use the other version of" }
}

extension DefinitionChange {
    fileprivate var label: String {
        switch self {
        case .lock: "Lock"
        case .unlock: "Unlock"
        case .define: "Create"
        case .redefine: "Change the definition of"
        case .tag(let tag, let isSet): "\(isSet ? "Add" : "Remove") tag \(tag) \(isSet ? "to" : "from")"
        case .rename(let key): "Rename to \(key.shownText):"
        case .settle(let side, let field): "\(side.label) field \(field) of"
        case .retire(let reason): reason == nil ? "Restore" : "Deprecate"
        case .remove(let withValues): withValues ? "Delete with values" : "Delete"
        }
    }
}
