import FeatureFlags
import FlagChanges
import FlagHistory

/// A change in a list.
struct HistoryRow: Hashable, PagePart {
    let id: Int64
    /// A warning that the row was altered after it was recorded.
    let altered: String?
    let changeHref: String
    let time: TimeText
    /// The age of a recent change.
    let ago: AgoText?
    let actor: String
    /// `nil` if the kind says the same.
    let origin: String?
    /// For the style sheet.
    let kind: String
    let kindLabel: String
    let key: String
    let flagKey: String
    /// `nil` for a group's definition and other entries of the manifest.
    let flagHref: String?
    let provider: String?
    let isOfManifest: Bool
    /// The changed fields of a definition.
    let definitionDifference: ShownDifference?
    let renamedTo: String?
    let hasValues: Bool
    /// `nil` if the difference is shown, or nothing.
    let before: ShownValue?
    let after: ShownValue?
    let afterLabel: String
    let isApplied: Bool
    /// The reason, if it is short.
    let reason: String?
    let longReason: LongReason?
    /// Oldest first.
    let laterReasons: [LaterReason]
    let notedChange: TextLink?
    /// `nil` if the change can't be reverted.
    let revertAction: String?
    /// A note that the value was changed again, so that the change isn't reverted alone.
    let overtaken: String?
    /// The button on a flag's page.
    let revert: FlagRevert?

    struct LongReason: Hashable, PagePart {
        let start: String
        let text: String
    }

    private static let mostDefinitionEntries = 6

    /// Without a `view`, the row can't be reverted.
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
    /// Denied and aborted changes never took effect.
    var afterLabel: String {
        switch self {
        case .denied: "Asked for"
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
