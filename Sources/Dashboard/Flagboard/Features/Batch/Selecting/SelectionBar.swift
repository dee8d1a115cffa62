import FeatureFlags
import FlagChanges

/// What can be done to the flags that are ticked in the list.
struct SelectionBar: Hashable, PagePart {
    /// Something to do, and the field that it needs.
    struct Deed: Hashable, PagePart {
        let value: String
        let label: String
        let takes: String
        let isSelected: Bool
    }

    let actions: [Deed]
    let value: String
    let takesTag: Bool
    let tag: String
    /// The tags that there are, to choose from.
    let tags: [String]
    /// The providers that can be changed, to choose from; none where there is but one.
    let providers: [ChoiceOption]
    let hasChoice: Bool
    /// The only provider that can be changed.
    let onlyProvider: String?
    /// The list to come back to.
    let back: String
    /// What selects the flags of every page of the list; `nil` where it has one page.
    let everything: Everything?
    /// The flags that are selected and not on this page.
    let away: Away?
    /// Whether the form was sent and has to be corrected.
    let isRefused: Bool
    /// What is wrong with the form that was sent, in its place.
    let flagsProblem: String?
    let actionProblem: String?
    let tagProblem: String?

    /// All flags that the list finds.
    struct Everything: Hashable, PagePart {
        let label: String
        let count: Int
        /// The list's query, without its question mark and page.
        let query: String
        let isChecked: Bool
    }

    /// Flags that stay selected though they can't be seen.
    struct Away: Hashable, PagePart {
        let text: String
        let keys: [String]
    }

    /// Offers what the visitor may do; `nil` where that is nothing.
    init?(
        _ view: CatalogueView, _ filter: FlagFilter, found: Int, shown: [FlagEntry], refused: RefusedSelection? = nil
    ) {
        guard view.canSelect else { return nil }
        let form = refused?.form
        let isAdmin = view.visitor?.isAdmin == true
        let definesTags = isAdmin && !view.status.definesInCode
        actions = SelectionAction.allCases.filter { action in
            action.takes == "tag"
                ? definesTags : (isAdmin && !view.status.isDefinedElsewhere) || !action.isForAdmins
        }
        .map {
            Deed(value: $0.rawValue, label: $0.label, takes: $0.takes, isSelected: $0 == form?.action)
        }
        value = form?.value ?? ""
        takesTag = actions.contains { $0.takes == "tag" }
        tag = form?.tagText ?? ""
        tags = view.traits.tags
        let names = view.changeableProviders
        let usual = view.usualChangeableProvider
        hasChoice = names.count > 1 || names.first != usual
        onlyProvider = hasChoice ? nil : usual
        let chosen = form?.provider ?? usual
        let none = chosen == nil ? [ChoiceOption(value: "", label: "Choose one", isSelected: true)] : []
        providers =
            hasChoice
            ? none + names.map { ChoiceOption(value: $0, label: $0, isSelected: $0 == chosen) } : []
        back = filter.closed.href
        everything =
            found > shown.count
            ? Everything(
                label: "All \(found) flags \(filter.isActive ? "that are found" : "of the list"), on every page",
                count: found, query: String(filter.with(\.page, 1).href.drop { $0 != "?" }.dropFirst()),
                isChecked: form?.isOfAll == true)
            : nil
        away = form.flatMap { Away($0.keys, shown: shown) }
        isRefused = refused != nil
        flagsProblem = refused?.text(at: .flags)
        actionProblem = refused?.text(at: .action)
        tagProblem = refused?.text(at: .tag)
    }
}

extension SelectionBar.Away {
    /// The flags of a form that a page does not show; `nil` where it shows all of them.
    fileprivate init?(_ keys: [FlagKeyPath], shown: [FlagEntry]) {
        let seen = Set(shown.map(\.key))
        self.keys = keys.filter { !seen.contains($0) }.map(\.text)
        guard let first = self.keys.first else { return nil }
        text =
            self.keys.count == 1
            ? "Also selected: \(first), which is not on this page."
            : "Also selected: \(self.keys.count) flags that are not on this page."
    }
}

/// A form about the selected flags that has to be corrected.
struct RefusedSelection: Hashable, Sendable {
    let form: SelectionRequest
    let problem: SelectionError

    /// What is wrong in a place of the form; `nil` for nothing.
    fileprivate func text(at place: SelectionError.Place) -> String? {
        problem.place == place ? problem.text : nil
    }
}

extension CatalogueView {
    /// Whether the visitor may change anything, and so tick flags to change several at once.
    var canSelect: Bool {
        guard let role = visitor?.person.role, role != .viewer, status.block == nil else { return false }
        return !changeableProviders.isEmpty
    }
}

/// What is to be done to each of the flags that are ticked in the list.
enum SelectionAction: String, CaseIterable, Hashable, Sendable {
    case on, off, set, reset, lock, unlock, tag, untag

    /// The action as a person chooses it.
    var label: String {
        switch self {
        case .on: "Turn on"
        case .off: "Turn off"
        case .set: "Set to the value"
        case .reset: "Reset"
        case .lock: "Lock"
        case .unlock: "Unlock"
        case .tag: "Add a tag"
        case .untag: "Remove a tag"
        }
    }

    /// Whether only admins may do it, as it is about definitions.
    var isForAdmins: Bool { [.lock, .unlock, .tag, .untag].contains(self) }

    /// The field that it needs: `value`, `tag` or nothing.
    var takes: String {
        switch self {
        case .set: "value"
        case .tag, .untag: "tag"
        case .on, .off, .reset, .lock, .unlock: ""
        }
    }
}
