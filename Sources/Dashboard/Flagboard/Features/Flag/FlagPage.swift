import FeatureFlags
import FlagChanges
import FlagCode
import FlagHistory
import Foundation

/// One flag: what it is, what it is set to and why, the editor, and its history.
struct FlagPage: PageModel {
    static let template = "flag"
    /// How many rows of the history are on the page.
    static let historyLimit = 20
    /// How many of them are shown; the others are folded.
    private static let shownHistory = 5

    let frame: PageFrame
    let key: String
    /// The key path as it is shown.
    let keyText: String
    let name: String
    let summary: String?
    let breadcrumbs: [TextLink]
    /// The state's name, for the style sheet and for tests.
    let state: String
    let states: [StateLabel]
    let marks: [FlagMark]
    let favourite: FavouriteForm
    let effective: ShownValue
    /// The effective value byte by byte, where it is data.
    let hex: HexView?
    /// The effective value where it is a colour, as it is drawn.
    let swatch: String?
    /// Where the effective value leads, where it is the address of a web page.
    let openHref: String?
    /// The flag as it is declared in Swift.
    let snippet: String?
    /// Where the effective value comes from; `nil` where there is none.
    let source: String?
    /// Why that source, as the end of a sentence; or why there is no value, in a sentence.
    let why: String
    let chain: ValueChain
    let facts: [FlagFact]
    let userInfo: [UserInfoEntry]
    let tags: [TextLink]
    /// What has just been done to the flag.
    let savedNotice: ShownNotice?
    /// Why the form that was sent was refused.
    let notSaved: NotSaved?
    /// Why there is no form, where there is none.
    let refusal: PageRemark?
    let remarks: [PageRemark]
    /// That the flag has expired, or is retired.
    let endings: [EndingNotice]
    let editor: FlagEditor?
    /// What merges left to be chosen.
    let conflicts: [MergeConflictCard]
    /// Locks the flag, or lifts its lock; for admins.
    let lock: LockForm?
    /// Who locked the flag, when and why.
    let lockStory: TimedText?
    /// Where an admin changes the definition, or adds it.
    let definitionLink: TextLink?
    let history: [HistoryRow]
    /// Changes before those, which are folded.
    let earlierHistory: [HistoryRow]
    /// How many those are; `nil` where there are none.
    let earlierText: String?
    let historyText: String
    let historyHref: String
    /// The history at the key path that the flag had before.
    let formerHistory: TextLink?
    /// What each provider held, and when; `nil` where the history knows nothing of it.
    let timeline: FlagTimeline?
    /// Where source code is about the flag; `nil` where there is no source code to look at.
    let uses: FlagUses?
    /// How the flag is read and changed from a terminal.
    let terminal: TerminalLines?

    /// A form that was refused.
    struct NotSaved: Hashable, PagePart {
        /// What is wrong and what to do, in sentences.
        let problem: String
        /// Whether the form stands further down with what was typed.
        let isInForm: Bool
        /// What was typed, where no form holds it.
        let typed: [TypedValue]
    }

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - provider: The provider to edit; where it is none that can be written, the first that can.
    ///   - form: What was typed before, to show again.
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
        summary = definition.metadata.description.isEmpty ? nil : definition.metadata.description
        breadcrumbs = entry.key.ancestors.map { TextLink(label: view.name(of: $0), href: FlagFilter(group: $0).href) }
        state = entry.state.rawValue
        states = StateLabel.labels(of: entry, in: view)
        marks = FlagMark.marks(of: entry, in: view)
        favourite = FavouriteForm(entry.key, view.memory)
        effective = ShownValue(whole: resolution.effectiveValue)
        hex = HexView(resolution.effectiveValue, of: entry.key)
        swatch = Colour(resolution.effectiveValue)?.text
        openHref = Self.webAddress(definition.type == .url ? resolution.effectiveValue : nil)
        snippet = SwiftFlag.source(of: entry.definition, on: view.now)
        source = resolution.source == .none ? nil : resolution.source.words
        why = Self.why(resolution)
        chain = ValueChain(entry, in: view, isBrief: false)
        facts = FlagFact.facts(of: entry, in: view)
        userInfo = UserInfoEntry.entries(of: definition.metadata.userInfo)
        tags = definition.metadata.tags.map { TextLink(label: $0, href: FlagFilter(tag: $0).href) }
        savedNotice = notice.map { ShownNotice($0, entry, in: view) }
        remarks = Self.remarks(entry)
        endings = EndingNotice.notices(entry, in: view)
        let access = EditorAccess(entry, view, wanted: form?.provider ?? provider, form: form)
        refusal = access.refusal
        let editor = access.provider.map { name in
            FlagEditor(
                entry: entry, provider: name, writable: access.writable, form: access.holdsForm ? form : nil,
                access: access, suggestion: Suggestion.value(suggestion, of: definition))
        }
        self.editor = editor
        conflicts = MergeConflictCard.all(of: entry, in: view)
        lock = LockForm(entry, in: view)
        terminal = requests?.lines(of: entry, changing: access.provider, mayLock: lock != nil)
        lockStory = definition.metadata.isLocked ? LockForm.story(past?.lockedBy, now: view.now) : nil
        definitionLink = DefinitionLink.link(entry, in: view)
        notSaved = form.map { form in
            let typed = access.holdsForm ? [] : form.typed
            return NotSaved(
                problem: form.problem, isInForm: access.holdsForm, typed: typed)
        }
        let records = past?.page.records ?? []
        let reverts = FlagRevert.forms(of: records, entry, in: view)
        let rows = records.map { HistoryRow($0, notes: past?.notes[$0.id] ?? [], revert: reverts[$0.id]) }
        // One more row takes no more room than saying that there is one.
        let shown = rows.count <= Self.shownHistory + 1 ? rows.count : Self.shownHistory
        history = Array(rows.prefix(shown))
        earlierHistory = Array(rows.dropFirst(shown))
        earlierText = earlierHistory.isEmpty ? nil : "\(earlierHistory.count) earlier changes"
        historyText = Self.historyText(rows.count, past?.page)
        timeline = past.flatMap {
            FlagTimeline(
                $0.steps, historyBegin: $0.historyBegin, providers: view.catalogue.providers.map(\.name), now: view.now)
        }
        historyHref = PageLink.history(of: entry.key)
        formerHistory = past?.formerKey.map { TextLink(label: $0.shownText, href: PageLink.history(of: $0)) }
    }

    /// A link leads nowhere but to web pages: `javascript:` and the like would be run in the browser of its reader.
    private static func webAddress(_ value: FlagValue?) -> String? {
        guard case .string(let text)? = value, text.wholeMatch(of: /(?i)https?:\/\/\S+/) != nil else { return nil }
        return text
    }

    private static func why(_ resolution: FlagResolution) -> String {
        let isPassed = resolution.brokenSources.contains { $0.lastGood == nil }
        let passedOver = isPassed ? " A broken value is passed over." : ""
        switch resolution.source {
        case .provider where resolution.isStale:
            return "its last good value, since what it holds now is broken.\(passedOver)"
        case .provider: return "the first provider that holds a valid value.\(passedOver)"
        case .computed: return "the code that declares the flag computes it.\(passedOver)"
        case .defaultValue: return "since no provider holds a valid value.\(passedOver)"
        case .none: return "No provider holds a valid value, and the flag has no default.\(passedOver)"
        }
    }

    private static func remarks(_ entry: FlagEntry) -> [PageRemark] {
        var remarks: [PageRemark] = []
        if !entry.isDefined {
            remarks.append(
                PageRemark(
                    heading: "This flag is not defined",
                    advice: "Its type is a guess from its value. Define it to give it a name, a description and a "
                        + "default."))
        }
        if entry.definition.metadata.requiresRestart {
            remarks.append(
                PageRemark(heading: "Requires restart", advice: "A change takes effect when the app restarts."))
        }
        if let remark = PageRemark.mistakenFields(entry) { remarks.insert(remark, at: 0) }
        return remarks
    }

    private static func historyText(_ shown: Int, _ page: HistoryPage?) -> String {
        guard let page else { return "0 changes" }
        let all = ShownCount.changes(page)
        return page.total > shown ? "The latest \(shown) of \(all.lowercasedFirst)" : all
    }
}

/// What the history tells of a flag, for its page.
struct FlagHistorySummary: Sendable {
    /// The newest rows about it.
    let page: HistoryPage
    /// The steps of more of them.
    let steps: ValueSteps
    /// The reasons that those on the page were given later.
    var notes: [HistoryRecord.ID: [HistoryRecord]] = [:]
    /// When the first row was written that the history still has, of whatever flag.
    var historyBegin: Date?
    /// The row by which it was locked; `nil` where it isn't, or where that is too long ago.
    var lockedBy: HistoryRecord?
    /// The key path that it had before it was renamed.
    var formerKey: FlagKeyPath?
}

/// One entry of what the developer attached to a flag.
struct UserInfoEntry: Hashable, PagePart {
    /// How many characters of a value are shown; it is read here and nowhere else.
    private static let limit = 2_000

    let name: String
    let shown: ShownValue

    /// The entries of a flag's `userInfo`, by name.
    static func entries(of userInfo: [String: FlagValue]) -> [UserInfoEntry] {
        userInfo.sorted { $0.key < $1.key }.map { name, value in
            UserInfoEntry(
                name: name.isEmpty
                    ? "(empty name)" : ShownPart.parts(of: name, breaksLines: false).map(\.plain).joined(),
                shown: ShownValue(value, limit: limit))
        }
    }
}

/// Why a flag has its value: what each provider says that a read asks, then the default; and what the flag is in other environments.
struct ValueChain: Hashable, PagePart {
    let readings: [ReadingRow]
    /// What the providers hold that a read doesn't ask.
    let elsewhere: [ReadingRow]

    /// Tells of a flag.
    ///
    /// - Parameter isBrief: Whether it goes without saying where each provider's values are from.
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
            + [ReadingRow(defaultValue: entry.definition.defaultValue, source: resolution.source)]
        elsewhere = resolution.readings.filter { !$0.isAsked }.map(row)
    }
}

/// That a flag has expired, or is retired: since when or why, whose it is, and what to do next.
struct EndingNotice: Hashable, PagePart {
    /// `Expired` or `Retired`.
    let heading: String
    /// Since when, or why, and the owner, in sentences.
    let text: String
    /// What to do next, in a sentence.
    let next: String
    /// Where an admin does it.
    let link: TextLink?

    /// The notices of a flag, the gravest first.
    ///
    /// - Returns: The notices; empty for a flag that is in use.
    static func notices(_ entry: FlagEntry, in view: CatalogueView) -> [EndingNotice] {
        let metadata = entry.definition.metadata
        let owner = metadata.owner.flatMap { $0.isEmpty ? nil : $0 }
        let whose = owner.map { "Owner: \($0)." } ?? "It has no owner."
        let link =
            DefinitionLink.canDefine(view) && entry.isDefined
            ? TextLink(label: "Edit the definition", href: PageLink.definition(entry.key)) : nil
        let person = link == nil ? owner ?? "an admin" : nil
        var notices: [EndingNotice] = []
        if let expires = metadata.expires, view.isExpired(entry) {
            let day = TimeText.dayText(expires)
            notices.append(
                EndingNotice(
                    heading: "Expired",
                    text: "The flag was to be gone by \(day.contains("T") ? TimeText(expires).text : day). \(whose)",
                    next: person.map { "Next: ask \($0) to remove it, or to set a later day." }
                        ?? "Next: remove it from the code and delete it here, or set a later day.",
                    link: link))
        }
        if let reason = metadata.retired {
            let why = reason.isEmpty ? "The flag should not be used any more." : reason.asSentence
            notices.append(
                EndingNotice(
                    heading: "Retired", text: "\(why) \(whose)",
                    next: person.map { "Next: ask \($0) to remove it. Until then, the app reads its value as before." }
                        ?? "Next: remove it from the code and delete it here. Until then, the app reads its value as before.",
                    link: link))
        }
        return notices
    }
}

/// The key paths that a flag had before, or was given since.
///
/// The history tells of a renaming in two rows of one batch, one behind the other: that the flag was removed at its old key
/// path, and that it was defined at the new one.
struct RenameHistory {
    let history: HistoryStore
    let hiddenKeys: HiddenKeys

    /// The key path that a flag had before the one that it has.
    ///
    /// - Returns: `nil` where it was defined there at first.
    func formerKey(of key: FlagKeyPath) throws(HistoryStoreError) -> FlagKeyPath? {
        guard let defined = try newest(.define, of: key), let removed = try row(defined.id - 1),
            defined.isRenaming(of: removed)
        else { return nil }
        return removed.event.key
    }

    /// The key path that a flag was given in the place of another one.
    ///
    /// - Returns: `nil` where the flag was removed, or was never there.
    func laterKey(of key: FlagKeyPath) throws(HistoryStoreError) -> FlagKeyPath? {
        guard let removed = try newest(.remove, of: key), let defined = try row(removed.id + 1),
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
