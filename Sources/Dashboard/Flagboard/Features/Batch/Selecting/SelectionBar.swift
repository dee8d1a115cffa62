import FeatureFlags
import FlagChanges

struct SelectionBar: Hashable, PagePart {
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
    /// Suggestions.
    let tags: [String]
    /// Empty if only one is writable.
    let providers: [ChoiceOption]
    let hasChoice: Bool
    let onlyProvider: String?
    let back: String
    /// `nil` for a list of one page.
    let everything: Everything?
    let away: Away?
    let isRefused: Bool
    let flagsProblem: String?
    let actionProblem: String?
    let tagProblem: String?

    /// All flags that the list finds.
    struct Everything: Hashable, PagePart {
        let label: String
        let count: Int
        /// Without question mark and page.
        let query: String
        let isChecked: Bool
    }

    struct Away: Hashable, PagePart {
        let text: String
        let keys: [String]
    }

    /// `nil` if the visitor may use none.
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
        tags = view.traits.counts(.tag, in: view.traits.all).keys.filter { $0 != FlagCriterion.untagged }.sorted()
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
                label: "All \(found) \(filter.isActive ? "matching flags" : "flags") on all pages",
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

struct RefusedSelection: Hashable, Sendable {
    let form: SelectionRequest
    let problem: FormError<SelectionRequest.Place>

    fileprivate func text(at place: SelectionRequest.Place) -> String? {
        problem.place == place ? problem.text : nil
    }
}

extension CatalogueView {
    var canSelect: Bool {
        guard let role = visitor?.person.role, role != .viewer, status.block == nil else { return false }
        return catalogue.providers.contains { isChangeable($0) }
    }
}

enum SelectionAction: String, CaseIterable, Hashable, Sendable {
    case on, off, set, reset, lock, unlock, tag, untag

    var label: String {
        switch self {
        case .on: "Turn on"
        case .off: "Turn off"
        case .set: "Set value"
        case .reset: "Reset"
        case .lock: "Lock"
        case .unlock: "Unlock"
        case .tag: "Add a tag"
        case .untag: "Remove a tag"
        }
    }

    /// `true` for changes of definitions.
    var isForAdmins: Bool { [.lock, .unlock, .tag, .untag].contains(self) }

    var isForBooleans: Bool { self == .on || self == .off }

    /// `value`, `tag` or none.
    var takes: String {
        switch self {
        case .set: "value"
        case .tag, .untag: "tag"
        case .on, .off, .reset, .lock, .unlock: ""
        }
    }
}
