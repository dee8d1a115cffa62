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
/// It reads all that is published at one revision, then follows the changes from there. Where the member that it asks is lost, or
/// has compacted the changes, it begins anew at the next one; the values that it holds stay meanwhile, and it never takes older
/// ones for newer ones. Whole transactions are taken, so that flags that were changed together change together.
public final class EtcdProvider: FlagsProvider {
    private struct State {
        var task: Task<Void, Never>?
        /// What was read, and at which revision; `nil` until something was.
        var reading: Reading?
        /// Whether rows were passed over whose values were not whole yet, so that what they changed is not known.
        var hasPassedOver = false
        /// Why it can't be followed now.
        var problem: EtcdError?
        /// Why the cache can't be used.
        var cacheProblem: String?
        /// When the values were read, where they are those of the cache.
        var cachedTime: Date?
        /// Whether the cache keeps what was read.
        var isKept = true
        var waiting: [UUID: AsyncStream<EtcdError?>.Continuation] = [:]
    }

    private struct Reading {
        var content: EtcdContent
        var row: EtcdRow
        /// The revision at which the key of the row came to be there: another one where somebody has begun anew.
        var epoch: Int64
        let cluster: String
        /// The revision at which the row was told.
        let revision: Int64

        func isAfter(_ other: Reading) -> Bool { cluster == other.cluster && revision > other.revision }
    }

    /// The name that tells this provider from the others.
    public let name: String
    /// Where the flags are published.
    public let address: EtcdAddress
    private let access: EtcdAccess
    private let layout: EtcdLayout
    private let clock: any Clock<Duration>
    private let cache: EtcdCache?
    private let now: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private let values = FlagValueStore()
    private let state = Mutex(State())

    /// How often a member is asked whether it still tells of all that there is.
    static let heartbeat = Duration.seconds(15)

    /// Makes a provider, which holds what the cache does, and without one nothing until it is set up.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - address: Where the flags are published.
    ///   - access: Who asks.
    ///   - cache: A file that keeps what was read last, of this provider alone; it need not exist. It is written some seconds after a
    ///     change, and at ``tearDown()``. `nil` keeps nothing.
    ///   - log: Takes what an operator should know of: that the flags can't be followed, and that they can be again.
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

    /// Where the flags are published.
    public var shortDescription: String? { "The flags that are published at \(address)" }

    /// Never: the flags are changed where they are published from.
    public var isWritable: Bool { false }

    /// The values.
    public var store: FlagValueStore? { values }

    /// The number of the last row of the history whose change is read; `nil` where nothing was read yet.
    public var lastRow: Int64? { state.withLock { $0.reading?.row.row } }

    /// Why the flags can't be followed now; `nil` where they can.
    public var problem: String? { state.withLock { $0.problem?.description } }

    /// Which row of the history is read, whether from etcd or from the cache, and what is wrong.
    public var condition: String? {
        state.withLock { state in
            let row = state.reading.map { "row \($0.row.row)" } ?? "nothing was read yet"
            let source = state.cachedTime.map { ", from the cache of \(Self.text($0))" } ?? ""
            return ([row + source] + [state.problem?.description, state.cacheProblem].compactMap { $0 })
                .joined(separator: "; ")
        }
    }

    /// The value that is published.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none.
    /// - Throws: Where a component above the last is neither a dictionary nor an array.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { try values.value(at: key) }

    /// Refuses.
    ///
    /// - Parameters:
    ///   - value: Any value, or `nil`.
    ///   - key: Any key path.
    /// - Throws: That the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { try checkWritable() }

    /// Begins to follow the flags, and waits until they are read for the first time.
    ///
    /// - Throws: Why they can't be read, where the cache keeps none either; they are followed as soon as they can be.
    public func setUp() async throws {
        if let problem = await firstOutcome(), lastRow == nil { throw problem }
    }

    /// Begins to follow the flags, and waits for a while until they are read for the first time; they are followed as soon as they
    /// can be.
    ///
    /// - Parameter timeout: How long to wait at most.
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

    /// Reads all that is published again.
    ///
    /// - Throws: Why it can't be read; the values that were held stay.
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

    /// Follows the flags no longer.
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
    /// Begins to follow, and waits until the flags are read or can't be; `nil` where they are.
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

    /// Takes all that is published.
    ///
    /// - Throws: Where it is older than what was read before, or nothing is published.
    func take(_ all: EtcdClient.Content) throws(EtcdError) {
        let content = EtcdContent(all.values, layout)
        guard let held = content.row else {
            throw .backwards("nothing is published at \(address); start flagboard serve with --publish \(address)")
        }
        let row = try EtcdRow(data: held.data)
        // The last transaction is still to come, and is told of.
        guard !row.isFilling else {
            state.withLock { $0.hasPassedOver = true }
            return report(.filling(address, row.row))
        }
        _ = try take(
            Reading(content: content, row: row, epoch: held.created, cluster: all.cluster, revision: held.modified),
            changing: nil)
    }

    /// Takes changes that a member tells of.
    ///
    /// - Parameters:
    ///   - batch: The changes.
    ///   - content: What is published, which is kept up to date.
    ///   - cluster: The cluster that tells of them.
    ///   - pending: The flags that changed while more was still to come.
    /// - Throws: Where what is published is no row any more, or an older one than was read before.
    func take(
        _ batch: EtcdWatch.Batch, on content: inout EtcdContent, of cluster: String, pending: inout Set<FlagKeyPath>
    ) throws(EtcdError) {
        pending.formUnion(content.apply(batch.changes))
        guard let held = content.row else {
            throw .backwards("what was published at \(address) was removed; the values that were read last stay")
        }
        let row = try EtcdRow(data: held.data)
        guard !row.isFilling else { return report(.filling(address, row.row)) }
        let reading = Reading(
            content: content, row: row, epoch: held.created, cluster: cluster, revision: held.modified)
        if try take(reading, changing: pending) { pending = [] }
    }

    /// Has what was read in force, and tells those who wait.
    ///
    /// - Parameters:
    ///   - reading: What was read.
    ///   - keys: The flags that a member has told of as changed; `nil` where all was read, and that is to be found out.
    /// - Returns: Whether it is in force: not where all was read meanwhile, and so what a member tells of only now.
    /// - Throws: Where it is older than what was read before.
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

    /// Refuses an older row than was read before, unless what is published has begun anew.
    private func check(_ reading: Reading, after known: Reading?) throws(EtcdError) {
        guard let known else { return }
        let isAnew = reading.cluster == known.cluster && reading.epoch > known.epoch
        guard isAnew || reading.row.row >= known.row.row else {
            throw .backwards(
                "\(address) holds row \(reading.row.row) of the history, and row \(known.row.row) was read there before"
            )
        }
    }

    /// Takes what the cache keeps.
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

    /// Has the cache keep what was read, where it does not yet.
    func keep() {
        guard let cache else { return }
        let reading = state.withLock { state -> Reading? in
            guard !state.isKept else { return nil }
            state.isKept = true
            return state.reading
        }
        guard let reading else { return }
        let kept = EtcdCache.Kept(keys: reading.content.keys, epoch: reading.epoch, cluster: reading.cluster)
        do throws(ValuesCacheError) {
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

    /// Has the values in force.
    private func publish(_ reading: Reading, changing keys: Set<FlagKeyPath>?) {
        guard case .dictionary(let entries) = reading.content.tree else { return }
        if let keys {
            values.replace(with: entries, changing: keys.sorted())
        } else {
            values.replace(with: entries)
        }
    }

    /// Keeps what is wrong, tells those who wait, and says it once.
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
            log(problem.map { "\(name): \($0.description)" } ?? "\(name): the flags at \(address) are followed again")
        }
        for continuation in waiting { continuation.yield(problem) }
    }
}
