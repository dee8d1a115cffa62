import FeatureFlags
import FlagChanges
import FlagCode
import FlagHistory
import Foundation

struct FlagPage: PageModel {
    static let template = "flag"
    static let historyLimit = 20
    private static let shownHistory = 5

    let frame: PageFrame
    let key: String
    let keyText: String
    let name: String
    /// The symbol of `icons.svg`.
    let icon: String
    let summary: String?
    let breadcrumbs: [TextLink]
    /// For the style sheet and for tests.
    let state: String
    let states: [StateLabel]
    let marks: [FlagMark]
    let favourite: FavouriteForm
    let effective: ShownValue
    /// The bytes of an effective value that is data.
    let hex: HexView?
    /// Set if the effective value is a colour.
    let swatch: String?
    /// Set if the effective value is a web address.
    let openHref: String?
    /// In Swift.
    let snippet: String?
    /// The source of the value, and its last change.
    let valueOrigin: TimedText
    let chain: ValueChain
    let facts: [FlagFact]
    let userInfo: [UserInfoEntry]
    let tags: [TextLink]
    let savedNotice: ShownNotice?
    let notSaved: NotSaved?
    let refusal: PageRemark?
    let remarks: [PageRemark]
    let endings: [EndingNotice]
    let editor: FlagEditor?
    let conflicts: [MergeConflictCard]
    let lock: LockForm?
    let lockStory: TimedText?
    let definitionLink: TextLink?
    /// The form of a new flag, filled in from this one.
    let copyHref: String?
    let history: [HistoryRow]
    let earlierHistory: [HistoryRow]
    let earlierText: String?
    let historyText: String
    let historyHref: String
    /// The history at the key path before a rename.
    let formerHistory: TextLink?
    let timeline: FlagTimeline?
    /// `nil` without source code.
    let uses: FlagUses?
    let terminal: TerminalLines?

    struct NotSaved: Hashable, PagePart {
        let problem: String
        let isInForm: Bool
        /// The input, if no form holds it.
        let typed: [TypedValue]
    }

    init(
        frame: PageFrame, entry: FlagEntry, view: CatalogueView, provider: String? = nil, suggestion: String? = nil,
        form: FlagForm? = nil, past: FlagHistorySummary? = nil, notice: SavedNotice? = nil,
        uses: FlagUses? = nil, requests: TerminalRequests? = nil
    ) {
        self.uses = uses
        let definition = entry.definition
        let resolution = entry.resolution
        let title = definition.shownName
        self.frame = frame.titled(form == nil ? title : "Not saved: \(title)", in: .flags)
        key = entry.key.text
        keyText = entry.key.shownText
        name = title
        icon = FlagIcon.symbol(of: definition)
        summary = definition.metadata.description.isEmpty ? nil : definition.metadata.description
        breadcrumbs = entry.definition.groups.map {
            TextLink(label: view.name(of: $0), href: FlagFilter([.group: $0.text]).href)
        }
        state = entry.state.rawValue
        states = StateLabel.labels(of: entry, in: view)
        marks = FlagMark.marks(of: entry, in: view)
        favourite = FavouriteForm(entry.key, view.memory)
        effective = ShownValue(whole: resolution.effectiveValue, absence: ShownValue.absence(of: resolution))
        hex = HexView(resolution.effectiveValue, of: entry.key)
        swatch = Colour(resolution.effectiveValue)?.text
        openHref = Self.webAddress(definition.type == .url ? resolution.effectiveValue : nil)
        snippet = SwiftFlag.source(of: entry.definition, on: view.now)
        valueOrigin = Self.origin(resolution, past?.page.records ?? [], now: view.now)
        chain = ValueChain(entry, in: view, isBrief: false)
        facts = FlagFact.facts(of: entry, in: view)
        userInfo = UserInfoEntry.entries(of: definition.metadata.userInfo)
        tags = definition.metadata.tags.map { TextLink(label: $0, href: FlagFilter([.tag: $0]).href) }
        savedNotice = notice.map { ShownNotice($0, entry, in: view) }
        remarks = Self.remarks(entry)
        endings = EndingNotice.notices(entry, in: view)
        let access = EditorAccess(entry, view, wanted: form?.provider ?? provider, form: form)
        refusal = access.refusal
        let editor = access.provider.map { name in
            FlagEditor(
                entry: entry, provider: name, writable: access.writable,
                form: access.holdsForm && form?.isInLock != true ? form : nil,
                access: access, suggestion: Suggestion.value(suggestion, of: definition))
        }
        self.editor = editor
        conflicts = MergeConflictCard.all(of: entry, in: view)
        lock = LockForm(entry, in: view, form: form)
        terminal = requests?.lines(of: entry, changing: access.provider, mayLock: lock != nil)
        lockStory = definition.metadata.isLocked ? LockForm.story(past?.lockedBy, now: view.now) : nil
        definitionLink = DefinitionLink.link(entry, in: view)
        copyHref = DefinitionLink.copyHref(of: entry, in: view)
        notSaved = form.map { form in
            let typed = access.holdsForm ? [] : form.typed
            return NotSaved(
                problem: form.problem, isInForm: access.holdsForm, typed: typed)
        }
        let renaming = past?.renaming
        let records = past?.page.records ?? []
        let shownRecords = records.filter { record in
            // A warning or a later reason needs its row.
            renaming?.moves(record) != true || record.isAltered || past?.notes[record.id] != nil
        }
        let reverts = FlagRevert.forms(of: shownRecords, entry, in: view)
        let rows = shownRecords.map {
            HistoryRow(
                $0, partner: $0.id == renaming?.defined.id ? renaming?.removed : nil, notes: past?.notes[$0.id] ?? [],
                in: view, at: .flag, revert: reverts[$0.id])
        }
        // A note about one folded row would take as much room.
        let shown = rows.count <= Self.shownHistory + 1 ? rows.count : Self.shownHistory
        history = Array(rows.prefix(shown))
        earlierHistory = Array(rows.dropFirst(shown))
        earlierText = earlierHistory.isEmpty ? nil : "\(earlierHistory.count) earlier changes"
        historyText = Self.historyText(rows.count, past?.page, without: records.count - rows.count)
        timeline = past.flatMap {
            FlagTimeline(
                $0.steps, historyBegin: $0.historyBegin, providers: view.catalogue.providers.map(\.name), now: view.now)
        }
        historyHref = PageLink.history(of: entry.key)
        formerHistory = renaming.map {
            TextLink(label: $0.removed.event.key.shownText, href: PageLink.history(of: $0.removed.event.key))
        }
    }

    /// Only web pages are linked: a browser would run `javascript:` and the like.
    private static func webAddress(_ value: FlagValue?) -> String? {
        guard case .string(let text)? = value, !text.contains(where: \.isWhitespace),
            let scheme = ["http://", "https://"].first(where: text.prefix(8).lowercased().hasPrefix),
            text.utf8.count > scheme.utf8.count
        else { return nil }
        return text
    }

    private static func origin(
        _ resolution: FlagResolution, _ records: [HistoryRecord], now: Date
    ) -> TimedText {
        let isPassed = resolution.brokenSources.contains { $0.lastGood == nil }
        let origin = origin(resolution) + (isPassed ? " · an invalid stored value is ignored" : "")
        guard case .provider(let provider) = resolution.source,
            let event = records.lazy.map(\.event).first(where: {
                $0.provider == provider && $0.kind.changesFlags && !$0.isOfManifest
            })
        else { return TimedText(before: origin) }
        let reason = event.reason.isEmpty || event.hasPlainReason ? "" : " · \(event.reason)"
        return event.isByNobody
            ? TimedText("\(origin) · \(event.actorName) ", event.at, reason, now: now)
            : TimedText("\(origin) · changed ", event.at, " by \(event.actor)\(reason)", now: now)
    }

    private static func origin(_ resolution: FlagResolution) -> String {
        switch resolution.source {
        case .provider(let name): resolution.isStale ? "Last good value from \(name)" : "From \(name)"
        case .computed where resolution.effectiveValue == nil:
            "Computed by the app on each read, so its value can’t be shown here"
        case .computed: "Computed by the app"
        case .defaultValue where resolution.effectiveValue == nil: "Default, computed by the app on each read"
        case .defaultValue: "Default"
        case .none: "No provider has a value, and the flag has no default"
        }
    }

    private static func remarks(_ entry: FlagEntry) -> [PageRemark] {
        var remarks: [PageRemark] = []
        if !entry.isDefined {
            remarks.append(
                PageRemark(
                    heading: "No definition",
                    advice: "The type is inferred from the value. Add a definition to set a name, description and "
                        + "default."))
        }
        if entry.definition.metadata.requiresRestart {
            remarks.append(
                PageRemark(heading: "Requires restart", advice: "Changes apply after the app restarts."))
        }
        if let remark = PageRemark.mistakenFields(entry) { remarks.insert(remark, at: 0) }
        return remarks
    }

    /// - Parameter omitted: How many rows of the page are part of another one.
    private static func historyText(_ shown: Int, _ page: HistoryPage?, without omitted: Int) -> String {
        guard let page else { return "No changes" }
        let all = ShownCount.changes(page, without: omitted)
        return page.total > shown + omitted ? "Latest \(shown) of \(all.lowercasedFirst)" : all
    }
}

struct FlagHistorySummary: Sendable {
    let page: HistoryPage
    /// Value changes, further back than the page.
    let steps: ValueSteps
    var notes: [HistoryRecord.ID: [HistoryRecord]] = [:]
    /// The time of the oldest change of any flag.
    var historyBegin: Date?
    /// `nil` if the flag isn't locked, or if that was too long ago.
    var lockedBy: HistoryRecord?
    /// `nil` if the flag never had another key path.
    var renaming: Renaming?
}

struct UserInfoEntry: Hashable, PagePart {
    /// In characters; generous since no other page shows the value.
    private static let limit = 2_000

    let name: String
    let shown: ShownValue

    static func entries(of userInfo: [String: FlagValue]) -> [UserInfoEntry] {
        userInfo.sorted { $0.key < $1.key }.map { name, value in
            UserInfoEntry(
                name: name.isEmpty
                    ? "(empty name)" : ShownPart.parts(of: name, breaksLines: false).map(\.plain).joined(),
                shown: ShownValue(inJSON: value, limit: limit))
        }
    }
}

struct ValueChain: Hashable, PagePart {
    let readings: [ReadingRow]
    /// Other environments, which reads don't ask for.
    let elsewhere: [ReadingRow]
    let inApps: [AppChain]

    /// Omits the origin of each provider's values if brief.
    init(_ entry: FlagEntry, in view: CatalogueView, isBrief: Bool) {
        let resolution = entry.resolution
        let providers = Dictionary(
            view.catalogue.providers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        func row(_ reading: FlagResolution.Reading) -> ReadingRow {
            let provider = providers[reading.provider]
            return ReadingRow(
                reading, about: isBrief ? nil : provider?.description, source: resolution.source,
                isReadable: !view.status.unreadable.contains(reading.provider),
                isRead: provider?.isRead(for: entry.key) != false)
        }
        readings =
            resolution.asked.map(row)
            + [ReadingRow(defaultOf: entry.definition, source: resolution.source)]
        let others = resolution.readings.filter { !$0.isAsked }
        elsewhere = others.filter { providers[$0.provider]?.connectedApp == nil }.map(row)
        inApps = AppChain.chains(entry.definition, others, providers)
    }
}

struct EndingNotice: Hashable, PagePart {
    /// `Expired` or `Deprecated:`.
    let heading: String
    let text: String
    let next: String
    let link: TextLink?

    /// Gravest first.
    static func notices(_ entry: FlagEntry, in view: CatalogueView) -> [EndingNotice] {
        let metadata = entry.definition.metadata
        let owner = metadata.owner.flatMap { $0.isEmpty ? nil : $0 }
        let whose = owner.map { "Owner: \($0)" } ?? "No owner"
        let link =
            DefinitionLink.canDefine(view) && entry.isDefined
            ? TextLink(label: "Edit definition", href: PageLink.definition(entry.key)) : nil
        let person = link == nil ? owner ?? "an admin" : nil
        var notices: [EndingNotice] = []
        if let expires = metadata.expires, view.isExpired(entry) {
            let day = TimeText.dayText(expires)
            notices.append(
                EndingNotice(
                    heading: "Expired",
                    text: "on \(day.contains("T") ? TimeText(expires).text : day) · \(whose)",
                    next: person.map { "Ask \($0) to remove it or set a later expiry date." }
                        ?? "Remove it from your code, then delete it here. To keep it, set a later expiry date.",
                    link: link))
        }
        if let reason = metadata.retired {
            let why = reason.isEmpty ? "don’t use it in new code" : reason
            notices.append(
                EndingNotice(
                    heading: "Deprecated:", text: "\(why) · \(whose)",
                    next: person.map { "Ask \($0) to remove it. Apps still read its value." }
                        ?? "Remove it from your code, then delete it here. Apps still read its value.",
                    link: link))
        }
        return notices
    }
}

/// The two rows of a rename; the values that it took along are in older rows.
struct Renaming: Sendable {
    let removed: HistoryRecord
    let defined: HistoryRecord

    /// Returns `true` for a value that the rename took along.
    func moves(_ record: HistoryRecord) -> Bool {
        record.event.batch == defined.event.batch && record.id != defined.id && record.event.kind == .set
    }
}

/// Former and later key paths of renamed flags.
///
/// A rename is two adjacent rows: a removal at the old key path, then a definition at the new one.
struct RenameHistory {
    let history: HistoryStore
    let hiddenKeys: HiddenKeys

    /// `nil` if the flag was defined at this key path; `page` has its newest rows.
    func renaming(to key: FlagKeyPath, _ page: HistoryPage) throws(HistoryStoreError) -> Renaming? {
        let shown = page.records.first { $0.event.kind == .define }
        let defined = if shown == nil, page.hasOlder { try newest(.define, of: key) } else { shown }
        guard let defined, let removed = try row(defined.id &- 1),
            defined.isRenaming(of: removed)
        else { return nil }
        return Renaming(removed: removed, defined: defined)
    }

    func laterKey(of key: FlagKeyPath) throws(HistoryStoreError) -> FlagKeyPath? {
        guard let removed = try newest(.remove, of: key), let defined = try row(removed.id &+ 1),
            defined.isRenaming(of: removed)
        else { return nil }
        return defined.event.key
    }

    private func newest(
        _ kind: HistoryRecord.Kind, of key: FlagKeyPath
    ) throws(HistoryStoreError) -> HistoryRecord? {
        try history.newest(HistoryQuery(key: key, kind: kind, hiddenKeys: hiddenKeys, limit: 1)).first
    }

    private func row(_ id: Int64) throws(HistoryStoreError) -> HistoryRecord? {
        try history.record(id, hiddenKeys: hiddenKeys)
    }
}
