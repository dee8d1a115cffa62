import FeatureFlags
import Foundation

/// Flags that a server provides over HTTP, read-only, with a cache on disk for a start without the server.
///
/// ```swift
/// let remote = try RemoteProvider(
///     "https://flags.example.com/shop.json", cache: URL(fileURLWithPath: "/var/lib/shop/flags.cache"))
/// let manager = FlagsManager(providers: [local, remote])
/// await remote.setUp(timeout: .seconds(2))
/// ```
///
/// The server is asked at intervals, or at each event of a stream. An answer replaces all values. After a failed
/// request or an unreadable answer, the last good values stay, and requests are repeated at growing intervals
/// (``Backoff``). Observers receive a changed value after the cache holds it. A value that an OFREP server reports as
/// stale is used and marked as stale. `Flag.explain()` shows the origin of the values, their age, and any problems.
public final class RemoteProvider: FlagsProvider {
    /// The source of a server's change events.
    ///
    /// ```swift
    /// var options = RemoteProvider.Options()
    /// options.events = .at("/events")  // of the same server
    /// ```
    public enum Events: Hashable, Sendable {
        /// The stream that the answers name, as in OFREP; without one, requests are made at intervals.
        case offered
        /// An address of Server-Sent Events, absolute or relative to the values' address.
        ///
        /// Only the values' own origin receives the token.
        case at(String)
        /// No stream: requests are made at intervals.
        case off
    }

    /// The times of requests and the limit of answers.
    ///
    /// ```swift
    /// var options = RemoteProvider.Options()
    /// options.interval = .seconds(300)
    /// ```
    public struct Options: Sendable {
        /// The time from an answer to the next request while no stream of events is open, at least a second.
        public var interval = Duration.seconds(60)
        /// The source of the server's change events.
        public var events = Events.offered
        /// The time from a failure to the next request, or to reopening the stream of events.
        public var backoff = Backoff()
        /// The longest time for an answer.
        public var timeout = Duration.seconds(10)
        /// The limit of an unpacked answer in bytes: 64 MiB.
        public var maximumSize = 64 * 1024 * 1024
        package var clock: any Clock<Duration> = ContinuousClock()
        package var now: @Sendable () -> Date = { Date() }

        /// Creates options for a request each minute, and at each event.
        public init() {}
    }

    /// The provider's unique name.
    public let name: String
    private let address: RemoteAddress
    private let values: RemoteValues
    private let follower: RemoteFollower

    /// Creates a provider with the values of the cache; requests start with ``setUp()``.
    ///
    /// - Parameters:
    ///   - address: The address of the values: `http` or `https`, without a name or password.
    ///   - name: The provider's unique name.
    ///   - shape: The format of the answers.
    ///   - cache: A file for the last good answer of this provider alone, which need not exist. `nil` keeps none.
    ///   - credential: The token to send.
    ///   - trust: The trusted servers.
    ///   - options: The times of requests and the limit of answers.
    ///   - log: Takes a sentence for each new problem and each recovery.
    /// - Throws: An error if the address is not valid.
    public init(
        _ address: String, name: String = "Remote", shape: RemoteShape = .json, cache: URL? = nil,
        credential: RemoteCredential? = nil, trust: RemoteTrust = .system, options: Options = Options(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(RemoteError) {
        let address = try RemoteAddress(address)
        self.name = name
        self.address = address
        values = RemoteValues(
            name: name, source: address, shape: shape, cache: cache, maximumSize: options.maximumSize,
            now: options.now, log: log)
        let client = RemoteClient(
            trust: trust, credential: credential, for: address.origin, timeout: options.timeout,
            maximumSize: options.maximumSize)
        follower = RemoteFollower(
            try shape.request(at: address), events: options.events, values: values, client: client,
            plan: RemoteFollower.Plan(
                interval: max(options.interval, .seconds(1)), backoff: options.backoff, clock: options.clock))
        values.readCache()
    }

    deinit {
        follower.cancel()
    }

    /// The address of the values, in words.
    public var shortDescription: String? { "Values from \(address)" }

    /// Always `false`: the values come from the server.
    public var isWritable: Bool { false }

    /// The values.
    public var store: FlagValueStore? { values.store }

    /// `false` for JSON, which some types read themselves.
    public var isReadFromStore: Bool { values.shape.isPlain }

    /// The origin of the values, their age, and any problems.
    public var status: RemoteStatus { values.status }

    /// The current problems; empty if there are none.
    public var problems: [RemoteError] { status.problems }

    /// The ``status`` in words.
    public var condition: String? { status.description }

    /// Returns the value of the server's last answer; `nil` for none or a `null`.
    ///
    /// - Throws: An error if a component above the last is neither an object nor an array, or the server's reason for
    ///   having no value.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try values.storedValue(at: key)
    }

    /// Returns the value of the server's last answer; a `Codable` type or `JSONData` keeps `null`s and every digit.
    ///
    /// - Throws: An error for a value of another type, or that of ``storedValue(at:)``.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        try values.value(of: type, at: key)
    }

    /// Returns the last known values, even if the server has no value now.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] { values.lastValues(at: key) }

    /// Always throws, as the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
    }

    /// Starts requests, and waits for the first answer.
    ///
    /// - Throws: An error if there is no answer and the cache is empty; requests continue all the same.
    public func setUp() async throws {
        guard let problem = await follower.start().value, status.origin == .nothing else { return }
        throw problem
    }

    /// Starts requests, and waits for the first answer for a limited time.
    ///
    /// With values of an earlier run, the first failure ends the wait too. Requests continue in any case.
    ///
    /// - Parameter timeout: The longest time to wait.
    /// - Returns: The origin of the values, and any problems.
    @discardableResult
    public func setUp(timeout: Duration) async -> RemoteStatus {
        let outcomes = follower.outcomes()
        follower.start()
        let clock = follower.plan.clock
        await withTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { [values] in
                for await problem in outcomes where problem == nil || values.status.origin != .nothing { return }
            }
            group.addTask {
                // A cancelled sleep only ends the wait.
                do { try await clock.sleep(for: timeout) } catch {}
            }
            await group.next()
        }
        return status
    }

    /// Sends a request now.
    ///
    /// - Throws: An error if there is no readable answer; the values stay.
    public func refresh() async throws {
        if let problem = await follower.ask() { throw problem }
    }

    /// The outcome of each later request, in order, for one consumer: `nil` for an answer, the error otherwise.
    ///
    /// The values of an answer are in force by then; they may be unchanged. The stream ends with ``tearDown()``, and
    /// with the provider.
    ///
    /// ```swift
    /// for await problem in remote.outcomes { print(problem?.description ?? "fetched") }
    /// ```
    public var outcomes: AsyncStream<RemoteError?> { follower.outcomes() }

    /// Stops requests and closes the connections; the values stay.
    public func tearDown() async { await follower.stop() }
}

/// The origin of a remote provider's values at a moment, their age, and any problems.
///
/// ```swift
/// let status = await remote.setUp(timeout: .seconds(2))
/// if status.origin == .nothing { print("The flags have their defaults: \(status)") }
/// ```
public struct RemoteStatus: Hashable, Sendable {
    /// The origin of values.
    ///
    /// ```swift
    /// if remote.status.origin == .cache { print("The server has not answered since the app started.") }
    /// ```
    public enum Origin: Hashable, Sendable {
        /// No values yet.
        case nothing
        /// The cache of an earlier run, not yet confirmed by the server.
        case cache
        /// The server.
        case server
    }

    /// The origin of the values.
    public internal(set) var origin = Origin.nothing
    /// The time of the values by the clock of this machine, or `nil` without values.
    public internal(set) var valuesTime: Date?
    /// The time of the server's last confirmation, or `nil` before the first.
    public internal(set) var confirmedTime: Date?
    /// `true` if a stream of events is open.
    public internal(set) var isStreaming = false
    /// The current problems; empty if there are none.
    public internal(set) var problems: [RemoteError] = []
    /// The time of the first current problem, or `nil` if there is none.
    public internal(set) var problemTime: Date?
}

extension RemoteStatus: CustomStringConvertible {
    /// The origin and time of the values, and the problems, as a clause.
    public var description: String {
        let source =
            switch origin {
            case .nothing: "not read yet"
            case .cache: "from the cache of \(Self.text(valuesTime))"
            case .server:
                "from the server, as of \(Self.text(confirmedTime))"
                    + (isStreaming ? ", updated by events since" : "")
            }
        guard !problems.isEmpty else { return source }
        let since = problemTime.map { ", since \(Self.text($0))" } ?? ""
        return ([source] + problems.map(\.description)).joined(separator: "; ") + since
    }

    private static func text(_ time: Date?) -> String {
        guard let time else { return "an unknown time" }
        return time.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt).dateSeparator(.dash))
            .replacingOccurrences(of: "Z", with: " UTC")
    }
}
