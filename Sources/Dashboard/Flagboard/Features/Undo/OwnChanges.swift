import FlagChanges
import FlagHistory
import Synchronization

/// Each person's last change, which every page shows, valid until the history grows.
final class OwnChanges: Sendable {
    private struct Known {
        let actor: String
        let hidden: HiddenKeys
        let row: Int64
        let change: LastOwnChange?
    }

    /// Cached persons: as many as use a dashboard at the same time.
    private static let most = 8
    private let known = Mutex<[Known]>([])

    func last(
        of actor: String, _ overview: FlagOverview, in history: HistoryStore
    ) throws(HistoryStoreError) -> LastOwnChange? {
        guard let row = overview.lastRow else { return nil }
        let hidden = overview.hiddenKeys
        let last = known.withLock { known in
            known.first { $0.actor.utf8.elementsEqual(actor.utf8) && $0.hidden == hidden }
        }
        if let last, last.row == row { return last.change }
        let record = try history.newestChange(by: actor, through: OwnChange.origins, hiddenKeys: hidden)
        var change = last?.change
        // Later rows don't alter a batch.
        if change?.record.id != record?.id { change = nil }
        if let record, change == nil {
            change = try history.lastChange(record, hiddenKeys: hidden)
        }
        known.withLock { known in
            known =
                known.filter { !$0.actor.utf8.elementsEqual(actor.utf8) }.suffix(Self.most - 1)
                + [Known(actor: actor, hidden: hidden, row: row, change: change)]
        }
        return change
    }
}

extension Dashboard {
    var ownChanges: OwnChanges { states.value { OwnChanges() } }
}
