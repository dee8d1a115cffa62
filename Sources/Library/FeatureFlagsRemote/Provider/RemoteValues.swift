import FeatureFlags
import Foundation
import Synchronization

final class RemoteValues: Sendable {
    enum Matter: Int, CaseIterable, Sendable {
        case answer
        /// A part of the answer is skipped.
        case content
        case stream
        case cache

        var relief: String {
            switch self {
            case .answer: "the server responds again"
            case .content: "the whole response can be read again"
            case .stream: "following the event stream again"
            case .cache: "values are saved again"
            }
        }
    }

    private struct State {
        var status = RemoteStatus()
        var problems: [Matter: (error: RemoteError, since: Date)] = [:]
        var version: String?
        /// Identifies an equal answer without keeping its body.
        var identity: (size: Int, checksum: Checksum)?
    }

    let store = FlagValueStore()
    let shape: RemoteShape
    private let name: String
    private let source: RemoteAddress
    private let cache: ValuesCache?
    private let maximumSize: Int
    private let now: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private let content = Mutex(RemoteContent())
    private let state = Mutex(State())

    init(
        name: String, source: RemoteAddress, shape: RemoteShape, cache: URL?, maximumSize: Int,
        now: @escaping @Sendable () -> Date, log: @escaping @Sendable (String) -> Void
    ) {
        (self.name, self.source, self.shape, self.maximumSize) = (name, source, shape, maximumSize)
        (self.now, self.log) = (now, log)
        self.cache = cache.map { ValuesCache($0, maximumSize: maximumSize) }
    }

    var status: RemoteStatus {
        state.withLock { state in
            var status = state.status
            let problems = Matter.allCases.compactMap { state.problems[$0] }
            status.problems = problems.map(\.error)
            status.problemTime = problems.map(\.since).min()
            return status
        }
    }

    /// The server's version of the values, or `nil` if they are not in the cache, so that the next answer is complete.
    var version: String? { state.withLock { $0.problems[.cache] == nil ? $0.version : nil } }

    var eventStream: String? { content.withLock(\.eventStream) }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if let failure = content.withLock({ $0.failures[key] }) { throw failure }
        return try store.value(at: key)
    }

    func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError) -> Value? {
        let content = content.withLock { $0 }
        if let failure = content.failures[key] { throw failure }
        if let value = content.json?.value(of: type, at: key) { return value }
        return try store.value(at: key).map(Value.decode)
    }

    func lastValues(at key: FlagKeyPath) -> [FlagValue] {
        let content = content.withLock { $0 }
        guard content.failures[key] == nil else { return [content.lastGood[key]].compactMap(\.self) }
        return store.lastValues(at: key)
    }

    func readCache() {
        guard let cache else { return }
        do throws(RemoteError) {
            guard let entry = try cache.read(from: source.url.absoluteString, as: shape.text) else { return }
            let content: RemoteContent
            do throws(FlagValueError) {
                content = try shape.content(of: entry.body, maximumSize: maximumSize)
            } catch {
                throw RemoteError.cache("the cache \(cache.file.path(percentEncoded: false)) is ignored: \(error)")
            }
            put(content)
            state.withLock { state in
                (state.status.origin, state.status.valuesTime) = (.cache, entry.time)
                state.version = entry.version
                state.identity = Self.identity(entry.body)
            }
        } catch {
            report(error, of: .cache)
        }
    }

    /// Puts an answer into force after the cache holds it.
    func take(_ answer: RemoteAnswer, from address: RemoteAddress) throws(RemoteError) {
        let content: RemoteContent
        do throws(FlagValueError) {
            content = try shape.content(of: answer.body, maximumSize: maximumSize)
        } catch {
            let isPage = answer.mediaType == "text/html"
            throw .unusable(
                address,
                isPage
                    ? "responds with a web page (text/html) instead of values; check the address, and whether it "
                        + "requires sign-in"
                    : "sends a response that can't be read: \(error)")
        }
        let time = now()
        let identity = Self.identity(answer.body)
        let isKnown = state.withLock { state in
            state.version == answer.version && state.identity.map { $0 == identity } == true
        }
        if let cache, !isKnown || cacheIsLacking {
            do throws(RemoteError) {
                try cache.write(
                    ValuesCache.Entry(
                        source: source.url.absoluteString, shape: shape.text, version: answer.version, time: time,
                        body: answer.body))
                report(nil, of: .cache)
            } catch {
                report(error, of: .cache)
            }
        }
        put(content)
        state.withLock { state in
            if !isKnown || state.status.valuesTime == nil { state.status.valuesTime = time }
            (state.status.origin, state.status.confirmedTime) = (.server, time)
            (state.version, state.identity) = (answer.version, identity)
        }
        report(
            content.remark.map {
                .unusable(
                    address,
                    "sends a response that can only be read in part: \($0)")
            }, of: .content)
        report(nil, of: .answer)
    }

    func confirm() {
        let time = now()
        state.withLock { state in
            (state.status.origin, state.status.confirmedTime) = (.server, time)
        }
        report(nil, of: .answer)
    }

    func note(isStreaming: Bool) { state.withLock { $0.status.isStreaming = isStreaming } }

    /// Notes a problem, or `nil` for a recovery, and logs a change.
    func report(_ problem: RemoteError?, of matter: Matter) {
        let time = now()
        let line = state.withLock { state -> String? in
            let before = state.problems[matter]
            guard before?.error.description != problem?.description else { return nil }
            state.problems[matter] = problem.map { ($0, before?.since ?? time) }
            return problem?.description ?? matter.relief
        }
        if let line { log("\(name): \(line)") }
    }

    private var cacheIsLacking: Bool { state.withLock { $0.problems[.cache] != nil } }

    private func put(_ new: RemoteContent) {
        content.withLock { current in
            let new = new.following(current)
            let keys = current.differences(from: new)
            current = new
            store.replace(with: new.entries, changing: keys)
        }
    }

    private static func identity(_ body: Data) -> (Int, Checksum) { (body.count, Checksum(body)) }
}
