#if os(Linux)
    import Dispatch
    import Foundation
    import Synchronization

    /// The one instance of the kernel's file events that all watches of the process share: a user has few (128 by default).
    ///
    /// See https://man7.org/linux/man-pages/man7/inotify.7.html.
    final class Inotify: Sendable {
        /// `nil` where the user's instances are used up.
        static let shared = Inotify()

        /// What a watch wants to be told of.
        enum Subject {
            /// That an entry of a folder comes, goes, or is another.
            case entry
            /// That a file's contents or attributes change.
            case file
        }

        enum WatchError: Error {
            /// The folder or the file went meanwhile.
            case gone
            /// It may not be read.
            case refused
            /// The user's watches are used up.
            case other
        }

        /// What the kernel calls a watched folder or file.
        typealias Descriptor = Int32

        private let descriptor: Int32
        /// Where everything but the wait for events happens: a lock would be held for as long as the kernel takes to look a
        /// path up.
        private let queue = DispatchQueue(label: "flagboard.file-events")
        private let state = Mutex(State())

        private struct State {
            var watches: [ObjectIdentifier: Weak] = [:]
            /// Which watches want to be told of what, and of which names alone.
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

        /// Registers a watch, to be told of its subjects, and every few seconds; no event is handled while `begin` runs.
        func register<Result: Sendable>(_ watch: FileWatch, begin: @Sendable () -> Result) -> Result {
            queue.sync {
                state.withLock { state in
                    state.watches[ObjectIdentifier(watch)] = Weak(watch: watch)
                    if !state.isChecking { scheduleCheck(&state) }
                }
                return begin()
            }
        }

        /// Forgets a watch, before one that takes its identity is registered.
        func unregister(_ watch: ObjectIdentifier) {
            queue.async { [self] in
                keep([:], for: watch)
                state.withLock { $0.watches[watch] = nil }
            }
        }

        /// Watches one more folder or file; where it is watched already, that is the same descriptor.
        ///
        /// This and ``keep(_:for:)`` are called by what ``register(_:begin:)`` or an event calls, so that no event is handled
        /// between the two.
        func add(_ subject: Subject, at path: String) throws(WatchError) -> Descriptor {
            let changes =
                switch subject {
                case .entry: IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
                case .file: IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB
                }
            let mask = UInt32(changes | IN_DELETE_SELF | IN_MOVE_SELF | IN_MASK_ADD)
            let added = inotify_add_watch(descriptor, path, mask)
            guard added >= 0 else {
                switch errno {
                case ENOENT, ENOTDIR: throw .gone
                case EACCES, EPERM: throw .refused
                default: throw .other
                }
            }
            return added
        }

        /// Has a watch told of the entries of some names, of anything where there are no names, and of nothing else.
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

        /// The kernel does not tell of all changes: not of those by another machine, through a memory map, or while a
        /// subject could not be added.
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
            /// The name of the folder's entry; `nil` for what concerns the folder or file itself.
            let name: String?

            /// Whether events were lost.
            var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
            /// Whether there will be no more of the folder or file.
            var isLast: Bool { mask & UInt32(IN_IGNORED) != 0 }

            /// For how long events are gathered: one change of a file makes several of them within a few milliseconds.
            private static let gathering: useconds_t = 5_000

            /// Waits for events, and for those that follow the first one closely.
            ///
            /// - Returns: `false` where that is not possible.
            static func wait(for descriptor: Int32) -> Bool {
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                while poll(&request, 1, -1) < 0 {
                    guard errno == EINTR else { return false }
                }
                usleep(gathering)
                return true
            }

            /// - Returns: `nil` where none is waiting.
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
