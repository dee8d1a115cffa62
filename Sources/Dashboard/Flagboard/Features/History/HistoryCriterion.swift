/// One criterion that the history is narrowed to, as a link that drops it.
struct HistoryCriterion: Hashable, PagePart {
    /// What it is about: `Actor`.
    let title: String
    let label: String
    /// The history without it.
    let href: String
}
