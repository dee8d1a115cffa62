import FeatureFlags
import Synchronization

/// The updates of a service, for one consumer.
///
/// A slow consumer gets the updates that it has not asked for as one, so that none is lost and few are kept.
public struct ServiceUpdates: AsyncSequence, Sendable {
    fileprivate let mailbox: Mailbox
    fileprivate let signals: AsyncStream<Void>

    /// The consumer; there is one.
    public func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: mailbox, signals: signals.makeAsyncIterator())
    }

    /// The consumer of a service's updates.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let mailbox: Mailbox
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// Waits for an update.
        ///
        /// - Returns: The update; `nil` once the task is cancelled.
        public mutating func next() async -> ServiceUpdate? { await next(isolation: #isolation) }

        /// Waits for an update.
        ///
        /// - Parameter actor: The actor to wait on.
        /// - Returns: The update; `nil` once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ServiceUpdate? {
            while await signals.next(isolation: actor) != nil {
                if let update = mailbox.take() { return update }
            }
            return nil
        }
    }
}

/// What one consumer has not asked for yet.
private final class Mailbox: Sendable {
    private let waiting = Mutex<ServiceUpdate?>(nil)
    private let signal: AsyncStream<Void>.Continuation

    init(_ signal: AsyncStream<Void>.Continuation) { self.signal = signal }

    func put(_ update: ServiceUpdate) {
        waiting.withLock { waiting in
            if waiting?.add(update) == nil { waiting = update }
        }
        signal.yield()
    }

    func take() -> ServiceUpdate? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}

/// Hands the updates of a service to its consumers.
final class UpdateFeed: Sendable {
    private let mailboxes = Mutex<[ObjectIdentifier: Mailbox]>([:])

    /// Whether there is no consumer to tell.
    var isUnheard: Bool { mailboxes.withLock(\.isEmpty) }

    func tell(_ update: ServiceUpdate) {
        for mailbox in mailboxes.withLock({ Array($0.values) }) { mailbox.put(update) }
    }

    func add() -> ServiceUpdates {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let mailbox = Mailbox(signal)
        let id = ObjectIdentifier(mailbox)
        mailboxes.withLock { $0[id] = mailbox }
        signal.onTermination = { [weak self] _ in self?.mailboxes.withLock { $0[id] = nil } }
        return ServiceUpdates(mailbox: mailbox, signals: signals)
    }
}

/// That something is not as it was: for a page that shows flags, or the history, to show them anew.
public struct ServiceUpdate: Hashable, Sendable {
    /// The flags and groups that there are new rows about, less those that must not be seen, with the flags that could be seen
    /// before and are internal now.
    ///
    /// `nil` for more than ``maximumKeys``, or more rows than that: anything may have changed.
    public private(set) var keys: Set<FlagKeyPath>?
    /// The number of the history's last row.
    public private(set) var lastRow: Int64
    /// Whether something else than before keeps changes from being made, or other files have other names.
    public private(set) var changesObstacles: Bool
    /// Whether the app was restarted, so that less waits for that.
    public private(set) var tellsRestart: Bool

    /// The most keys that are told.
    public static let maximumKeys = 1000

    init(keys: Set<FlagKeyPath>?, lastRow: Int64, changesObstacles: Bool, tellsRestart: Bool = false) {
        self.keys = keys.flatMap { $0.count > Self.maximumKeys ? nil : $0 }
        self.lastRow = lastRow
        self.changesObstacles = changesObstacles
        self.tellsRestart = tellsRestart
    }

    /// Adds a later update, for a consumer that has not asked for this one yet.
    mutating func add(_ later: ServiceUpdate) {
        if let mine = keys, let others = later.keys, mine.union(others).count <= Self.maximumKeys {
            keys = mine.union(others)
        } else {
            keys = nil
        }
        lastRow = max(lastRow, later.lastRow)
        changesObstacles = changesObstacles || later.changesObstacles
        tellsRestart = tellsRestart || later.tellsRestart
    }
}
