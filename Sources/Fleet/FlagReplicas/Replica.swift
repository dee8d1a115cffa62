import AsyncHTTPClient
import FeatureFlags
import FeatureFlagsRemote
import FeatureFlagsXML
import FlagChanges
import Foundation
import NIOCore
import Synchronization

/// The flags of another Flagboard, kept up to date in files of this one: one writer, and many that answer with the same.
///
/// ```swift
/// let replica = try Replica(of: "https://flags.example.com/", in: files, credential: .bearer(file: token))
/// try await replica.start()
/// await replica.run()
/// ```
///
/// It listens to the source's stream of events, and takes over all flags at one moment as soon as something changes. Beside that it
/// asks each second whether they are still the same, and whether the source is there, so that a connection that is dead without a word
/// is found out: a network that is cut and healed is noticed within a second.
public final class Replica: Sendable {
    private struct State {
        var status: ReplicaStatus
        /// What the files should hold; `nil` where nothing was got yet.
        var record: ReplicaFiles.Record?
        /// What was found in the files when they were last looked at.
        var looks: ReplicaFiles.Looks = [:]
        /// Whether the files hold what they should, as far as is known: else all flags are got anew.
        var isAsGot = true
        /// How often in a row its events could not be listened to.
        var streamFailures = 0
        /// What was told of what is wrong, since it last went well.
        var toldProblems: Set<String> = []

        mutating func take(_ record: ReplicaFiles.Record, at time: Date) {
            self.record = record
            (status.row, status.hash, status.confirmed) = (record.row, record.hash, time)
            let broken = (record.broken ?? [:]).compactMap { text, problem in
                FlagKeyPath(text: text).map { ($0, FlagValueError("at \(record.source): \(problem)")) }
            }
            status.broken = Dictionary(broken, uniquingKeysWith: { first, _ in first })
        }
    }

    /// How often the source is asked whether the flags are still the same.
    static let interval = Duration.seconds(1)
    /// How long a connection may take to be there, while the source is not to be reached.
    static let connecting = Duration.milliseconds(600)
    /// How long the source may say nothing once it was asked whether it is there: its network may be cut.
    static let silence = Duration.seconds(1)
    /// How long is waited at most after a failure to reach the source, unless it asks for more.
    static let pause = Duration.milliseconds(200)
    /// What a proxy answers while the source behind it is not there.
    private static let statusesOfAbsence: Set = [502, 503, 504]
    /// How often in a row its events can't be listened to until that is told.
    private static let toldStreamFailures = 3
    /// How long the source may take to tell all flags.
    static let patience = Duration.seconds(10)

    private let address: RemoteAddress
    private let health: RemoteRequest
    private let events: RemoteAddress
    private let files: ReplicaFiles
    /// What asks for the flags, and listens to events.
    private let client: RemoteClient
    /// What asks whether the source is there.
    private let prober: RemoteClient
    private let maximumSize: Int
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// Names a source.
    ///
    /// - Parameters:
    ///   - source: The address of the other Flagboard's list of flags, such as `https://flags.example.com/`.
    ///   - files: Where the flags are kept.
    ///   - credential: The token that goes along: a viewer's is enough.
    ///   - trust: Which servers are trusted.
    ///   - maximumSize: The most bytes of values, and of definitions.
    ///   - log: Takes what an operator should know of: that the source can't be followed, and that it can be again.
    /// - Throws: `RemoteError` where the address can't be asked.
    public convenience init(
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
        state = Mutex(State(status: ReplicaStatus(source: address.description)))
    }

    /// The most bytes of an answer as it is when it is decompressed, in which values and definitions are both, and quotation marks
    /// and line ends take two bytes: no more than an ordinary machine has to spare, unless larger files were allowed.
    ///
    /// - Parameter maximumSize: The most bytes of values, and of definitions.
    static func largestAnswer(of maximumSize: Int) -> Int {
        let whole = min(maximumSize, Int.max / 8) * 4
        return maximumSize > PropertyListDocument.maximumSize ? whole : min(whole, PropertyListDocument.maximumSize / 2)
    }

    /// How fresh the flags are.
    public var status: ReplicaStatus { state.withLock(\.status) }

    /// Gets the flags for the first time; where that can't be and they are there from before, these are enough.
    ///
    /// - Throws: ``ReplicaError`` where there are none then.
    public func start() async throws(ReplicaError) {
        files.removeAbandoned(log: log)
        var looks: ReplicaFiles.Looks = [:]
        let held = try files.held(from: address.description, &looks)
        if let held {
            state.withLock { $0.take(held.record, at: held.record.time) }
            note(held.changed, looks)
        }
        guard let trouble = await ask() else { return }
        report(trouble)
        if held?.canBeServed != true { throw ReplicaError(trouble.text) }
    }

    /// Takes down whether the files hold what they should, and says once that one does not.
    private func note(_ changed: [String], _ looks: ReplicaFiles.Looks) {
        let isNews = state.withLock { state in
            defer { state.isAsGot = changed.isEmpty }
            state.looks = looks
            return state.isAsGot
        }
        guard isNews, !changed.isEmpty else { return }
        log(
            "What was got from \(address) is not in \(changed.joined(separator: ", ")) any more: another program changed or removed "
                + "it, or the system stopped while it was written. It is put back as soon as \(address) answers.")
    }

    /// Follows the source, until the task is cancelled.
    public func run() async {
        var backoff = Backoff(first: .seconds(1), limit: .seconds(30))
        var soon = Backoff(first: Self.pause, limit: Self.pause)
        while !Task.isCancelled {
            let trouble = await follow()
            guard !Task.isCancelled else { break }
            // It went well since the trouble before.
            if status.problem == nil { backoff.reset() }
            report(trouble)
            // A source that answers, but not with flags, is not pressed; one that is not there is found as soon as it is.
            let pause =
                trouble.isAnswer ? backoff.next(askedFor: trouble.askedFor) : soon.next(askedFor: trouble.askedFor)
            do { try await clock.sleep(for: pause) } catch { break }
        }
        await client.close()
        await prober.close()
    }

    /// Why the source can't be followed.
    private struct Trouble {
        let text: String
        /// What is at the bottom of it, the same by whichever of the source's addresses it is found out.
        let cause: String
        /// Whether the source answers, and not with flags; a proxy before one that is not there does not count.
        var isAnswer = false
        /// How long the source asks to be left alone.
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

    /// Listens to the source's events and asks each second beside that, until it can't be asked.
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
            // What is dead without a word would keep what is asked next waiting.
            await self.client.close()
            await self.prober.close()
            return trouble
        }
    }

    /// Asks whether the source is there, whatever it says.
    private func probe() async -> Trouble? {
        do throws(RemoteError) {
            _ = try await prober.ask(health, knowing: nil)
        } catch {
            guard error.isUnreachable else { return nil }
            return Trouble(error)
        }
        return nil
    }

    /// Reads the source's events, and goes on where the stream ends: what is missed meanwhile is found out by asking.
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

    /// Asks for the flags, and takes them over where they are others.
    ///
    /// - Returns: What is wrong; `nil` where all is well.
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

    /// Looks whether the files still hold what was got.
    ///
    /// - Returns: What was got, and the source's name for it where all of it is there still.
    private func lookAfterFiles() throws(ReplicaError) -> (record: ReplicaFiles.Record?, version: String?) {
        let (known, before) = state.withLock { ($0.record, $0.looks) }
        guard let known else { return (nil, nil) }
        var looks = before
        let changed = try files.changed(from: known, &looks)
        note(changed, looks)
        return (known, changed.isEmpty ? known.version : nil)
    }

    /// Asks for all flags, and whether the history is still the one that a row is of.
    private func snapshotRequest(knowing row: Int64?) throws(RemoteError) -> RemoteRequest {
        let query = row.map { "?known=\($0)" } ?? ""
        return RemoteRequest(address: try address.resolving("api/v1/snapshot" + query), accepted: "application/json")
    }

    /// Refuses flags of another history than the one that a row was got from.
    ///
    /// It names no row of the other history, so that it stays the same reason while that goes on.
    private func isAnother(_ snapshot: ReplicaSnapshot, than row: Int64) -> Trouble {
        let problem =
            if snapshot.row >= row, snapshot.knownHash == nil {
                "row \(row) of the history of \(address) was pruned there since it was got, so that nothing shows whether that is "
                    + "the same history still"
            } else {
                "the history of \(address) does not hold row \(row) as it was got from there before: it was put back to an "
                    + "earlier state, or is another one"
            }
        return Trouble(
            text: "\(problem). To follow it all the same, stop this replica, and remove its files \(files.names)",
            isAnswer: true)
    }

    /// Says once that the source's events can't be listened to.
    private func report(_ problem: String?, ofStream: Bool) {
        let isNews = state.withLock { state in
            state.streamFailures = problem == nil ? 0 : state.streamFailures + 1
            // A source that is gone altogether is found out by asking.
            return state.streamFailures == Self.toldStreamFailures && state.status.problem == nil
        }
        if isNews, let problem {
            log("\(address) is asked each second alone, since its events can't be listened to: \(problem)")
        }
    }

    /// Keeps what is wrong, and says once of each thing that it is, or that all is well again.
    private func report(_ trouble: Trouble?) {
        let time = now()
        let line: String? = state.withLock { state in
            let before = state.status.problem
            guard let trouble else {
                guard before != nil else { return nil }
                state.status.problem = nil
                state.toldProblems = []
                return "\(address) is followed again"
            }
            state.status.problem = .init(text: trouble.text, since: before?.since ?? time)
            guard state.toldProblems.insert(trouble.cause).inserted else { return nil }
            return "\(address) can't be followed: \(trouble.text)"
        }
        if let line { log(line) }
    }
}
