import FeatureFlags
import FlagChanges

/// One flag in the list.
struct FlagRow: Hashable, Sendable {
    let key: String
    /// The key path as it is shown.
    let keyText: String
    let href: String
    /// What a list that is come back to scrolls to.
    let anchor: String
    let name: String
    let summary: String?
    /// The state's name, for the style sheet and for tests.
    let state: String
    let states: [StateLabel]
    /// Changes the flag where it stands; for a Boolean that may be changed so.
    let control: BooleanControl?
    /// What the link to the flag's editor says, for a Boolean that is to be changed there.
    let changeLabel: String?
    /// Why a Boolean can't be changed.
    let fixedNote: String?
    let type: String
    let value: ShownValue
    let source: String
    let marks: [FlagMark]
    /// What is broken, and in which provider.
    let problems: [String]
    let tags: [TextLink]
    /// Whether the row can be ticked, to change it with others.
    let canSelect: Bool
    let isTicked: Bool
    /// Where it stands and what happened to it, in a list without groups.
    let trail: FlagRowDetails?

    /// What has just been done to the flag.
    let notice: ShownNotice?

    /// Makes the row.
    ///
    /// - Parameters:
    ///   - entry: The flag.
    ///   - view: All flags, who looks at them, and in which list.
    ///   - trail: Where it stands and what happened to it, in a list without groups.
    init(_ entry: FlagEntry, in view: CatalogueView, trail: FlagRowDetails? = nil) {
        let definition = entry.definition
        key = entry.key.text
        keyText = entry.key.shownText
        href = PageLink.flag(entry.key)
        anchor = Self.anchor(of: entry.key)
        name = definition.shownName
        summary = Self.summary(definition.metadata.description)
        state = entry.state.rawValue
        states = StateLabel.labels(of: entry, in: view)
        let access = definition.type == .bool ? EditorAccess(entry, view, wanted: nil, form: nil) : nil
        let needsPage = definition.metadata.requiresRestart
        let provider = access?.provider
        control = needsPage ? nil : provider.map { BooleanControl(entry, in: $0, back: view.list.href) }
        changeLabel = needsPage && provider != nil ? "Change on its page: takes effect after a restart" : nil
        fixedNote = access != nil && definition.metadata.isLocked ? "This flag is locked" : nil
        type = definition.type.rawValue
        value = ShownValue(entry.resolution.effectiveValue, limit: 60)
        source = entry.resolution.source.words
        marks = FlagMark.marks(of: entry, in: view)
        problems = view.problems(of: entry)
        tags = definition.metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) }
        canSelect = view.canSelect
        isTicked = view.list.ticked.contains(entry.key)
        self.trail = trail
        notice = view.list.notice(about: entry, in: view)
    }

    /// The name of a flag's row within its page; it holds no character that an address would change.
    static func anchor(of key: FlagKeyPath) -> String { "flag-" + PageLink.encode(key.text) }

    private static func summary(_ description: String) -> String? {
        guard !description.isEmpty else { return nil }
        return description.count > 152 ? description.prefix(140) + "…" : description
    }
}

extension FlagRow: PagePart {
    static let fields: PageFields<Self> = [
        "key": .of(\.key), "keyText": .of(\.keyText), "href": .of(\.href), "anchor": .of(\.anchor), "name": .of(\.name),
        "summary": .of(\.summary), "state": .of(\.state), "states": .of(\.states), "control": .of(\.control),
        "changeLabel": .of(\.changeLabel), "fixedNote": .of(\.fixedNote), "type": .of(\.type), "value": .of(\.value),
        "source": .of(\.source), "marks": .of(\.marks), "problems": .of(\.problems), "tags": .of(\.tags),
        "canSelect": .of(\.canSelect), "isTicked": .of(\.isTicked), "trail": .of(\.trail), "notice": .of(\.notice),
    ]
}
