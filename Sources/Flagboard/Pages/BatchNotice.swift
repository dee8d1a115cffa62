import FlagChanges

/// That changes were made together, with the way back to where they were chosen.
struct BatchNotice: Hashable, Sendable {
    /// How many were made, in a sentence.
    let text: String
    let backLink: TextLink

    /// Makes the notice; `nil` where what was done is something else.
    init?(_ notice: SavedNotice) {
        guard case .batch(_, let back) = notice.outcome else { return nil }
        text = notice.text(nil, .none)
        backLink = TextLink(label: "Back to \(Self.place(of: back))", href: back)
    }

    /// What an address of the dashboard leads to, in words.
    private static func place(of address: String) -> String {
        switch String(address.prefix { $0 != "?" && $0 != "#" }) {
        case PageLink.compare: "the comparison"
        case PageLink.timeMachine: "the time machine"
        case PageLink.importing: "the import"
        case PageLink.flags: "the list"
        case let path where path.hasPrefix(PageLink.history): "the history"
        default: "where they were chosen"
        }
    }
}
