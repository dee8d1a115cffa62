import DurableFiles
import FlagHistory
import Foundation

/// A history without a row, for files that have none yet and are only looked at: it is among the temporary files, and goes away
/// with this.
final class EmptyHistory: Sendable {
    let store: HistoryStore
    private let folder: TemporaryFolder

    /// Makes the history.
    init() throws {
        folder = try TemporaryFolder()
        store = try HistoryStore(url: folder.url.appending(path: "empty.sqlite"))
    }

    deinit { store.close() }
}
