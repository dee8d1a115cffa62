import Foundation
import Synchronization

package final class FileWatcher: Sendable {
    private let watches: Mutex<[String: FileWatch?]>
    private let listeners = Listeners()
    private let start: @Sendable (URL, @escaping @Sendable () -> Void) -> FileWatch?

    package var isComplete: Bool { watches.withLock { $0.values.allSatisfy { $0 != nil } } }

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

    package func watch(_ urls: [URL]) {
        let known = watches.withLock(\.self)
        // Without the lock, since a new watch may report at once.
        let begun = urls.map { url in
            (url.path, (known[url.path] ?? nil) ?? start(url) { [listeners] in listeners.tell() })
        }
        watches.withLock { $0 = Dictionary(begun, uniquingKeysWith: { first, _ in first }) }
    }

    /// One element soon after each change or several quick ones.
    package func changes() -> AsyncStream<Void> { listeners.add() }

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

/// Reports when a path may lead to another file or other contents.
///
/// It watches every folder on the path for the next component (a folder, a symbolic link or the file), and the file
/// itself, which may be written under another name.
package final class FileWatch: Sendable {
    private let path: String
    private let onChange: @Sendable () -> Void

    private init(_ path: String, _ onChange: @escaping @Sendable () -> Void) {
        self.path = path
        self.onChange = onChange
    }

    #if os(Linux)
        /// Watches a path; `nil` if a part of it can't be watched.
        ///
        /// - Parameter onChange: Called soon after each change, sometimes without one, on a thread that all watches
        ///   share.
        package static func start(_ url: URL, onChange: @escaping @Sendable () -> Void) -> FileWatch? {
            guard let inotify = Inotify.shared else { return nil }
            let watch = FileWatch(url.absoluteURL.path, onChange)
            return inotify.register(watch) { watch.walk(inotify) } ? watch : nil
        }

        func check(_ inotify: Inotify) {
            _ = walk(inotify)
            onChange()
        }

        /// Watches the path's current components alone; returns `false` if one can't be watched.
        ///
        /// Each folder is watched before its entry is examined, so that no change is missed.
        private func walk(_ inotify: Inotify) -> Bool {
            var walk = FileWalk(path)
            var kept: [Inotify.Descriptor: Set<String>] = [:]
            var isWhole = true
            while let step = walk.next() {
                var isBlind = false
                do throws(FileAccessError) {
                    kept[try inotify.add(.entry, at: step.folder), default: []].insert(step.name)
                } catch {
                    isBlind = !error.isMissing
                }
                let entry = walk.enter(step)
                if entry == .file {
                    do throws(FileAccessError) {
                        kept[try inotify.add(.file, at: step.path)] = []
                    } catch {
                        isBlind = isBlind || !error.isMissing
                    }
                }
                // A folder on the way is seldom replaced, so its unreadable parent doesn't count.
                if isBlind, entry != .folder { isWhole = false }
            }
            inotify.keep(kept, for: ObjectIdentifier(self))
            return isWhole
        }

        deinit {
            Inotify.shared?.unregister(ObjectIdentifier(self))
        }
    #else
        package static func start(_ url: URL, onChange: @escaping @Sendable () -> Void) -> FileWatch? { nil }
    #endif
}
