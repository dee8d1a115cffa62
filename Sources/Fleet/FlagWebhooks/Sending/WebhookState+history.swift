import FlagHistory
import Foundation

extension WebhookState.Mark {
    /// Takes that of a row.
    init(_ record: HistoryRecord) { self.init(hash: record.hash.hexadecimal, at: record.event.at) }
}

extension WebhookState {
    /// Makes sure that what follows the cursor in a history are the rows that the webhook was not told of.
    ///
    /// Where the history is another one than before, the webhook goes on behind the rows that are no newer than the last one that
    /// it was told of: the others were made since the older history was put back.
    ///
    /// - Returns: What an operator should know; `nil` where the history goes on as it was.
    /// - Throws: ``HistoryStoreError`` where it can't be read.
    mutating func find(in history: HistoryStore) throws(HistoryStoreError) -> String? {
        let pruned = try history.anchors().last?.last ?? 0
        guard cursor >= pruned else {
            let first = cursor + 1
            (cursor, mark) = (pruned, nil)
            return "rows \(first) to \(pruned) were pruned before it was told of them"
        }
        guard let mark, cursor > pruned else {
            cursor = min(cursor, try history.chainHead().id)
            return nil
        }
        let found = try history.record(cursor, hiddenKeys: [])
        guard found?.hash.hexadecimal != mark.hash else { return nil }
        cursor = try history.newest(HistoryQuery(until: mark.at, limit: 1)).first?.id ?? pruned
        self.mark = nil
        return "the history is another one than before, so it is told of the rows from \(cursor + 1) on"
    }
}
