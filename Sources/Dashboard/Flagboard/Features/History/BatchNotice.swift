import FlagChanges
import FlagHistory

/// A notice that a batch was changed or a reason added.
struct BatchNotice: Hashable, PagePart {
    let text: String
    let backLink: TextLink?
    let undo: Undo?
    /// The field for the missing reason.
    let reasonHref: String?

    /// A form that is refused if one of the values was changed since.
    struct Undo: Hashable, PagePart {
        let action: String
        let label: String
    }

    /// `nil` if something else was done.
    init?(_ notice: SavedNotice, _ record: HistoryRecord, revertible: Int, reasonForm: ReasonForm? = nil) {
        if case .reasonAdded = notice.outcome {
            (text, undo, backLink, reasonHref) = (notice.text(nil, .none), nil, nil, nil)
            return
        }
        guard case .batch(let count, let back) = notice.outcome else { return nil }
        undo =
            revertible == count
            ? Undo(action: PageLink.revert(record.id), label: "Undo") : nil
        // The time machine's button says "Restore".
        let deed = Self.page(of: back) == PageLink.timeMachine ? "Restored" : "Reverted"
        text =
            switch (count, record.event.origin) {
            case (1, .revert): Self.tell(deed, record.event)
            case (_, .revert): "\(count) changes \(deed.lowercased())."
            default: notice.text(nil, .none)
            }
        reasonHref = reasonForm.map { "#\($0.field)" }
        backLink = TextLink(label: "Back to \(Self.place(of: back))", href: back)
    }

    private static func tell(_ deed: String, _ event: HistoryEvent) -> String {
        guard let provider = event.provider else { return "\(deed)." }
        guard let value = event.after else { return "\(deed). Not set in \(provider) again." }
        return "\(deed). Back to \(ShownValue(value, limit: 60).inSentence)."
    }

    private static func page(of address: String) -> String { String(address.prefix { $0 != "?" && $0 != "#" }) }

    private static func place(of address: String) -> String {
        switch page(of: address) {
        case PageLink.compare: "comparison"
        case PageLink.environments: "environments"
        case PageLink.timeMachine: "time machine"
        case PageLink.importing: "import"
        case PageLink.flags: "flags"
        case let path where path.hasPrefix(PageLink.history): "history"
        default: "previous page"
        }
    }
}
