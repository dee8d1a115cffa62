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
    let flagKey: String
    let flagHref: String
    let provider: String?
    /// Whether there is a value to show, before or after.
    let hasValues: Bool
    let before: ShownValue
    let after: ShownValue
    /// What ``after`` is called: an attempt that was refused has none.
    let afterLabel: String
    let reason: String?

    init(_ record: HistoryRecord) {
        let event = record.event
        id = record.id
        changeHref = PageLink.change(record.id)
        time = TimeText(event.at)
        actor = event.actor
        origin = event.origin.label
        kind = event.kind.rawValue
        kindLabel = event.kind.label
        flagKey = event.key.text
        flagHref = PageLink.flag(event.key)
        provider = event.provider
        hasValues = event.provider != nil || event.before != nil || event.after != nil
        before = ShownValue(event.before)
        after = ShownValue(event.after)
        afterLabel = event.kind.afterLabel
        reason = event.reason.isEmpty ? nil : event.reason
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
