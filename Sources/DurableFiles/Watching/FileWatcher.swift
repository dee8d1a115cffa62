import Foundation
import Synchronization

/// Tells its listeners that one of some files may have changed.
package final class FileWatcher: Sendable {
    private let watches: [FileWatch]
    private let listeners = Listeners()
    /// Whether all of the files can be watched.
    package let isComplete: Bool

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - urls: The files, which need not exist.
    ///   - start: Begins to watch one; `nil` where that is not possible.
    package init(
        _ urls: [URL],
        start: (URL, @escaping @Sendable () -> Void) -> FileWatch? = { FileWatch.start($0, onChange: $1) }
    ) {
        let listeners = listeners
        watches = urls.compactMap { start($0) { listeners.tell() } }
        isComplete = watches.count == urls.count
    }

    /// An element soon after each change, from now on; changes in quick succession may share one.
    ///
    /// - Returns: The elements.
    package func changes() -> AsyncStream<Void> { listeners.add() }

    /// Has the listeners look at the files.
    package func tell() { listeners.tell() }
}

private final class Listeners: Sendable {
    private let state = Mutex<[UUID: AsyncStream<Void>.Continuation]>([:])

    func add() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0[id] = nil } }
        state.withLock { $0[id] = continuation }
        return stream
    }

    func tell() {
        for continuation in state.withLock({ Array($0.values) }) { continuation.yield() }
    }
}
