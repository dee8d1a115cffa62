import FeatureFlags
import Foundation
import Synchronization

/// Flags that a Flagboard publishes to etcd (`flagboard serve --publish`), read-only and followed as they change.
///
/// ```swift
/// let address = try EtcdAddress("etcd://10.0.0.1:2379,10.0.0.2:2379/flags/shop")
/// let published = EtcdProvider(name: "Published", at: address)
/// let manager = FlagsManager(providers: [published])
/// try await manager.setUp()
/// ```
///
/// It reads everything at one revision, then follows the changes. If its member is lost or has compacted the changes,
/// it starts over at the next one; its values stay meanwhile, and older values never replace newer ones. Changes of one
/// transaction take effect together.
public final class EtcdProvider: FlagsProvider {
    private struct State {
        var task: Task<Void, Never>?
        var reading: Reading?
        /// Set while the changes of skipped, incomplete rows are unknown.
        var hasPassedOver = false
        var problem: EtcdError?
        var cacheProblem: String?
        var cachedTime: Date?
        var isKept = true
        var waiting: [UUID: AsyncStream<EtcdError?>.Continuation] = [:]
    }

    private struct Reading {
        var content: EtcdContent
        var row: EtcdRow
        /// The revision that created the key of the row; it differs after a new beginning.
        var epoch: Int64
        let cluster: String
        let revision: Int64

        func isAfter(_ other: Reading) -> Bool { cluster == other.cluster && revision > other.revision }
    }

    /// The provider's unique name.
    public let name: String
    /// The address of the published flags.
    public let address: EtcdAddress
    private let access: EtcdAccess
    private let layout: EtcdLayout
    private let clock: any Clock<Duration>
    private let cache: EtcdCache?
    private let now: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private let values = FlagValueStore()
    private let state = Mutex(State())

    /// The interval of checks that a member still reports all changes.
    static let heartbeat = Duration.seconds(15)

    /// Creates a provider with the values of the cache, or without values until it is set up.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - address: The address of the published flags.
    ///   - access: The credentials.
    ///   - cache: A file for the last values of this provider alone, which need not exist, written some seconds after a
    ///     change and by ``tearDown()``. `nil` keeps nothing.
    ///   - log: Takes messages for operators: that the flags can't be followed, and that they can be again.
    public convenience init(
        name: String = "Published", at address: EtcdAddress, access: EtcdAccess = EtcdAccess(), cache: URL? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(
            name: name, at: address, access: access, cache: cache, log: log, clock: ContinuousClock(), now: { Date() })
    }

    init(
        name: String, at address: EtcdAddress, access: EtcdAccess, cache: URL?,
        log: @escaping @Sendable (String) -> Void, clock: any Clock<Duration>, now: @escaping @Sendable () -> Date
    ) {
        self.cache = cache.map { EtcdCache($0, of: address) }
        self.now = now
        self.name = name
        self.address = address
        self.access = access
        self.log = log
        self.clock = clock
        layout = EtcdLayout(prefix: address.prefix)
        readCache()
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// The address of the published flags, in words.
    public var shortDescription: String? { "Flags published at \(address)" }

    /// Always `false`: the flags are changed by their publisher.
    public var isWritable: Bool { false }

    /// The values.
    public var store: FlagValueStore? { values }

    /// The last row of the history that was read, or `nil` before the first reading.
    public var lastRow: Int64? { state.withLock { $0.reading?.row.row } }

    /// The reason that the flags can't be followed now, or `nil` if they can.
    public var problem: String? { state.withLock { $0.problem?.description } }

    /// The row that was read, from etcd or the cache, and any problems.
    public var condition: String? {
        state.withLock { state in
            let row = state.reading.map { "row \($0.row.row)" } ?? "not read yet"
            let source = state.cachedTime.map { ", from the cache of \(Self.text($0))" } ?? ""
            return ([row + source] + [state.problem?.description, state.cacheProblem].compactMap { $0 })
                .joined(separator: "; ")
        }
    }

    /// Returns the published value.
    ///
    /// - Throws: An error if a component above the last is neither a dictionary nor an array.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    /// Always throws, as the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try checkWritable() }

    /// Starts to follow the flags, and waits for the first reading.
    ///
    /// - Throws: An error if they can't be read and the cache is empty; they are followed as soon as possible anyway.
    public func setUp() async throws {
        if let problem = await firstOutcome(), lastRow == nil { throw problem }
    }

    /// Starts to follow the flags, and waits for the first reading for a limited time.
    ///
    /// - Parameter timeout: The longest time to wait.
    public func setUp(timeout: Duration) async {
        let clock = clock
        await withTaskGroup { group in
            group.addTask { _ = await self.firstOutcome() }
            group.addTask {
                do { try await clock.sleep(for: timeout) } catch {
                    // The flags were read before.
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Reads everything again.
    ///
    /// - Throws: An error if the flags can't be read; the values stay.
    public func refresh() async throws {
        let client = EtcdClient(address, access)
        do throws(EtcdError) {
            try take(try await client.content(of: layout.all))
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    /// Stops following the flags.
    public func tearDown() async {
        let (task, waiting) = state.withLock { state in
            defer { (state.task, state.waiting) = (nil, [:]) }
            return (state.task, Array(state.waiting.values))
        }
        task?.cancel()
        for continuation in waiting {
            continuation.yield(.stopped(address))
            continuation.finish()
        }
        await task?.value
        keep()
    }
}

extension EtcdProvider {
    private func firstOutcome() async -> EtcdError? {
        let outcomes = AsyncStream<EtcdError?> { continuation in
            let id = UUID()
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.waiting[id] = nil } }
            state.withLock { state in
                state.waiting[id] = continuation
                guard state.task == nil else {
                    if state.reading != nil { continuation.yield(nil) }
                    return
                }
                let follower = EtcdFollower(of: self, at: address, access, clock)
                state.task = Task { await follower.run() }
            }
        }
        for await outcome in outcomes { return outcome }
        return nil
    }

    /// Takes a complete reading, or throws if it is older than the last or empty.
    func take(_ all: EtcdClient.Content) throws(EtcdError) {
        let content = EtcdContent(all.values, layout)
        guard let held = content.row else {
            throw .backwards("no flags are published at \(address); run flagboard serve with --publish \(address)")
        }
        let row = try EtcdRow(data: held.data)
        // The last transaction of the row will be reported.
        guard !row.isFilling else {
            state.withLock { $0.hasPassedOver = true }
            return report(.filling(address, row.row))
        }
        _ = try take(
            Reading(content: content, row: row, epoch: held.created, cluster: all.cluster, revision: held.modified),
            changing: nil)
    }

    /// Takes a member's changes; `pending` are the flags that changed in incomplete rows.
    func take(
        _ batch: EtcdWatch.Batch, on content: inout EtcdContent, of cluster: String, pending: inout Set<FlagKeyPath>
    ) throws(EtcdError) {
        pending.formUnion(content.apply(batch.changes))
        guard let held = content.row else {
            throw .backwards("the flags published at \(address) were removed; the last values stay in use")
        }
        let row = try EtcdRow(data: held.data)
        guard !row.isFilling else { return report(.filling(address, row.row)) }
        let reading = Reading(
            content: content, row: row, epoch: held.created, cluster: cluster, revision: held.modified)
        if try take(reading, changing: pending) { pending = [] }
    }

    /// Puts a reading into force; `false` if a newer complete one is.
    ///
    /// Without `keys`, all flags are compared.
    private func take(_ reading: Reading, changing keys: Set<FlagKeyPath>?) throws(EtcdError) -> Bool {
        let told = try state.withLock { (state) throws(EtcdError) -> (Bool, [AsyncStream<EtcdError?>.Continuation])? in
            if keys != nil, !state.hasPassedOver, let known = state.reading, known.isAfter(reading) { return nil }
            try check(reading, after: state.reading)
            let isWorkedOut = state.reading == nil || state.hasPassedOver
            let isNews = state.problem != nil
            (state.reading, state.hasPassedOver, state.problem) = (reading, false, nil)
            (state.cachedTime, state.isKept) = (nil, false)
            publish(reading, changing: isWorkedOut ? nil : keys)
            return (isNews, Array(state.waiting.values))
        }
        guard let (isNews, waiting) = told else { return false }
        tell(nil, isNews: isNews, waiting)
        return true
    }

    /// Refuses an older row than the last, unless the publisher has started over.
    private func check(_ reading: Reading, after known: Reading?) throws(EtcdError) {
        guard let known else { return }
        let isAnew = reading.cluster == known.cluster && reading.epoch > known.epoch
        guard isAnew || reading.row.row >= known.row.row else {
            throw .backwards(
                "the flags published at \(address) went back from row \(known.row.row) of the history to row \(reading.row.row); the last values stay in use"
            )
        }
    }

    private func readCache() {
        guard let cache else { return }
        do {
            guard let (kept, time) = try cache.read() else { return }
            let held = kept.keys.mapValues { EtcdHeld(data: $0, created: kept.epoch, modified: 0) }
            let content = EtcdContent(held, layout)
            guard let row = content.row else { return }
            let reading = Reading(
                content: content, row: try EtcdRow(data: row.data), epoch: kept.epoch, cluster: kept.cluster,
                revision: row.modified)
            state.withLock { state in
                (state.reading, state.cachedTime) = (reading, time)
                publish(reading, changing: nil)
            }
        } catch {
            reportCache("\(error)")
        }
    }

    func keep() {
        guard let cache else { return }
        let reading = state.withLock { state -> Reading? in
            guard !state.isKept else { return nil }
            state.isKept = true
            return state.reading
        }
        guard let reading else { return }
        let kept = EtcdCache.Kept(keys: reading.content.keys, epoch: reading.epoch, cluster: reading.cluster)
        do throws(RemoteError) {
            try cache.write(kept, at: now())
            reportCache(nil)
        } catch {
            state.withLock { $0.isKept = false }
            reportCache(error.description)
        }
    }

    private func reportCache(_ problem: String?) {
        let isNews = state.withLock { state in
            defer { state.cacheProblem = problem }
            return problem != nil && state.cacheProblem != problem
        }
        if isNews, let problem { log("\(name): \(problem)") }
    }

    private static func text(_ time: Date) -> String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        return "\(time.formatted(style.dateSeparator(.dash)).dropLast()) UTC"
    }

    private func publish(_ reading: Reading, changing keys: Set<FlagKeyPath>?) {
        guard case .dictionary(let entries) = reading.content.tree else { return }
        if let keys {
            values.replace(with: entries, changing: keys.sorted())
        } else {
            values.replace(with: entries)
        }
    }

    func report(_ problem: EtcdError) {
        let (isNews, waiting) = state.withLock { state in
            defer { state.problem = problem }
            return (state.problem?.description != problem.description, Array(state.waiting.values))
        }
        tell(problem, isNews: isNews, waiting)
    }

    private func tell(
        _ problem: EtcdError?, isNews: Bool, _ waiting: [AsyncStream<EtcdError?>.Continuation]
    ) {
        if isNews {
            log(problem.map { "\(name): \($0.description)" } ?? "\(name): following the flags at \(address) again")
        }
        for continuation in waiting { continuation.yield(problem) }
    }
}
