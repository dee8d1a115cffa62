#if os(Linux)
    import Dispatch
    import Foundation
    import Synchronization

    /// The process's one inotify instance, since a user has few (128 by default).
    ///
    /// See https://man7.org/linux/man-pages/man7/inotify.7.html.
    final class Inotify: Sendable {
        /// `nil` if the user's instances are used up.
        static let shared = Inotify()

        enum Subject {
            case entry
            case file
        }

        typealias Descriptor = Int32

        private let descriptor: Int32
        /// Serializes all but the wait for events; a lock would be held while the kernel resolves a path.
        private let queue = DispatchQueue(label: "flagboard.file-events")
        private let state = Mutex(State())

        private struct State {
            var watches: [ObjectIdentifier: Weak] = [:]
            /// The entry names of each watch; none means any.
            var interests: [Descriptor: [ObjectIdentifier: Set<String>]] = [:]
            var isChecking = false
        }

        private struct Weak {
            weak var watch: FileWatch?
        }

        private init?() {
            descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { return nil }
            let waiting = Thread { [self] in
                while Event.wait(for: descriptor) { queue.sync { handleEvents() } }
            }
            waiting.name = "flagboard.file-events"
            waiting.start()
        }

        /// Registers a watch for events and periodic checks; no event is handled while `begin` runs.
        func register<Result: Sendable>(_ watch: FileWatch, begin: @Sendable () -> Result) -> Result {
            queue.sync {
                state.withLock { state in
                    state.watches[ObjectIdentifier(watch)] = Weak(watch: watch)
                    if !state.isChecking { scheduleCheck(&state) }
                }
                return begin()
            }
        }

        func unregister(_ watch: ObjectIdentifier) {
            queue.async { [self] in
                keep([:], for: watch)
                state.withLock { $0.watches[watch] = nil }
            }
        }

        /// Watches a folder or file; a watched one keeps its descriptor.
        ///
        /// Runs on the queue, as ``keep(_:for:)`` does, so that no event is handled between the two.
        func add(_ subject: Subject, at path: String) throws(FileAccessError) -> Descriptor {
            let changes =
                switch subject {
                case .entry: IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
                case .file: IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB
                }
            let mask = UInt32(changes | IN_DELETE_SELF | IN_MOVE_SELF | IN_MASK_ADD)
            let added = inotify_add_watch(descriptor, path, mask)
            // Most errors about no file mean that the user's watches are exhausted.
            guard added >= 0 else {
                throw FileAccessError(.init(errorNumber: errno), path: path, action: "watch")
            }
            return added
        }

        /// Replaces a watch's descriptors and their entry names; no names means any.
        func keep(_ kept: [Descriptor: Set<String>], for watch: ObjectIdentifier) {
            state.withLock { state in
                for (other, interests) in state.interests where interests[watch] != nil && kept[other] == nil {
                    state.interests[other]?[watch] = nil
                    if interests.count == 1 {
                        state.interests[other] = nil
                        inotify_rm_watch(descriptor, other)
                    }
                }
                for (descriptor, names) in kept { state.interests[descriptor, default: [:]][watch] = names }
            }
        }

        private func handleEvents() {
            var events: [Event] = []
            while let more = Event.read(from: descriptor) { events += more }
            for watch in concerned(by: events) { watch.check(self) }
        }

        private func concerned(by events: [Event]) -> [FileWatch] {
            state.withLock { state in
                var concerned: Set<ObjectIdentifier> = []
                for event in events {
                    if event.isOverflow { concerned.formUnion(state.watches.keys) }
                    for (watch, names) in state.interests[event.descriptor] ?? [:] {
                        if names.isEmpty || event.name.map(names.contains) ?? true { concerned.insert(watch) }
                    }
                    if event.isLast { state.interests[event.descriptor] = nil }
                }
                return concerned.compactMap { state.watches[$0]?.watch }
            }
        }

        /// Checks all watches every 5 s: the kernel misses changes by other machines, through memory maps, and before a
        /// subject could be added.
        private func scheduleCheck(_ state: inout State) {
            state.isChecking = !state.watches.isEmpty
            guard state.isChecking else { return }
            queue.asyncAfter(deadline: .now() + .seconds(5)) { [self] in
                let watches = self.state.withLock { state in
                    scheduleCheck(&state)
                    return state.watches.values.compactMap(\.watch)
                }
                for watch in watches { watch.check(self) }
            }
        }
    }

    extension Inotify {
        private struct Event {
            let descriptor: Descriptor
            let mask: UInt32
            /// `nil` if the event is about the folder or file itself.
            let name: String?

            var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
            var isLast: Bool { mask & UInt32(IN_IGNORED) != 0 }

            /// In µs: one change makes several events within a few milliseconds.
            private static let gathering: useconds_t = 5_000

            /// Waits for events, and for those that closely follow; returns `false` on failure.
            static func wait(for descriptor: Int32) -> Bool {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                while poll(&request, 1, -1) < 0 {
                    guard errno == EINTR else { return false }
                }
                usleep(gathering)
                return true
            }

            /// Returns `nil` if no event is waiting.
            static func read(from descriptor: Int32) -> [Event]? {
                withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 8) { buffer in
                    var count: Int
                    repeat {
                        count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
                    } while count < 0 && errno == EINTR
                    guard count > 0 else { return nil }
                    return events(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
            }

            private static func events(in buffer: UnsafeRawBufferPointer) -> [Event] {
                var events: [Event] = []
                var offset = 0
                let size = MemoryLayout<inotify_event>.size
                while offset + size <= buffer.count {
                    let header = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let end = min(offset + size + Int(header.len), buffer.count)
                    let name = buffer[(offset + size)..<end].prefix { $0 != 0 }
                    events.append(
                        Event(
                            descriptor: header.wd, mask: header.mask,
                            name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self)))
                    offset = end
                }
                return events
            }
        }
    }
#endif
