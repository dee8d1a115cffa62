import AsyncHTTPClient
import DurableFiles
import FeatureFlags
import FeatureFlagsRemote
import FeatureFlagsXML
import FlagChanges
import Foundation
import NIOCore
import Synchronization

/// The flags of another Flagboard, kept up to date in local files, so that many servers answer like one writer.
///
/// ```swift
/// let replica = try Replica(of: "https://flags.example.com/", in: files, credential: .bearer(file: token))
/// try await replica.start()
/// await replica.run()
/// ```
///
/// The replica listens to the source's events and copies all flags at once after a change. Each second it also asks for
/// changes and probes the source, so that a dead or healed network is noticed within a second.
package final class Replica: Sendable {
    private struct State {
        var status: SourceStatus
        /// The expected content; `nil` before the first download.
        var record: ReplicaFiles.Record?
        var looks: ReplicaFiles.Looks = [:]
        /// `false` if a file differs from the record, which forces a full download.
        var isAsGot = true
        var streamFailures = 0
        /// The causes logged since the last success.
        var toldProblems: Set<String> = []

        mutating func take(_ record: ReplicaFiles.Record, at time: Date) {
            self.record = record
            status.confirmed = time
            let broken = (record.broken ?? [:]).compactMap { text, problem in
                FlagKeyPath(text: text).map { ($0, FlagValueError("at \(record.source): \(problem)")) }
            }
            status.broken = Dictionary(broken, uniquingKeysWith: { first, _ in first })
        }
    }

    static let interval = Duration.seconds(1)
    static let connecting = Duration.milliseconds(600)
    /// The longest silence of the source, whose network may be cut.
    static let silence = Duration.seconds(1)
    /// The longest wait while the source is unreachable, unless it asks for more.
    static let pause = Duration.milliseconds(200)
    /// The statuses of a proxy whose source is down.
    private static let statusesOfAbsence: Set = [502, 503, 504]
    /// The failures in a row before the stream's problem is logged.
    private static let toldStreamFailures = 3
    /// The timeout of a full download.
    static let patience = Duration.seconds(10)

    private let address: RemoteAddress
    private let health: RemoteRequest
    private let events: RemoteAddress
    private let files: ReplicaFiles
    private let client: RemoteClient
    private let prober: RemoteClient
    private let maximumSize: Int
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// Creates a replica.
    ///
    /// - Parameters:
    ///   - source: The address of the other Flagboard's list of flags, such as `https://flags.example.com/`.
    ///   - files: The local copies.
    ///   - credential: The token; a viewer's is enough.
    ///   - trust: The trusted servers.
    ///   - maximumSize: The most bytes of values, and of definitions.
    ///   - log: Receives failures and recoveries.
    /// - Throws: `RemoteError` if the address is unusable.
    package convenience init(
        of source: String, in files: ReplicaFiles, credential: RemoteCredential? = nil, trust: RemoteTrust = .system,
        maximumSize: Int, log: @escaping @Sendable (String) -> Void
    ) throws(RemoteError) {
        try self.init(
            of: source, in: files, credential: credential, trust: trust, maximumSize: maximumSize, log: log,
            clock: ContinuousClock(), now: { Date() })
    }

    init(
        of source: String, in files: ReplicaFiles, credential: RemoteCredential?, trust: RemoteTrust,
        maximumSize: Int, log: @escaping @Sendable (String) -> Void, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) throws(RemoteError) {
        let address = try RemoteAddress(source.hasSuffix("/") ? source : source + "/")
        self.address = address
        self.files = files
        self.maximumSize = maximumSize
        (self.clock, self.now, self.log) = (clock, now, log)
        health = RemoteRequest(address: try address.resolving("healthz"), accepted: "application/json")
        events = try address.resolving("events")
        client = RemoteClient(
            trust: trust, credential: credential, for: address.origin, timeout: Self.patience,
            connecting: Self.connecting, maximumSize: Self.largestAnswer(of: maximumSize))
        prober = RemoteClient(
            trust: trust, credential: nil, for: address.origin, timeout: Self.silence, connecting: Self.connecting,
            silence: Self.silence, maximumSize: 1 << 20)
        state = Mutex(State(status: SourceStatus(source: address.description)))
    }

    /// Returns the most bytes of a decompressed answer, which holds values and definitions with escaped characters.
    ///
    /// An ordinary machine must have the memory to spare, unless larger files were allowed.
    static func largestAnswer(of maximumSize: Int) -> Int {
        let whole = min(maximumSize, Int.max / 8) * 4
        return maximumSize > PropertyListDocument.maximumSize ? whole : min(whole, PropertyListDocument.maximumSize / 2)
    }

    /// The flags' freshness.
    package var status: SourceStatus { state.withLock(\.status) }

    /// Downloads the flags, or accepts earlier files if that fails.
    ///
    /// - Throws: ``PlainError`` if there are no flags.
    package func start() async throws(PlainError) {
        files.removeAbandoned(log: log)
        var looks: ReplicaFiles.Looks = [:]
        let held = try files.held(from: address.description, &looks)
        if let held {
            state.withLock { $0.take(held.record, at: held.record.time) }
            note(held.changed, looks)
        }
        guard let trouble = await ask() else { return }
        report(trouble)
        if held?.canBeServed != true { throw PlainError(trouble.text) }
    }

    /// Records the files that differ, and logs the first occurrence.
    private func note(_ changed: [String], _ looks: ReplicaFiles.Looks) {
        let isNews = state.withLock { state in
            defer { state.isAsGot = changed.isEmpty }
            state.looks = looks
            return state.isAsGot
        }
        guard isNews, !changed.isEmpty else { return }
        log(
            "\(changed.joined(separator: ", ")) no longer has the data from \(address): another program changed or "
                + "removed it, or the system stopped while it was being written. It is restored when \(address) "
                + "responds.")
    }

    /// Follows the source until the task is cancelled.
    package func run() async {
        var backoff = Backoff(first: .seconds(1), limit: .seconds(30))
        var soon = Backoff(first: Self.pause, limit: Self.pause)
        while !Task.isCancelled {
            let trouble = await follow()
            guard !Task.isCancelled else { break }
            if status.problem == nil { backoff.reset() }
            report(trouble)
            // A source that answers without flags gets longer pauses; an absent one is found as soon as it returns.
            let pause =
                trouble.isAnswer ? backoff.next(askedFor: trouble.askedFor) : soon.next(askedFor: trouble.askedFor)
            do { try await clock.sleep(for: pause) } catch { break }
        }
        await client.close()
        await prober.close()
    }

    private struct Trouble {
        let text: String
        /// The root cause, the same for all of the source's addresses.
        let cause: String
        /// `true` if the source itself answers, but without flags.
        var isAnswer = false
        var askedFor: Duration?

        init(text: String, isAnswer: Bool = false) {
            (self.text, cause, self.isAnswer) = (text, text, isAnswer)
        }

        init(_ error: RemoteError, isAnswer: Bool = false) {
            (text, cause, askedFor) = (error.description, error.problem, error.askedFor)
            self.isAnswer = isAnswer
        }

        static let stopped = Trouble(text: "it was stopped")
    }

    /// Listens to events and asks each second, until a request fails.
    private func follow() async -> Trouble {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return await withTaskGroup(of: Trouble.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await _ in wakes {
                    if let trouble = await self.ask() { return trouble }
                    self.report(nil)
                }
                return .stopped
            }
            group.addTask {
                while !Task.isCancelled {
                    wake.yield()
                    if let trouble = await self.probe() { return trouble }
                    do { try await self.clock.sleep(for: Self.interval) } catch { break }
                }
                return .stopped
            }
            group.addTask {
                await self.listen { wake.yield() }
                return .stopped
            }
            let trouble = await group.next() ?? .stopped
            // A dead connection would block the next request.
            await self.client.close()
            await self.prober.close()
            return trouble
        }
    }

    /// Checks that the source can be reached, whatever it answers.
    private func probe() async -> Trouble? {
        do throws(RemoteError) {
            _ = try await prober.ask(health, knowing: nil)
        } catch {
            guard error.isUnreachable else { return nil }
            return Trouble(error)
        }
        return nil
    }

    /// Reads the source's events and reconnects; requests each second cover the gaps.
    private func listen(_ tell: @Sendable () -> Void) async {
        var backoff = Backoff(first: .seconds(1), limit: .seconds(30))
        while !Task.isCancelled {
            do {
                var reader = EventStreamReader()
                for try await piece in try await client.stream(events, after: "") {
                    backoff.reset()
                    report(nil, ofStream: true)
                    if try !reader.events(in: piece.readableBytesView).isEmpty { tell() }
                }
            } catch {
                guard !Task.isCancelled else { return }
                report("\(error)", ofStream: true)
            }
            do { try await clock.sleep(for: backoff.next()) } catch { return }
        }
    }

    /// Asks for the flags and stores changed ones; returns `nil` on success.
    private func ask() async -> Trouble? {
        do {
            let known = try lookAfterFiles()
            let request = try snapshotRequest(knowing: known.record?.row)
            guard let answer = try await client.ask(request, knowing: known.version) else {
                let time = now()
                state.withLock { $0.status.confirmed = time }
                if let record = known.record {
                    let confirmed = try await files.confirm(record, at: time)
                    state.withLock { $0.record = confirmed }
                }
                return nil
            }
            let snapshot = try ReplicaSnapshot(body: answer.body, maximumSize: maximumSize)
            if let record = known.record, snapshot.row < record.row || snapshot.knownHash != record.hash {
                return isAnother(snapshot, than: record.row)
            }
            let time = now()
            let record = try await files.put(snapshot, from: address.description, version: answer.version, at: time)
            state.withLock { state in
                state.take(record, at: time)
                state.isAsGot = true
            }
            return nil
        } catch let error as RemoteError {
            let isGone = error.isUnreachable || error.status.map(Self.statusesOfAbsence.contains) == true
            return Trouble(error, isAnswer: !isGone)
        } catch {
            return Trouble(text: "\(error)", isAnswer: true)
        }
    }

    /// Checks the files; the version is `nil` if one has changed.
    private func lookAfterFiles() throws(PlainError) -> (record: ReplicaFiles.Record?, version: String?) {
        let (known, before) = state.withLock { ($0.record, $0.looks) }
        guard let known else { return (nil, nil) }
        var looks = before
        let changed = try files.changed(from: known, &looks)
        note(changed, looks)
        return (known, changed.isEmpty ? known.version : nil)
    }

    /// Requests all flags and the hash of a known row, which identifies the history.
    private func snapshotRequest(knowing row: Int64?) throws(RemoteError) -> RemoteRequest {
        let query = row.map { "?known=\($0)" } ?? ""
        return RemoteRequest(address: try address.resolving("api/v1/snapshot" + query), accepted: "application/json")
    }

    /// Refuses flags of another history.
    ///
    /// The text names no row of that history, so that it stays the same and is logged once.
    private func isAnother(_ snapshot: ReplicaSnapshot, than row: Int64) -> Trouble {
        let problem =
            if snapshot.row >= row, snapshot.knownHash == nil {
                "row \(row) of the history at \(address) was pruned there since the last sync, so this may be a "
                    + "different history"
            } else {
                "row \(row) of the history at \(address) doesn't match the last sync: the history was restored to an "
                    + "earlier state, or is a different one"
            }
        return Trouble(
            text: "\(problem). To follow it anyway, stop this replica and remove its files \(files.names)",
            isAnswer: true)
    }

    private func report(_ problem: String?, ofStream: Bool) {
        let isNews = state.withLock { state in
            state.streamFailures = problem == nil ? 0 : state.streamFailures + 1
            // Otherwise the requests report it.
            return state.streamFailures == Self.toldStreamFailures && state.status.problem == nil
        }
        if isNews, let problem {
            log("polling \(address) every second because its event stream isn't available: \(problem)")
        }
    }

    /// Logs each cause once, and the recovery.
    private func report(_ trouble: Trouble?) {
        let time = now()
        let line: String? = state.withLock { state in
            let before = state.status.problem
            guard let trouble else {
                guard before != nil else { return nil }
                state.status.problem = nil
                state.toldProblems = []
                return "following \(address) again"
            }
            state.status.problem = .init(text: trouble.text, since: before?.since ?? time)
            guard state.toldProblems.insert(trouble.cause).inserted else { return nil }
            return "can't follow \(address): \(trouble.text)"
        }
        if let line { log(line) }
    }
}
