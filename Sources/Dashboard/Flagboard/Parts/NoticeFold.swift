/// What the notices of a page come to in one line, which unfolds where there is little room.
struct NoticeFold: Hashable, PagePart {
    /// How it is coloured: as the gravest notice is.
    let style: String
    /// What that notice is about.
    let heading: String
    /// How many more there are.
    let more: String?

    /// Sums notices up.
    init?(_ notices: [PageNotice], _ restart: RestartBanner?) {
        let all = notices.map { ($0.style, $0.heading) } + (restart.map { [("warning", $0.heading + ".")] } ?? [])
        guard
            let gravest = all.first(where: { $0.0 == "error" }) ?? all.first(where: { $0.0 == "warning" }) ?? all.first
        else { return nil }
        (style, heading) = gravest
        more = all.count > 1 ? "and \(all.count - 1) more" : nil
    }
}
