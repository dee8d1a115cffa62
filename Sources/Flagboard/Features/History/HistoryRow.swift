import FeatureFlags
import FlagHistory

/// One change in a list.
struct HistoryRow: Hashable, Sendable {
    let id: Int64
    let changeHref: String
    let time: TimeText
    let actor: String
    let origin: String
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
    /// What a changed definition says otherwise now; `nil` for any other change.
    let definitionDifference: ShownDifference?
    /// Whether there is a value to show, before or after.
    let hasValues: Bool
    /// What there was, and what came; `nil` where the entries that differ are told, or there is nothing to tell.
    let before: ShownValue?
    let after: ShownValue?
    /// What ``after`` is called: an attempt that was refused has none.
    let afterLabel: String
    /// The reason, where it is short enough for a list.
    let reason: String?
    /// A longer reason, folded behind its beginning.
    let longReason: LongReason?

    /// A reason that would push the other rows away.
    struct LongReason: Hashable, Sendable {
        let start: String
        let text: String
    }

    /// How much of a changed definition a list tells.
    private static let mostDefinitionEntries = 4

    /// Shows a change.
    ///
    /// - Parameters:
    ///   - record: The change.
    ///   - showsReason: Whether the reason is told here, and not once for a whole batch.
    init(_ record: HistoryRecord, showsReason: Bool = true) {
        let event = record.event
        id = record.id
        changeHref = PageLink.change(record.id)
        time = TimeText(event.at)
        actor = event.actor
        origin = event.origin.label
        kind = event.kind.rawValue
        kindLabel = event.kind.label
        key = event.key.text
        flagKey = event.key.shownText
        flagHref = event.type.map { _ in PageLink.flag(event.key) }
        provider = event.provider
        isOfManifest = event.isOfManifest
        let isAttempt = event.kind == .denied
        let difference =
            event.isOfManifest && event.kind != .aborted
            ? ShownDifference(event.before, event.after, mostEntries: Self.mostDefinitionEntries) : nil
        definitionDifference = difference?.hasEntries == true ? difference : nil
        hasValues = event.provider != nil && !isAttempt || event.before != nil || event.after != nil
        let values =
            hasValues && definitionDifference == nil
            ? ShownValue.pair(event.before, event.after, absence: event.absence) : nil
        (before, after) = (values?.before, values?.after)
        afterLabel = event.kind.afterLabel
        let told = showsReason ? event.reason : ""
        let isLong = told.count > 240
        reason = told.isEmpty || isLong ? nil : told
        longReason = isLong ? LongReason(start: told.prefix(160) + "…", text: told) : nil
    }
}

extension HistoryRow: PagePart {
    static let fields: PageFields<Self> = [
        "id": .of(\.id), "changeHref": .of(\.changeHref), "time": .of(\.time), "actor": .of(\.actor),
        "origin": .of(\.origin), "kind": .of(\.kind), "kindLabel": .of(\.kindLabel), "key": .of(\.key),
        "flagKey": .of(\.flagKey), "flagHref": .of(\.flagHref), "provider": .of(\.provider),
        "isOfManifest": .of(\.isOfManifest), "definitionDifference": .of(\.definitionDifference),
        "hasValues": .of(\.hasValues), "before": .of(\.before), "after": .of(\.after), "afterLabel": .of(\.afterLabel),
        "reason": .of(\.reason), "longReason": .of(\.longReason),
    ]
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

extension HistoryRow.LongReason: PagePart {
    static let fields: PageFields<Self> = ["start": .of(\.start), "text": .of(\.text)]
}
