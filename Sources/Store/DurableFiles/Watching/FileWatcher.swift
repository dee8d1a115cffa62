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

/// Tells when a path may lead to another file than before, or its file may have other contents.
///
/// Every folder that the path goes through is watched for the next component, be that a folder, a symbolic link or the
/// file, and so is the file itself: it may have another name, elsewhere, by which it is written.
package final class FileWatch: Sendable {
    private let path: String
    private let onChange: @Sendable () -> Void

    private init(_ path: String, _ onChange: @escaping @Sendable () -> Void) {
        self.path = path
        self.onChange = onChange
    }

    #if os(Linux)
        /// Watches a path.
        ///
        /// - Parameter onChange: Called soon after each change, on a thread that all watches share. It may also be called where
        ///   nothing has changed.
        /// - Returns: `nil` where a part of the path can't be watched.
        package static func start(_ url: URL, onChange: @escaping @Sendable () -> Void) -> FileWatch? {
            guard let inotify = Inotify.shared else { return nil }
            let watch = FileWatch(url.absoluteURL.path, onChange)
            return inotify.register(watch) { watch.walk(inotify) } ? watch : nil
        }

        /// Looks where the path leads now, and tells that something may have changed.
        func check(_ inotify: Inotify) {
            _ = walk(inotify)
            onChange()
        }

        /// Watches what the path goes through now, and nothing else.
        ///
        /// Each folder is watched before its entry is looked at: whatever becomes of that later is told.
        ///
        /// - Returns: `false` where a part of it can't be watched.
        private func walk(_ inotify: Inotify) -> Bool {
            var walk = FileWalk(path)
            var kept: [Inotify.Descriptor: Set<String>] = [:]
            var isWhole = true
            while let step = walk.next() {
                var isBlind = false
                do throws(Inotify.WatchError) {
                    kept[try inotify.add(.entry, at: step.folder), default: []].insert(step.name)
                } catch {
                    isBlind = error != .gone
                }
                let entry = walk.enter(step)
                if entry == .file {
                    do throws(Inotify.WatchError) {
                        kept[try inotify.add(.file, at: step.path)] = []
                    } catch {
                        isBlind = isBlind || error != .gone
                    }
                }
                // A folder on the way whose own folder may be entered but not read seldom goes.
                if isBlind, entry != .folder { isWhole = false }
            }
            inotify.keep(kept, for: ObjectIdentifier(self))
            return isWhole
        }

        deinit {
            Inotify.shared?.unregister(ObjectIdentifier(self))
        }
    #else
        /// There is no watch on this platform.
        package static func start(_ url: URL, onChange: @escaping @Sendable () -> Void) -> FileWatch? { nil }
    #endif
}
