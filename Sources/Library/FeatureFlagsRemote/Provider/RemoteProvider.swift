import FeatureFlags
import Foundation

/// Flags that a server answers with over HTTP, read-only: asked for again and again, or as soon as a stream of events tells of
/// something, and kept on disk for a start without the server.
///
/// ```swift
/// let remote = try RemoteProvider(
///     "https://flags.example.com/shop.json", cache: URL(fileURLWithPath: "/var/lib/shop/flags.cache"))
/// let manager = FlagsManager(providers: [local, remote])
/// await remote.setUp(timeout: .seconds(2))
/// ```
///
/// An answer replaces all values: what it no longer holds is absent. Where there is no answer, or none that can be read, the last good
/// values stay, and the server is asked again after a while that grows with each failure (``Backoff``). A changed value is told to
/// observers once the cache keeps it. A value that an OFREP server says to be stale counts, and is marked so here too. `Flag.explain()` says where the values are from, how fresh they are, and what is wrong.
public final class RemoteProvider: FlagsProvider {
    /// Where a server tells that something has changed.
    ///
    /// ```swift
    /// var options = RemoteProvider.Options()
    /// options.events = .at("/events")  // of the same server
    /// ```
    public enum Events: Hashable, Sendable {
        /// Where the answers say, as those of OFREP do; what others have is asked for at intervals.
        case offered
        /// At an address of Server-Sent Events, in full or as a part of the values' address. A token goes along to the values' own
        /// origin alone.
        case at(String)
        /// Nowhere: the values are asked for at intervals.
        case off
    }

    /// When a server is asked, and how much it may answer.
    ///
    /// ```swift
    /// var options = RemoteProvider.Options()
    /// options.interval = .seconds(300)
    /// ```
    public struct Options: Sendable {
        /// How long after an answer the server is asked again, while no stream of events is open: a second at least.
        public var interval = Duration.seconds(60)
        /// Where the server tells that something has changed.
        public var events = Events.offered
        /// How long after a failure the server is asked again, and a stream of events opened again.
        public var backoff = Backoff()
        /// How long an answer may take.
        public var timeout = Duration.seconds(10)
        /// The most bytes of an answer, unpacked: 64 MiB.
        public var maximumSize = 64 * 1024 * 1024
        /// What measures the intervals.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// The time.
        package var now: @Sendable () -> Date = { Date() }

        /// Asks each minute, or as soon as something has changed.
        public init() {}
    }

    /// The name that tells this provider from the others.
    public let name: String
    private let address: RemoteAddress
    private let values: RemoteValues
    private let follower: RemoteFollower

    /// Makes a provider that holds what the cache does; the server is asked from ``setUp()`` on.
    ///
    /// - Parameters:
    ///   - address: Where the values are: `http` or `https`, and without a name or password.
    ///   - name: The name that tells it from the other providers.
    ///   - shape: How answers are read.
    ///   - cache: A file that keeps the last good answer, of this provider alone; it need not exist. `nil` keeps none.
    ///   - credential: The token that goes along; `nil` for none.
    ///   - trust: Which servers are trusted.
    ///   - options: When the server is asked, and how much it may answer.
    ///   - log: Called with a sentence when something goes wrong, and when it is well again: once each, not at each question.
    /// - Throws: Where the address can't be asked.
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

    /// Where the values are.
    public var shortDescription: String? { "Values from \(address)" }

    /// Never: the values come from elsewhere.
    public var isWritable: Bool { false }

    /// The values.
    public var store: FlagValueStore? { values.store }

    /// Whether it is: types that read JSON of their own are given the JSON itself.
    public var isReadFromStore: Bool { values.shape.isPlain }

    /// Where the values are from, how fresh they are, and what is wrong.
    public var status: RemoteStatus { values.status }

    /// What is wrong now, each in a sentence; none where all is well.
    public var problems: [RemoteError] { status.problems }

    /// The ``status`` in words.
    public var condition: String? { status.description }

    /// The value that the server last answered with.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none, or a `null`.
    /// - Throws: Where a component above the last is neither an object nor an array, and why the server could not tell the value.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try values.storedValue(at: key)
    }

    /// The value that the server last answered with, of a `Codable` type or `JSONData` with its `null`s and every digit.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: The key path of the flag.
    /// - Returns: `nil` where there is none, or a `null`.
    /// - Throws: What was found and what is wanted, and what ``storedValue(at:)`` throws.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        try values.value(of: type, at: key)
    }

    /// What the server last answered with, also where it can't tell the value now.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: The values, newest first.
    public func lastValues(at key: FlagKeyPath) -> [FlagValue] { values.lastValues(at: key) }

    /// Refuses.
    ///
    /// - Parameters:
    ///   - value: Any value, or `nil`.
    ///   - key: Any key path.
    /// - Throws: That the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
    }

    /// Begins to ask, and waits for the first answer.
    ///
    /// - Throws: Why there is none, where there are no values of an earlier run either; the server is asked again all the same.
    public func setUp() async throws {
        guard let problem = await follower.start().value, status.origin == .nothing else { return }
        throw problem
    }

    /// Begins to ask, and waits for the first answer, but not longer than it takes to start without one: where values of an earlier run
    /// are there, until the first failure, else until the time has passed.
    ///
    /// - Parameter timeout: How long to wait at most.
    /// - Returns: Where the values are from then, and what is wrong. The server is asked again all the same.
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
                // That the wait was cut short means that it is over.
                do { try await clock.sleep(for: timeout) } catch {}
            }
            await group.next()
        }
        return status
    }

    /// Asks now.
    ///
    /// - Throws: Why there is no answer, or why it can't be read; the values that were held stay.
    public func refresh() async throws {
        if let problem = await follower.ask() { throw problem }
    }

    /// Ends to ask, and closes the connections; the values stay.
    public func tearDown() async { await follower.stop() }
}

/// Where a remote provider's values come from at a moment, how fresh they are, and what is wrong.
///
/// ```swift
/// let status = await remote.setUp(timeout: .seconds(2))
/// if status.origin == .nothing { print("The flags have their defaults: \(status)") }
/// ```
public struct RemoteStatus: Hashable, Sendable {
    /// Where values are from.
    ///
    /// ```swift
    /// if remote.status.origin == .cache { print("The server has not answered since the app started.") }
    /// ```
    public enum Origin: Hashable, Sendable {
        /// There are none yet.
        case nothing
        /// A file of an earlier run of the app, which the server has not confirmed yet.
        case cache
        /// The server.
        case server
    }

    /// Where the values are from.
    public internal(set) var origin = Origin.nothing
    /// When the values were got, by the clock of this machine; `nil` where there are none.
    public internal(set) var valuesTime: Date?
    /// When the server last said that these are its values; `nil` where it has not yet.
    public internal(set) var confirmedTime: Date?
    /// Whether a stream of events is open, so that the server is asked as soon as something has changed.
    public internal(set) var isStreaming = false
    /// What is wrong now; none where all is well.
    public internal(set) var problems: [RemoteError] = []
    /// Since when something is wrong; `nil` where nothing is.
    public internal(set) var problemTime: Date?
}

extension RemoteStatus: CustomStringConvertible {
    /// Where the values are from and since when, and what is wrong, as a clause.
    public var description: String {
        let source =
            switch origin {
            case .nothing: "nothing was got yet"
            case .cache: "from the cache of \(Self.text(valuesTime))"
            case .server:
                "from the server, as of \(Self.text(confirmedTime))"
                    + (isStreaming ? ", and told of changes since" : "")
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
