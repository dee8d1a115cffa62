import FeatureFlags
import Synchronization

/// The updates of a service for one consumer, merged while pending.
package struct ServiceUpdates: AsyncSequence, Sendable {
    fileprivate let mailbox: Mailbox
    fileprivate let signals: AsyncStream<Void>

    package func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: mailbox, signals: signals.makeAsyncIterator())
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let mailbox: Mailbox
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// Waits for an update; returns `nil` once the task is cancelled.
        package mutating func next() async -> ServiceUpdate? { await next(isolation: #isolation) }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> ServiceUpdate? {
            while await signals.next(isolation: actor) != nil {
                if let update = mailbox.take() { return update }
            }
            return nil
        }
    }
}

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

final class UpdateFeed: Sendable {
    private let mailboxes = Mutex<[ObjectIdentifier: Mailbox]>([:])

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

package struct ServiceUpdate: Hashable, Sendable {
    /// The visible flags and groups with new rows, and flags that became internal.
    ///
    /// `nil` beyond ``maximumKeys``: anything may have changed.
    package private(set) var keys: Set<FlagKeyPath>?
    package private(set) var lastRow: Int64
    /// True if the obstacles to changes, or hard links, changed.
    package private(set) var changesObstacles: Bool
    /// True if the app was restarted, so that fewer flags wait.
    package private(set) var tellsRestart: Bool

    package static let maximumKeys = 1000

    init(keys: Set<FlagKeyPath>?, lastRow: Int64, changesObstacles: Bool, tellsRestart: Bool = false) {
        self.keys = keys.flatMap { $0.count > Self.maximumKeys ? nil : $0 }
        self.lastRow = lastRow
        self.changesObstacles = changesObstacles
        self.tellsRestart = tellsRestart
    }

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
