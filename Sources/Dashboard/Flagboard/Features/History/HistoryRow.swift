import FeatureFlags
import FlagChanges
import FlagHistory

/// One change in a list.
struct HistoryRow: Hashable, PagePart {
    let id: Int64
    /// That the row is not what was recorded; `nil` where it is.
    let altered: String?
    let changeHref: String
    let time: TimeText
    /// How long ago that was, on the day after it.
    let ago: AgoText?
    let actor: String
    /// Which way it came; `nil` where the kind says the same.
    let origin: String?
    /// The kind's name, for the style sheet.
    let kind: String
    let kindLabel: String
    /// The flag, as changes of it are told of.
    let key: String
    let flagKey: String
    /// The flag's page; `nil` where the change was of a group's definition, or of another entry of the manifest.
    let flagHref: String?
    /// The provider whose value was changed.
    let provider: String?
    /// Whether the change was of what the manifest says, not of a value.
    let isOfManifest: Bool
    /// What a definition says otherwise now, field by field; `nil` for any other change.
    let definitionDifference: ShownDifference?
    /// The key path that the flag has now, where it was renamed.
    let renamedTo: String?
    /// Whether there is a value to show, before or after.
    let hasValues: Bool
    /// What there was, and what came; `nil` where the entries that differ are told, or there is nothing to tell.
    let before: ShownValue?
    let after: ShownValue?
    /// What ``after`` is called: an attempt that was refused has none.
    let afterLabel: String
    /// Whether what was asked for took place.
    let isApplied: Bool
    /// The reason, where it is short enough for a list.
    let reason: String?
    /// A longer reason, folded behind its beginning.
    let longReason: LongReason?
    /// The reasons that it was given later, oldest first.
    let laterReasons: [LaterReason]
    /// The change that the row gives a reason for.
    let notedChange: TextLink?
    /// Where the form goes that takes the change back, after a look at it; `nil` where it can't be.
    let revertAction: String?
    /// That the value was changed again, so that the change is not taken back by itself.
    let overtaken: String?
    /// What puts back what was before, on the flag's page; `nil` where nothing does.
    let revert: FlagRevert?

    /// A reason that would push the other rows away.
    struct LongReason: Hashable, PagePart {
        let start: String
        let text: String
    }

    /// How much of a changed definition a list tells.
    private static let mostDefinitionEntries = 6

    /// Shows a change.
    ///
    /// - Parameters:
    ///   - view: Who looks, and how things stand; without it, the row can't be reverted from the history.
    ///   - revert: What puts back what was before, on the flag's page.
    init(
        _ record: HistoryRecord, showsReason: Bool = true, partner: HistoryRecord? = nil, notes: [HistoryRecord] = [],
        in view: CatalogueView? = nil, revert: FlagRevert? = nil
    ) {
        let event = record.event
        id = record.id
        altered = record.isAltered ? HistoryRecord.alteration : nil
        changeHref = PageLink.change(record.id)
        time = TimeText(event.at)
        ago = view.flatMap { AgoText(recent: event.at, now: $0.now) }
        actor = event.actor
        origin = event.origin.label == event.kind.label ? nil : event.origin.label
        kind = event.kind.rawValue
        kindLabel = event.kind.label
        key = event.key.text
        flagKey = event.key.shownText
        flagHref = event.type.map { _ in PageLink.flag(event.key) }
        provider = event.provider
        isOfManifest = event.isOfManifest
        let isAttempt = event.kind == .denied
        let isRenamed = event.kind == .remove && partner != nil
        renamedTo = isRenamed ? partner?.event.key.shownText : nil
        definitionDifference =
            isRenamed ? nil : ShownDifference(ofDefinitionIn: event, partner, mostEntries: Self.mostDefinitionEntries)
        hasValues =
            !isRenamed && event.kind != .note
            && (event.provider != nil && !isAttempt || event.before != nil || event.after != nil)
        let values =
            hasValues && definitionDifference == nil
            ? ShownValue.pair(event.before, event.after, absence: event.absence) : nil
        (before, after) = (values?.before, values?.after)
        afterLabel = event.kind.afterLabel
        isApplied = ![.denied, .aborted].contains(event.kind)
        let told = showsReason ? event.reason : ""
        let isLong = told.count > 240
        reason = told.isEmpty || isLong ? nil : told
        self.revert = revert
        laterReasons = notes.map(LaterReason.init)
        notedChange = event.notedRow.map { TextLink(label: "change \($0)", href: PageLink.change($0)) }
        longReason = isLong ? LongReason(start: told.prefix(160) + "…", text: told) : nil
        let isOvertaken = view.map { RevertForm.isOvertaken(record, in: $0) } ?? false
        let canRevert = view.map { record.revertProblem(in: $0) == nil } ?? false
        revertAction = canRevert && !isOvertaken ? PageLink.revert(record.id) : nil
        overtaken = canRevert && isOvertaken ? "Changed again since" : nil
    }
}

extension HistoryRecord.Kind {
    /// What the value after is called: one that was refused or aborted never took effect.
    var afterLabel: String {
        switch self {
        case .denied: "Asked for"
        case .aborted: "Intended"
        default: "After"
        }
    }
}

extension ShownDifference {
    /// What a definition says otherwise after a change of the manifest, field by field: a definition that was added, or removed,
    /// is told by all of its fields.
    ///
    /// - Parameter partner: The other row of a renaming, which has what was before.
    init?(ofDefinitionIn event: HistoryEvent, _ partner: HistoryRecord? = nil, mostEntries: Int = 200) {
        guard event.isOfManifest, event.kind != .aborted else { return nil }
        let before = event.before ?? (event.kind == .define ? partner?.event.before : nil)
        guard case .dictionary(let fields)? = before ?? event.after else { return nil }
        // The row tells the key path already.
        let nothing = FlagValue.dictionary(fields.filter { $0.key == "key" })
        self.init(before ?? nothing, event.after ?? nothing, mostEntries: mostEntries)
        guard !entries.isEmpty else { return nil }
    }
}

/// The rows that tell of renamings, two each: that a flag was removed at its old key path, and defined at the new one.
struct RenamedPartners {
    private var partners: [Int64: HistoryRecord] = [:]

    /// Finds them.
    init(_ records: some Sequence<HistoryRecord>) {
        let records = Array(records)
        for (one, other) in zip(records, records.dropFirst()) {
            guard one.isRenaming(of: other) || other.isRenaming(of: one) else { continue }
            partners[one.id] = other
            partners[other.id] = one
        }
    }

    /// The other row of a renaming; `nil` for any other row.
    subscript(_ record: HistoryRecord) -> HistoryRecord? { partners[record.id] }
}

extension HistoryRecord {
    /// Whether the row tells that its flag was locked, which it was not before.
    var setsLock: Bool {
        event.provider == nil && ![.denied, .aborted].contains(event.kind) && Self.isLocked(event.after)
            && !Self.isLocked(event.before)
    }

    /// Whether a definition's entry in the manifest says that the flag is locked.
    private static func isLocked(_ entry: FlagValue?) -> Bool {
        guard case .dictionary(let fields) = entry else { return false }
        return fields["isLocked"] == .bool(true)
    }
}

extension Change {
    /// Whether it brings back a value that the flag does not take.
    func breaksFlag(in catalogue: FlagCatalogue) -> Bool {
        guard case .value(.putBack(let value)) = action, let entry = catalogue[key], entry.isDefined else {
            return false
        }
        if case .success = Result(catching: { try entry.definition.interpret(value) }) { return false }
        return true
    }

    /// Which providers hold values now that a definition, as it is to be, does not take.
    func brokenProviders(in catalogue: FlagCatalogue) -> [String] {
        guard case .definition(let change) = action, let edit = change.edit else { return [] }
        return (catalogue[key]?.resolution.readings ?? []).filter { reading in
            guard let stored = reading.answer.stored else { return false }
            if case .success = Result(catching: { try edit.definition.interpret(stored) }) { return false }
            return true
        }.map(\.provider)
    }
}
