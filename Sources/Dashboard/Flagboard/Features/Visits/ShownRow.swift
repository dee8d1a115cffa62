import Synchronization

/// The newest row of the history that a page was told with, for who has a browser remember it.
final class ShownRow: Sendable {
    private let newest = Mutex<Int64?>(nil)

    /// The row; `nil` where no page told of the history.
    var row: Int64? { newest.withLock { $0 } }

    /// Notes that a page is told with a row.
    func show(_ row: Int64?) { newest.withLock { $0 = row ?? $0 } }
}
