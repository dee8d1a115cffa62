import FeatureFlags
import FlagChanges

/// What can be done to the flags that are ticked in the list.
struct SelectionBar: Hashable, Sendable {
    /// Something to do, and the field that it needs.
    struct Deed: Hashable, Sendable {
        let value: String
        let label: String
        let takes: String
    }

    let actions: [Deed]
    let takesTag: Bool
    /// The tags that there are, to choose from.
    let tags: [String]
    let providers: [ChoiceOption]
    /// The list to come back to.
    let back: String
    /// What selects the flags of every page of the list; `nil` where it has one page.
    let everything: Everything?

    /// All flags that the list finds.
    struct Everything: Hashable, Sendable {
        let label: String
        let count: Int
        /// The list's query, without its question mark and page.
        let query: String
    }

    /// Offers what the visitor may do; `nil` where that is nothing.
    ///
    /// - Parameters:
    ///   - view: The providers, and who looks at them.
    ///   - filter: The list that the flags are ticked in.
    ///   - found: How many flags it finds.
    ///   - shown: How many of them its page shows.
    init?(_ view: CatalogueView, _ filter: FlagFilter, found: Int, shown: Int) {
        guard view.canSelect else { return nil }
        let isAdmin = view.visitor?.isAdmin == true
        actions = SelectionForm.Action.allCases.filter { isAdmin || !$0.isForAdmins }
            .map { Deed(value: $0.rawValue, label: $0.label, takes: $0.takes) }
        takesTag = actions.contains { $0.takes == "tag" }
        tags = Set(view.catalogue.entries.flatMap(\.definition.metadata.tags)).sorted()
        providers = view.changeableProviders.map { ChoiceOption(value: $0, label: $0, isSelected: false) }
        back = filter.href
        everything =
            found > shown
            ? Everything(
                label: "All \(found) flags \(filter.isActive ? "that are found" : "of the list"), on every page",
                count: found, query: String(filter.with(\.page, 1).href.drop { $0 != "?" }.dropFirst()))
            : nil
    }
}

extension CatalogueView {
    /// Whether the visitor may change anything, and so tick flags to change several at once.
    var canSelect: Bool {
        guard let role = visitor?.person.role, role != .viewer, standing.block == nil else { return false }
        return !changeableProviders.isEmpty
    }
}
