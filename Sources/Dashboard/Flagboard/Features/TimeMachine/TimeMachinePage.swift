import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

struct TimeMachinePage: PageModel {
    static let template = "time-machine"
    /// Fewer than elsewhere, since each flag shows several values.
    static let size = 50

    let frame: PageFrame
    let day: String
    let clock: String
    /// The label, and the form value, `nil` for UTC.
    let zoneName: String
    let zone: String?
    let isUnfolded: Bool
    let search: String
    let extent: String
    /// The moment and the extent, for the search.
    let fields: [HiddenField]
    let suggestions: [TextLink]
    let moment: Moment?
    /// The number of flags that have changed since.
    let summary: String?
    /// A note that the moment wasn't requested.
    let usualNote: String?
    /// `nil` with hardly any changes.
    let strip: MomentStrip?
    /// Set without any history.
    let nothing: EmptyState?
    let notes: [String]
    let restoring: MatrixBar?
    /// Set if values differ but nothing can be restored.
    let restoreRefusal: String?
    let isSearchable: Bool
    let list: MatrixList
    let downloads: [Download]

    struct Moment: Hashable, PagePart {
        let time: TimeText
        /// Set if the moment was chosen by the change after it.
        let change: TextLink?
        let sinceHref: String?
        let previousHref: String?
        let nextHref: String?
        let endNote: String?
    }

    struct Download: Hashable, PagePart {
        let provider: String
        let xmlHref: String
        let jsonHref: String
    }

    init(
        frame: PageFrame, view: CatalogueView, filter: PastFilter, past: PastState?,
        surroundings: MomentSurroundings, refused: RefusedChoice? = nil
    ) {
        let known = past.flatMap { $0.moment.isKnown ? $0 : nil }
        let found = known?.flags(having: filter.text, in: view) ?? []
        let listed = found.filter(filter.extent.contains)
        let scope = view.restoreScope
        let time = past.map { TimeText($0.time) }
        self.frame = frame.titled(time.map { "Flags at \($0.text)" } ?? "Time machine", in: .history)
        let parts = past.map { PastFilter(query: ["time": FlagDate.text($0.time)], now: .distantFuture) }
        day = parts?.day ?? filter.day
        clock = parts?.clock ?? filter.clock
        zoneName = PageZone.name
        zone = PageZone.name == "UTC" ? nil : PageZone.name
        isUnfolded = !filter.problems.isEmpty
        search = filter.text
        extent = filter.extent.rawValue
        let moment = filter.moment + [("show", filter.extent.rawValue)]
        fields = moment.compactMap { name, value in value.map { HiddenField(name: name, value: $0) } }
        suggestions = Self.suggestions(filter, view.now)
        self.moment = past.map { Self.moment($0, filter, surroundings.neighbours) }
        summary = known.map { _ in
            Self.summary(found.count { PastFilter.Extent.different.contains($0) }, of: found.count)
        }
        strip = MomentStrip(
            surroundings, filter, at: past?.time, in: MomentStrip.bins(now: view.now, in: PageZone.current))
        nothing =
            past == nil && surroundings.isAskedFor == false
            ? EmptyState(
                heading: "No history yet",
                advice: "Once a flag has changed, this page shows all flags as they were before.",
                link: TextLink(label: "All flags", href: PageLink.flags)) : nil
        usualNote =
            past == nil || surroundings.isAskedFor
            ? nil : "Showing the state before the last change."
        notes = past.map(Self.notes) ?? []
        isSearchable = known != nil
        restoring = Self.restoring(listed.count(where: scope.contains))
        let differs = listed.contains { $0.values.contains(where: \.isDifferent) }
        restoreRefusal =
            differs && scope.providers.isEmpty
            ? view.visitor?.person.role == .viewer
                ? "Viewers can’t restore values."
                : "Can’t restore: \(view.refusalOfChanges ?? "no provider is writable.")" : nil
        let range = ListPages.range(of: listed.count, page: filter.page, size: Self.size)
        let providers = found.first?.values.map(\.provider) ?? []
        // The values of a single source are the effective ones.
        let isOfOne = providers.count == 1 && view.catalogue.providers.count(where: \.isAsked) == 1
        let table = MatrixTable(
            caption: isOfOne ? "Values then and now" : "Values by provider, then and now",
            isOfOne
                ? [MatrixTable.Column(name: "Then → now")]
                : (providers + ["Effective"]).map { MatrixTable.Column(name: $0) },
            listed[range].enumerated().map { number, flag in
                MatrixRow(
                    flag, isOfOne: isOfOne, extent: filter.extent, number: number + 1, scope: scope,
                    isChosen: refused?.form.keys.contains(flag.key) == true)
            })
        list = MatrixList(
            refusal: refused?.problem,
            problems: filter.problems + filter.leftOut
                + [
                    known == nil
                        ? nil : ListPages.problem(count: listed.count, page: filter.page, size: Self.size),
                    past.flatMap(Self.alteration),
                ],
            extents: known == nil ? [] : Self.extents(found, filter),
            empty: known != nil && listed.isEmpty ? Self.empty(filter, found.isEmpty) : nil, action: filter.href,
            formID: Self.formID,
            fields: restoring == nil
                ? [] : moment + [("q", filter.text), ("page", filter.page > 1 ? String(filter.page) : nil)],
            table: table,
            pages: ListPages(count: listed.count, page: filter.page, size: Self.size) {
                filter.showing(page: $0).href
            })
        downloads =
            known == nil
            ? []
            : view.catalogue.providers.filter(\.isFile).map { provider in
                let query = PageLink.query(filter.moment + [("provider", provider.name)])
                return Download(
                    provider: provider.name, xmlHref: Route.pastValues.path + query,
                    jsonHref: Route.pastJSON.path + query)
            }
    }

    private static let formID = "restore"

    private static func extents(_ found: [PastFlag], _ filter: PastFilter) -> [FacetLink] {
        PastFilter.Extent.allCases.map { extent in
            FacetLink(
                label: extent.label, count: found.count(where: extent.contains), href: filter.showing(extent).href,
                isCurrent: extent == filter.extent)
        }
    }

    private static func suggestions(_ filter: PastFilter, _ now: Date) -> [TextLink] {
        [("An hour ago", 3600), ("A day ago", 86_400), ("A week ago", 604_800), ("30 days ago", 2_592_000)].map {
            let seconds = (now.timeIntervalSinceReferenceDate - $0.1).rounded(.down)
            return TextLink(
                label: $0.0, href: filter.at(.time(Date(timeIntervalSinceReferenceDate: seconds))).href)
        }
    }

    private static func summary(_ changed: Int, of all: Int) -> String {
        switch changed {
        case 0: "No values have changed since."
        case 1: "1 of \(all) flags has changed since."
        default: "\(changed) of \(all) flags have changed since."
        }
    }

    private static func moment(
        _ past: PastState, _ filter: PastFilter, _ neighbours: NeighbouringChanges
    ) -> Moment {
        var change: TextLink?
        if case .before(let row) = filter.instant {
            change = TextLink(label: "change \(row)", href: PageLink.change(row))
        }
        return Moment(
            time: TimeText(past.time), change: change,
            sinceHref: change == nil
                ? PageLink.history + PageLink.query([("from", FlagDate.wholeSecondText(past.time))]) : nil,
            previousHref: neighbours.previous.map { filter.at(.before(row: $0.id)).href },
            nextHref: neighbours.afterNext.map { filter.at(.before(row: $0.id)).href },
            endNote: neighbours.next == nil
                ? "No later changes" : neighbours.afterNext == nil ? "1 later change" : nil)
    }

    private static func notes(_ past: PastState) -> [String] {
        let moment = past.moment
        var notes: [String] = []
        if !moment.isKnown, let anchor = moment.anchor {
            let begin = moment.begin.map { TimeText($0).text } ?? TimeText(anchor.at).text
            notes.append(
                "Changes up to number \(anchor.last) were archived in \(anchor.archive). History starts at \(begin).")
        } else if moment.head == 0 {
            notes.append("No changes recorded. Showing the current flags.")
        } else if moment.isBeforeHistory, let begin = moment.begin {
            notes.append(
                "History starts at \(TimeText(begin).text). Earlier changes weren’t recorded.")
        }
        if moment.isKnown, !past.missingProviders.isEmpty {
            let names = past.missingProviders.joined(separator: ", ")
            notes.append(
                "The history also has values of \(names). Start Flagboard with "
                    + "\(past.missingProviders.count == 1 ? "that provider" : "those providers") to see them.")
        }
        if moment.isKnown, !past.providersWithoutPast.isEmpty {
            let names = past.providersWithoutPast.joined(separator: ", ")
            notes.append(
                "Past values of the app’s own providers are unknown: \(names). Effective values use their current ones."
            )
        }
        return notes
    }

    private static func alteration(_ past: PastState) -> String? {
        guard let row = past.alteredRows.first else { return nil }
        let more = past.alteredRows.count == 1 ? "" : " and \(past.alteredRows.count - 1) more"
        return
            "Another program altered the history: change \(row)\(more). Affected flags are marked and can’t "
            + "be restored or downloaded. Run flagboard history verify for details."
    }

    private static func restoring(_ count: Int) -> MatrixBar? {
        guard count > 0 else { return nil }
        return MatrixBar(
            "Restore",
            advice: "You’ll see a preview first. Deleted flags come back; other definitions aren’t changed.",
            formID: formID,
            lines: [
                [
                    MatrixBar.Button(
                        "restore", "all", count == 1 ? "Restore 1 flag" : "Restore \(count) flags", isPrimary: true),
                    MatrixBar.Button("restore", "chosen", "Restore selected"),
                ]
            ], isSticky: true)
    }

    private static func empty(_ filter: PastFilter, _ isUnmatched: Bool) -> EmptyState {
        var all = filter.showing(.all)
        all.text = ""
        let link = TextLink(label: "Show all flags", href: all.href)
        if isUnmatched, !filter.text.allSatisfy(\.isWhitespace) {
            return EmptyState(
                heading: "No flags match",
                advice: FlagListWords.searchAdvice,
                link: link)
        }
        if filter.extent == .different {
            return EmptyState(
                heading: "No changes", advice: "All values are the same.", link: link)
        }
        return EmptyState(heading: "No flags", advice: "There were no flags then.", link: nil)
    }
}

extension MatrixRow {
    fileprivate init(
        _ flag: PastFlag, isOfOne: Bool, extent: PastFilter.Extent, number: Int, scope: RestoreScope, isChosen: Bool
    ) {
        // A tab's name says it of all its flags.
        let standing: (String, String?) =
            switch (flag.then, flag.now, flag.isDifferent) {
            case (nil, _, _): ("new", "Created since")
            case (_, nil, _): ("gone", "Deleted since")
            case (_, _, true) where flag.hasLostDefinition: ("different", "Definition deleted since")
            case (_, _, true): ("different", extent == .all ? "Changed" : nil)
            case (_, _, false): ("same", nil)
            }
        self.init(
            key: flag.key, (flag.now ?? flag.then)?.definition, isGone: flag.now == nil,
            isOfOne
                ? [MatrixCell(onlyOf: flag, isShaded: extent == .all)]
                : flag.values.map {
                    MatrixCell($0.provider, then: $0.then, now: $0.then.stored == $0.now.stored ? nil : $0.now)
                } + [MatrixCell(effectiveOf: flag)],
            type: (flag.then ?? flag.now)?.definition.type.rawValue, standing: standing,
            problem: flag.alteredRow.map {
                "Unverified: change \($0), which recorded this state, was altered later."
            }, note: scope.note(on: flag), choice: scope.contains(flag) ? number : nil, isChosen: isChosen)
    }
}

extension MatrixCell {
    /// `now` is `nil` when it is the same.
    fileprivate init(
        _ column: String, then: FlagResolution.Answer, now: FlagResolution.Answer?,
        absence: (String, String) = ("no value", "no value")
    ) {
        let pair = MatrixValue.pair(
            then, now ?? then, labels: now == nil ? (nil, nil) : ("Then", "Now"), absence: absence)
        self.init(column, now == nil ? [pair.left] : [pair.left, pair.right], isDifferent: now != nil)
    }

    /// Shows what the source stored, or else the default.
    fileprivate init(onlyOf flag: PastFlag, isShaded: Bool) {
        func told(_ entry: FlagEntry?, _ stored: FlagResolution.Answer?) -> (FlagResolution.Answer, isDefault: Bool) {
            if let stored, stored != .absent { return (stored, false) }
            let effective = entry.map(ValueColumn.effective.answer) ?? .absent
            return (effective, effective != .absent)
        }
        let (then, now) = (told(flag.then, flag.values.first?.then), told(flag.now, flag.values.first?.now))
        let isDifferent = flag.values.contains(where: \.isDifferent) || then.0 != now.0
        let pair = MatrixValue.pair(
            then.0, now.0, labels: isDifferent ? ("Then", "Now") : (nil, nil),
            absence: (Self.absence(of: flag.then), Self.absence(of: flag.now)))
        let left = then.isDefault ? pair.left.asDefault : pair.left
        let right = now.isDefault ? pair.right.asDefault : pair.right
        self.init("Then → now", isDifferent ? [left, right] : [left], isDifferent: isDifferent && isShaded)
    }

    fileprivate init(effectiveOf flag: PastFlag) {
        let (then, now) = (flag.then.map(ValueColumn.effective.answer), flag.now.map(ValueColumn.effective.answer))
        self.init(
            "Effective", then: then ?? .absent, now: then == now ? nil : now ?? .absent,
            absence: (Self.absence(of: flag.then), Self.absence(of: flag.now)))
    }

    private static func absence(of entry: FlagEntry?) -> String {
        entry.map(ValueColumn.effective.absence) ?? "no such flag"
    }
}
