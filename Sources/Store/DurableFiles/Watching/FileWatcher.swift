import Foundation
import Synchronization

/// Tells its listeners that one of some files may have changed.
package final class FileWatcher: Sendable {
    private let watches: Mutex<[String: FileWatch?]>
    private let listeners = Listeners()
    private let start: @Sendable (URL, @escaping @Sendable () -> Void) -> FileWatch?

    /// Whether all of the files can be watched.
    package var isComplete: Bool { watches.withLock { $0.values.allSatisfy { $0 != nil } } }

    /// Begins to watch.
    ///
    /// - Parameter start: Begins to watch one; `nil` where that is not possible.
    package init(
        _ urls: [URL],
        start: @escaping @Sendable (URL, @escaping @Sendable () -> Void) -> FileWatch? = {
            FileWatch.start($0, onChange: $1)
        }
    ) {
        self.start = start
        watches = Mutex([:])
        watch(urls)
    }

    /// Watches these files from now on, and no others.
    package func watch(_ urls: [URL]) {
        let known = watches.withLock(\.self)
        // A watch begins without the lock, since what it is told of may come at once.
        let begun = urls.map { url in
            (url.path, (known[url.path] ?? nil) ?? start(url) { [listeners] in listeners.tell() })
        }
        watches.withLock { $0 = Dictionary(begun, uniquingKeysWith: { first, _ in first }) }
    }

    /// An element soon after each change, from now on; changes in quick succession may share one.
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
