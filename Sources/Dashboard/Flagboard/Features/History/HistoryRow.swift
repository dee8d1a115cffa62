import FeatureFlags
import FlagChanges
import FlagHistory

/// A change as one line: who did what to which flag, why and when.
struct HistoryRow: Hashable, PagePart {
    /// The list that a line stands in.
    enum Place {
        /// The history.
        case history
        /// A batch, whose line names the actor.
        case batch
        /// The page or the opened row of the flag, which needs no name.
        case flag
        /// The page of another change.
        case change
    }

    let id: Int64
    /// A warning that the row was altered after it was recorded.
    let altered: String?
    let changeHref: String
    /// The time of day, or the day where no heading names it.
    let clock: String
    let time: TimeText
    /// The full time, also in UTC.
    let stamp: String
    /// `nil` in a batch.
    let mark: ActorMark?
    let actor: String?
    let words: ActivityWords
    /// For the style sheet.
    let kind: String
    let kindLabel: String
    let key: String
    let flagKey: String
    let afterLabel: String
    let flag: Flag?
    /// `nil` for the main file's provider.
    let elsewhere: String?
    /// The changed fields of a definition, if there are several.
    let definitionFields: ShownDifference?
    /// The only changed field of a definition.
    let field: String?
    let renamedTo: String?
    /// The former key path, on the page of the flag.
    let renamedFrom: String?
    let hasValues: Bool
    /// `nil` if the words say the value, or without one.
    let before: ShownValue?
    let after: ShownValue?
    /// The values as they are cut, for a tooltip.
    let beforeText: String?
    let afterText: String?
    /// The reason, if it is short.
    let reason: String?
    let longReason: LongReason?
    /// Oldest first.
    let laterReasons: [LaterReason]
    let notedChange: TextLink?
    /// The way the change came; `nil` for a form.
    let origin: String?
    let state: State?
    /// `nil` if the change can't be reverted.
    let revertAction: String?
    /// The button that sets an overtaken value again.
    let again: SetAgain?
    /// The button on a flag's page.
    let revert: FlagRevert?

    struct Flag: Hashable, PagePart {
        /// The name, or the key path if it has none.
        let name: String
        let keyText: String
        let isKey: Bool
        /// `nil` for a group's definition and other entries of the manifest.
        let flagHref: String?
    }

    struct LongReason: Hashable, PagePart {
        let start: String
        let text: String
    }

    /// A mark of a change that did not stay or never took effect.
    struct State: Hashable, PagePart {
        /// For the style sheet.
        let sort: String
        let label: String
    }

    private static let mostDefinitionEntries = 6
    /// A reason that fits into the line, in characters.
    private static let longestReason = 80
    private static let longestValue = 60

    /// Without a `view`, the row names no flag and can't be reverted.
    init(
        _ record: HistoryRecord, showsReason: Bool = true, partner: HistoryRecord? = nil, notes: [HistoryRecord] = [],
        in view: CatalogueView? = nil, at place: Place = .history, revert: FlagRevert? = nil
    ) {
        let event = record.event
        id = record.id
        altered = record.isAltered ? HistoryRecord.alteration : nil
        changeHref = PageLink.change(record.id)
        time = TimeText(event.at)
        clock = Self.clock(event, place, view)
        stamp = time.text == time.utc ? time.utc : "\(time.text) (\(time.utc))"
        mark = place == .batch ? nil : ActorMark(event)
        actor = place == .batch ? nil : event.actorName
        let renamesAway = event.kind == .remove && partner != nil
        let renamesHere = event.kind == .define && partner != nil && place == .flag
        let isRenamed = renamesAway || renamesHere
        words = ActivityWords(event, isRenaming: isRenamed)
        kind = event.kind.rawValue
        kindLabel = event.kind.label
        (key, flagKey) = (event.key.text, event.key.shownText)
        afterLabel = event.kind.afterLabel
        flag = place == .flag || event.kind.isOfHistory ? nil : Flag(event, in: view)
        elsewhere = event.provider == view?.catalogue.providers.usual?.name ? nil : event.provider
        renamedTo = renamesAway ? partner?.event.key.shownText : nil
        renamedFrom = renamesHere ? partner?.event.key.shownText : nil
        let difference =
            isRenamed ? nil : ShownDifference(ofDefinitionIn: event, partner, mostEntries: Self.mostDefinitionEntries)
        let given = showsReason && !event.hasPlainReason ? event.reason : ""
        let deprecation = event.deprecationReason
        let isWhole = deprecation == nil ? event.onlyDeprecates != nil : given.isEmpty || given == deprecation
        let saysAll = [.lock, .unlock].contains(event.kind) || isWhole
        let only = saysAll ? nil : difference?.onlyChange
        field = only?.path
        definitionFields = only == nil && !saysAll ? difference : nil
        let values = difference == nil && !isRenamed ? Self.values(event) : nil
        (before, after) = (only?.entryBefore ?? values?.before, only?.entryAfter ?? values?.after)
        hasValues = before != nil || after != nil
        (beforeText, afterText) = (before?.tooltip, after?.tooltip)
        let shownReason = given.isEmpty ? deprecation ?? "" : given
        let isLong = shownReason.count > Self.longestReason
        reason = shownReason.isEmpty || isLong ? nil : shownReason
        longReason =
            isLong ? LongReason(start: shownReason.prefix(Self.longestReason) + "…", text: shownReason) : nil
        laterReasons = notes.map(LaterReason.init)
        notedChange = event.notedRow.map { TextLink(label: "change \($0)", href: PageLink.change($0)) }
        origin = place == .batch ? nil : event.originNote
        self.revert = revert
        let isOvertaken = view.map { RevertForm.isOvertaken(record, in: $0) } ?? false
        let canRevert = view.map { record.revertProblem(in: $0) == nil } ?? false
        state = State(event.kind, isOvertaken: isOvertaken && Reversal.problem(of: record) == nil)
        revertAction =
            canRevert && !isOvertaken && [.history, .batch].contains(place) ? PageLink.revert(record.id) : nil
        again = view.flatMap { SetAgain(record, in: $0) }
    }

    private static func clock(_ event: HistoryEvent, _ place: Place, _ view: CatalogueView?) -> String {
        let day = HistoryDay.date(event.at)
        let isUnderDay = [.history, .batch].contains(place)
        guard isUnderDay || view.map({ HistoryDay.date($0.now) }) == day, let local = PageZone.local(event.at) else {
            return day
        }
        return String(local.clock.dropFirst(11).prefix(5))
    }

    /// Returns the values to show, or `nil` where the words say them.
    private static func values(_ event: HistoryEvent) -> (before: ShownValue?, after: ShownValue?)? {
        let isStored = event.provider != nil && event.kind != .denied
        guard event.kind != .note, isStored || event.before != nil || event.after != nil,
            !event.isSwitch
        else { return nil }
        let (before, after) = event.shownValues
        return ShownValue.pair(before, after, limit: longestValue, absence: event.absence)
    }
}

extension HistoryEvent {
    /// The reason only says that the file was edited outside, as the line does.
    var hasPlainReason: Bool { origin == .external && reason == Self.outsideReason }

    /// The actor's name on pages: the author of an edit outside Flagboard is unknown.
    var actorName: String { isByNobody ? Self.externalName : actor }

    static let externalName = "External edit"

    var isByNobody: Bool { Self.isNobody(actor, isExternal: origin == .external) }

    static func isNobody(_ actor: String, isExternal: Bool) -> Bool { isExternal && actor == unknownActor }
}

extension HistoryRow.Flag {
    init(_ event: HistoryEvent, in view: CatalogueView?) {
        let given = view?.catalogue[event.key]?.definition.metadata.name
        name = given ?? event.key.shownText
        keyText = event.key.shownText
        isKey = given == nil
        flagHref = event.type.map { _ in PageLink.flag(event.key) }
    }
}

extension HistoryRow.State {
    fileprivate init?(_ kind: HistoryRecord.Kind, isOvertaken: Bool) {
        switch kind {
        case .denied: (sort, label) = ("refused", "Refused")
        case .aborted: (sort, label) = ("aborted", "Aborted")
        case _ where isOvertaken: (sort, label) = ("superseded", "Superseded")
        default: return nil
        }
    }
}

extension ShownValue {
    /// A text longer than a line's chip may be.
    fileprivate var tooltip: String? {
        let text = plain
        return text.count > 18 ? text + (size.map { " (\($0))" } ?? "") : nil
    }
}

extension HistoryRecord.Kind {
    /// Denied and aborted changes never took effect.
    var afterLabel: String {
        switch self {
        case .denied: "Requested"
        case .aborted: "Intended"
        default: "After"
        }
    }
}

extension ShownDifference {
    /// The changed fields; all fields if the definition was added or removed.
    ///
    /// `partner` is the other row of a rename.
    init?(ofDefinitionIn event: HistoryEvent, _ partner: HistoryRecord? = nil, mostEntries: Int = 200) {
        guard event.isOfManifest, event.kind != .aborted else { return nil }
        let before = event.before ?? (event.kind == .define ? partner?.event.before : nil)
        guard case .dictionary(let fields)? = before ?? event.after else { return nil }
        // The row shows the key path already.
        let nothing = FlagValue.dictionary(fields.filter { $0.key == "key" })
        self.init(before ?? nothing, event.after ?? nothing, mostEntries: mostEntries)
        guard !entries.isEmpty else { return nil }
    }
}

/// The pairs of rows that record renames.
struct RenamedPartners {
    private var partners: [Int64: HistoryRecord] = [:]

    init(_ records: some Sequence<HistoryRecord>) {
        let records = Array(records)
        for (one, other) in zip(records, records.dropFirst()) {
            guard one.isRenaming(of: other) || other.isRenaming(of: one) else { continue }
            partners[one.id] = other
            partners[other.id] = one
        }
    }

    /// `nil` unless the row is part of a rename.
    subscript(_ record: HistoryRecord) -> HistoryRecord? { partners[record.id] }
}

extension HistoryRecord {
    var setsLock: Bool {
        event.provider == nil && ![.denied, .aborted].contains(event.kind) && Self.isLocked(event.after)
            && !Self.isLocked(event.before)
    }

    private static func isLocked(_ entry: FlagValue?) -> Bool {
        guard case .dictionary(let fields) = entry else { return false }
        return fields["isLocked"] == .bool(true)
    }
}

extension Change {
    /// The change restores an invalid value.
    func breaksFlag(in catalogue: FlagCatalogue) -> Bool {
        guard case .value(.putBack(let value)) = action, let entry = catalogue[key], entry.isDefined else {
            return false
        }
        if case .success = Result(catching: { try entry.definition.interpret(value) }) { return false }
        return true
    }

    /// Providers whose values the new definition makes invalid.
    func brokenProviders(in catalogue: FlagCatalogue) -> [String] {
        guard case .definition(let change) = action, let edit = change.edit else { return [] }
        return (catalogue[key]?.resolution.readings ?? []).filter { reading in
            guard let stored = reading.answer.stored else { return false }
            if case .success = Result(catching: { try edit.definition.interpret(stored) }) { return false }
            return true
        }.map(\.provider)
    }
}
