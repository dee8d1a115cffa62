/// One criterion that the history is narrowed to, as a link that drops it.
struct HistoryCriterion: Hashable, Sendable {
    /// What it is about: `Actor`.
    let title: String
    let label: String
    /// The history without it.
    let href: String
}

extension HistoryCriterion: PagePart {
    static let fields: PageFields<Self> = ["title": .of(\.title), "label": .of(\.label), "href": .of(\.href)]
}
