import DurableFiles
import FeatureFlags
import FeatureFlagsRemote
import FlagChanges
import FlagHistory
import Foundation
import Synchronization

/// Publishes flags to etcd, each row of the history as one transaction with its changes and number.
///
/// ```swift
/// let publisher = HistoryPublisher(of: service, to: try EtcdAddress("etcd://127.0.0.1:2379/flags"))
/// await publisher.run()
/// ```
///
/// Every transaction compares the previous row's number, so that no rival or restarted publisher can skip a row or go
/// back. While etcd is unreachable, rows wait in the history; changes of flags never wait. The keys are those of
/// ``FeatureFlagsRemote/EtcdLayout``.
package actor HistoryPublisher {
    /// Checks of etcd run this often without changes.
    static let heartbeat = Duration.seconds(5)
    /// The most keys in a transaction; etcd's default limit is 128.
    private static let largestTransaction = 100
    /// The most bytes in a transaction, unless a single value is larger.
    private static let mostBytes = 256 * 1024
    /// A longer backlog is published as its result.
    private static let mostRows: Int64 = 2000
    private static let mostRowsOfFlag = 50

    private let service: ChangeService
    private let client: EtcdClient
    private let address: EtcdAddress
    private let layout: EtcdLayout
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private let known: Mutex<FollowerStatus>
    /// The last published row in etcd's form; `nil` before a full comparison.
    private var position: EtcdRow?
    /// The flags whose changes are published with a later row.
    private var pendingKeys: Set<FlagKeyPath> = []

    /// `log` receives failures and recoveries.
    package init(
        of service: ChangeService, to address: EtcdAddress, access: EtcdAccess = EtcdAccess(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(of: service, to: address, access: access, log: log, clock: ContinuousClock(), now: { Date() })
    }

    init(
        of service: ChangeService, to address: EtcdAddress, access: EtcdAccess,
        log: @escaping @Sendable (String) -> Void, clock: any Clock<Duration>, now: @escaping @Sendable () -> Date
    ) {
        self.service = service
        self.address = address
        self.clock = clock
        self.now = now
        self.log = log
        client = EtcdClient(address, access)
        layout = EtcdLayout(prefix: address.prefix)
        known = Mutex(FollowerStatus(name: address.description, row: nil))
    }

    package nonisolated var status: FollowerStatus { known.withLock { $0 } }

    /// Publishes until the task is cancelled.
    package func run() async {
        var backoff = Backoff(first: .milliseconds(500), limit: .seconds(2))
        while !Task.isCancelled {
            do {
                let updates = try await service.updates()
                try await follow(updates) { backoff.reset() }
            } catch let error as EtcdError where error.isRace {
                report("\(error)")
                continue
            } catch {
                guard !Task.isCancelled else { break }
                report("\(error)")
            }
            do { try await clock.sleep(for: backoff.next()) } catch { break }
        }
        await client.close()
    }

    private func follow(_ updates: ServiceUpdates, _ wentWell: () -> Void) async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(2))
        let clock = clock
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { for await _ in updates { wake.yield(false) } }
            group.addTask {
                while true {
                    try await clock.sleep(for: Self.heartbeat)
                    wake.yield(true)
                }
            }
            // A recovery is logged only after etcd has answered, even with nothing to publish.
            wake.yield(true)
            for await isLook in wakes {
                if isLook { try await look() }
                try await publish()
                report(nil)
                wentWell()
            }
        }
    }

    private func look() async throws {
        guard let position else { return }
        let held = try await client.value(of: layout.row)
        guard held?.data != Data(position.text.utf8) else { return }
        self.position = nil
        if held == nil { throw EtcdError.emptied(layout) }
    }

    func publish() async throws {
        do {
            let start: EtcdRow
            if let position, !position.isFilling {
                start = position
            } else {
                start = try await compare()
            }
            try await step(from: start)
        } catch let error as EtcdError where error.isRace {
            position = nil
            throw error
        }
    }

    private func know(published row: Int64) {
        known.withLock { $0 = FollowerStatus(name: $0.name, row: row, problem: $0.problem) }
    }

    private func report(_ problem: String?) {
        let (isNews, isOver) = known.withLock { status in
            let before = status.problem
            let since = before?.since ?? now()
            status = FollowerStatus(
                name: status.name, row: status.row, problem: problem.map { .init(text: $0, since: since) })
            return (before?.text != problem, problem == nil)
        }
        guard isNews else { return }
        log(
            isOver
                ? "\(address): publishing resumed"
                : "\(address): can't publish flags: \(problem ?? "")")
    }
}

extension HistoryPublisher {
    private func step(from start: EtcdRow) async throws {
        var position = start
        while true {
            let overview = try await overview()
            guard let head = overview.lastRow, head > position.row else { return }
            let rows = try rows(after: position.row, upTo: head)
            guard let rows else {
                try await fill(overview, over: position)
                return
            }
            let flags = PublishedFlags(layout: layout, catalogue: overview.catalogue)
            var needsComparison = false
            var refused: Int64?
            for row in rows {
                let event = row.event
                if event.kind.changesFlags {
                    pendingKeys.insert(event.key)
                    needsComparison = needsComparison || flags.reachesOthers(at: event.key)
                }
                var changes: [String: String?] = [:]
                if row.id == head {
                    for key in pendingKeys { changes.merge(flags.changes(at: key)) { first, _ in first } }
                } else if event.kind.changesFlags, let provider = event.provider {
                    changes = flags.change(at: event.key, in: provider, to: event.after)
                }
                guard row.id < head || pendingKeys.count < 2 || Self.fits(changes) else {
                    needsComparison = true
                    break
                }
                do {
                    position = try await move(from: position, to: EtcdRow(row), changes)
                } catch let error as EtcdError where error.isTooLarge {
                    refused = row.id
                    break
                }
            }
            if needsComparison || refused != nil {
                position = try await fill(overview, over: position)
            }
            if let refused { tellPassedOver(refused, position.row) }
            pendingKeys = []
        }
    }

    private func tellPassedOver(_ first: Int64, _ last: Int64) {
        log(
            "\(address): row \(first) of the history is larger than an etcd request can be, so "
                + (first == last ? "it was" : "rows \(first) to \(last) were")
                + " skipped, and all flags are published in their state after row \(last)")
    }

    private static func fits(_ changes: [String: String?]) -> Bool {
        changes.count <= largestTransaction && bytes(of: changes) <= mostBytes
    }

    private static func bytes(of changes: [String: String?]) -> Int {
        changes.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.utf8.count ?? 0) }
    }

    /// Returns `nil` for rows that are too many or pruned.
    private func rows(after id: Int64, upTo head: Int64) throws -> [HistoryRecord]? {
        guard head &- id <= Self.mostRows else { return nil }
        let rows = try service.history.records(
            matching: HistoryQuery(hiddenKeys: []), after: id, limit: Int(head &- id))
        return rows.count == Int(head &- id) && rows.last?.id == head ? rows : nil
    }

    private func compare() async throws -> EtcdRow {
        pendingKeys = []
        let held = try await client.value(of: layout.row)
        guard let held else {
            know(published: 0)
            return try await fill(try await overview(), over: nil)
        }
        let row = try EtcdRow(data: held.data)
        let head = try service.history.chainHead()
        guard row.row <= head.id, try service.history.hash(ofRow: row.row)?.hexadecimal == row.hash else {
            know(published: 0)
            throw PlainError.foreign(address, row: row.row, layout)
        }
        if !row.isFilling {
            know(published: row.row)
            try await step(from: row)
        }
        return try await fill(try await overview(), over: position ?? row)
    }

    /// Makes etcd's content equal to the flags; `held` is the row there.
    @discardableResult
    private func fill(_ overview: FlagOverview, over held: EtcdRow?) async throws -> EtcdRow {
        do {
            return try await makeEqual(overview, over: held)
        } catch {
            position = nil
            throw error
        }
    }

    private func makeEqual(_ overview: FlagOverview, over held: EtcdRow?) async throws -> EtcdRow {
        let goal = try row(overview.lastRow ?? 0)
        let content = try await client.content(of: layout.all).values
        let target = PublishedFlags(layout: layout, catalogue: overview.catalogue).all
        var changes: [String: String?] = [:]
        for (key, text) in target where content[key]?.data != Data(text.utf8) { changes[key] = text }
        for key in content.keys where target[key] == nil && layout.holdsFlag(key) { changes[key] = .some(nil) }
        if changes.isEmpty, let held, held == goal {
            position = held
            return held
        }
        // The largest comes first: if etcd refuses it, readers keep a consistent state.
        var portions = portions(of: changes).sorted { Self.bytes(of: $0) > Self.bytes(of: $1) }
        let (largest, last) = (portions.first ?? [:], portions.popLast() ?? [:])
        do {
            let filling = EtcdRow(row: goal.row, hash: goal.hash, isFilling: true)
            var current = held
            for portion in portions { current = try await move(from: current, to: filling, portion) }
            return try await move(from: current, to: goal, last)
        } catch let error as EtcdError where error.isTooLarge {
            throw PlainError.tooLarge(try newestRow(ofLargestIn: largest))
        }
    }

    /// Returns the newest row about the flag with the largest text.
    private func newestRow(ofLargestIn changes: [String: String?]) throws -> Int64? {
        let largest = changes.max { Self.bytes(of: [$0.key: $0.value]) < Self.bytes(of: [$1.key: $1.value]) }
        guard let largest, let flag = layout.flag(of: largest.key) else { return nil }
        let rows = try service.history.newest(HistoryQuery(key: flag, hiddenKeys: [], limit: Self.mostRowsOfFlag))
        return rows.first { $0.event.kind.changesFlags }?.id
    }

    private func portions(of changes: [String: String?]) -> [[String: String?]] {
        var portions: [[String: String?]] = []
        var (portion, bytes): ([String: String?], Int) = ([:], 0)
        for (key, text) in changes.sorted(by: { $0.key < $1.key }) {
            let size = Self.bytes(of: [key: text])
            if portion.count == Self.largestTransaction || (!portion.isEmpty && bytes + size > Self.mostBytes) {
                portions.append(portion)
                (portion, bytes) = ([:], 0)
            }
            portion[key] = .some(text)
            bytes += size
        }
        return portions + [portion]
    }

    /// Commits one transaction if etcd still holds the previous row.
    private func move(
        from held: EtcdRow?, to row: EtcdRow, _ changes: [String: String?]
    ) async throws -> EtcdRow {
        var changes = changes
        changes[layout.row] = row.text
        let transaction = EtcdClient.Transaction(guardKey: layout.row, expected: held?.text, changes: changes)
        let other = try await client.make(transaction)
        // An equal row means that the answer was lost, except while filling: then it may be another publisher's.
        let isMade = other == nil || (!row.isFilling && other == Data(row.text.utf8))
        guard isMade else {
            // The answer is empty if the compared key is missing.
            throw other?.isEmpty == true ? EtcdError.emptied(layout) : EtcdError.race(at: address)
        }
        position = row
        if !row.isFilling { know(published: row.row) }
        return row
    }

    private func overview() async throws -> FlagOverview {
        let overview = try await service.overview()
        guard overview.flags.wholeVersion != nil, overview.lastRow != nil else { throw PlainError.unreadable }
        return overview
    }

    private func row(_ id: Int64) throws -> EtcdRow {
        guard id > 0 else { return EtcdRow(row: 0, hash: Data(count: 32).hexadecimal) }
        guard let record = try service.history.record(id, hiddenKeys: []) else { throw PlainError.unreadable }
        return EtcdRow(record)
    }
}

extension EtcdRow {
    fileprivate init(_ record: HistoryRecord) { self.init(row: record.id, hash: record.hash.hexadecimal) }
}
