import FeatureFlags
import FlagChanges

/// The flags: search, filters, and the list by groups.
struct FlagListPage: PageModel {
    static let template = "flags"

    let frame: PageFrame
    let countText: String
    let search: String
    let states: [ChoiceOption]
    let tags: [ChoiceOption]
    let sources: [ChoiceOption]
    /// The group that the list is narrowed to; its key path also travels with the form.
    let chosenGroup: ChosenGroup?
    let isFiltered: Bool
    let resetHref: String
    let filterProblems: [String]
    /// What has just been done to a flag that is not on the page.
    let notice: ShownNotice?
    let hasRows: Bool
    let flags: [FlagRow]
    let hasFlags: Bool
    let groups: [FlagGroup]
    let facets: [Facet]
    let hasFacets: Bool
    let empty: EmptyState?
    let pages: ListPages?

    /// The group that the list is narrowed to.
    struct ChosenGroup: Hashable, Sendable {
        let key: String
        let name: String
        let leaveHref: String
    }

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - frame: What stands around it.
    ///   - view: All flags.
    ///   - filter: Which of them to list.
    ///   - saved: What has just been done to a flag.
    init(frame: PageFrame, view: CatalogueView, filter: FlagFilter, saved: ListPlace.Saved? = nil) {
        var view = view
        view.list = ListPlace(href: filter.href, saved: saved)
        let catalogue = view.catalogue
        let entries = catalogue.entries.filter { [view] in filter.matches($0, in: view) }
        pages = ListPages(count: entries.count, filter)
        let listed = Array(entries[ListPages.range(of: entries.count, filter)])
        let tree = FlagGroup.tree(of: listed, in: view)
        let isListed = listed.contains { $0.key == saved?.key }
        notice = isListed ? nil : saved.map { [view] in ShownNotice($0, in: view) }
        // A group all of whose flags are hidden answers like one that was never there.
        let group = filter.group.flatMap { group in
            catalogue.entries.contains { $0.key.isInside(group) && $0.key != group } ? group : nil
        }
        self.frame = frame.titled("Flags", in: .flags)
        countText = Self.countText(entries.count, of: catalogue.entries.count, isFiltered: filter.isActive)
        search = filter.text
        states = Self.options(FlagFilter.State.allCases.map { ($0.rawValue, $0.label) }, filter.state?.rawValue)
        tags = Self.options(Set(catalogue.entries.flatMap(\.definition.metadata.tags)).sorted(), filter.tag)
        sources = Self.options(catalogue.providers.map(\.name) + [FlagFilter.defaultSource], filter.provider)
        chosenGroup = group.map {
            ChosenGroup(key: $0.text, name: view.name(of: $0), leaveHref: filter.with(\.group, nil).href)
        }
        isFiltered = filter.isActive
        resetHref = PageLink.flags
        let unknownGroup = group == nil ? filter.group : nil
        filterProblems =
            filter.problems
            + (unknownGroup.map { ["There is no group \"\($0.shownText)\": start from the list of all flags."] } ?? [])
        hasRows = !entries.isEmpty
        flags = tree.flags
        hasFlags = !tree.flags.isEmpty
        groups = tree.groups
        facets = Facet.all(view, filter)
        hasFacets = !facets.isEmpty
        empty = Self.empty(catalogue, shown: entries.count, frame.fileName)
    }

    /// `1 flag`, `12 flags`.
    static func count(_ number: Int) -> String { number == 1 ? "1 flag" : "\(number) flags" }

    private static func countText(_ shown: Int, of all: Int, isFiltered: Bool) -> String {
        isFiltered ? "\(shown) of \(count(all))" : count(all)
    }

    private static func options(_ values: [String], _ selected: String?) -> [ChoiceOption] {
        options(values.map { ($0, $0) }, selected)
    }

    /// What is asked for stays in the select even where nothing has it, so that sending the form again asks the same.
    private static func options(_ values: [(String, String)], _ selected: String?) -> [ChoiceOption] {
        let unknown = selected.map { name in values.contains { $0.0 == name } ? [] : [(name, name)] } ?? []
        return (values + unknown).map { ChoiceOption(value: $0.0, label: $0.1, isSelected: $0.0 == selected) }
    }

    private static func empty(_ catalogue: FlagCatalogue, shown: Int, _ fileName: String) -> EmptyState? {
        if catalogue.entries.isEmpty {
            return EmptyState(
                heading: "No flags yet",
                advice: "A flag appears here as soon as \(fileName) holds a value for it or the manifest defines it.",
                link: nil)
        }
        guard shown == 0 else { return nil }
        return EmptyState(
            heading: "No flag matches",
            advice: "Every word of the search must be found in the key path, name, description, tags or group name.",
            link: TextLink(label: "Show all \(count(catalogue.entries.count))", href: PageLink.flags))
    }
}
