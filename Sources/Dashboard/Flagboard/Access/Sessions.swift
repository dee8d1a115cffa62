import FlagHistory
import Foundation

/// The sessions of this run; a restart signs everyone out.
struct Sessions: Sendable {
    static let capacity = 1000
    /// The limit for one token, or for the link.
    static let capacityOfOne = 100

    /// By the identifier's digest, so that lookup times reveal nothing of identifiers.
    private var sessions: [SecretDigest: Session] = [:]
    private var count = 0

    mutating func begin(_ grant: Session.Grant, from address: String, at now: Date) -> String {
        sessions = sessions.filter { !$0.value.isOver(at: now) }
        makeRoom(for: grant)
        count += 1
        let identifier = AccessSecret.random()
        sessions[SecretDigest(of: identifier)] = Session(
            number: count, grant: grant, started: now, lastSeen: now, address: address)
        return identifier
    }

    /// Ends the least recently used session if there are too many.
    ///
    /// If the token that signs in has too many sessions, one of its own ends; otherwise one of the token that has the
    /// most. Nobody can sign others out by signing in repeatedly.
    private mutating func makeRoom(for grant: Session.Grant) {
        let byGrant = Dictionary(grouping: sessions) { $0.value.grant }
        let own = byGrant[grant] ?? []
        guard own.count >= Self.capacityOfOne || sessions.count >= Self.capacity else { return }
        let crowd = own.count >= Self.capacityOfOne ? own : byGrant.values.max { $0.count < $1.count } ?? []
        if let oldest = crowd.min(by: { $0.value.lastSeen < $1.value.lastSeen }) { sessions[oldest.key] = nil }
    }

    mutating func find(_ identifier: String, isUse: Bool = true, at now: Date) -> Session? {
        let digest = SecretDigest(of: identifier)
        guard var session = sessions[digest] else { return nil }
        guard !session.isOver(at: now) else {
            sessions[digest] = nil
            return nil
        }
        guard isUse else { return session }
        session.lastSeen = max(session.lastSeen, now)
        sessions[digest] = session
        return session
    }

    mutating func end(_ identifier: String) {
        sessions[SecretDigest(of: identifier)] = nil
    }

    mutating func end(where isMeant: (Session) -> Bool) -> Int {
        let before = sessions.count
        sessions = sessions.filter { !isMeant($0.value) }
        return before - sessions.count
    }

    func session(_ number: Int, at now: Date) -> Session? {
        sessions.values.first { $0.number == number && !$0.isOver(at: now) }
    }

    /// Newest first.
    func all(at now: Date) -> [Session] {
        sessions.values.filter { !$0.isOver(at: now) }.sorted { $0.number > $1.number }
    }
}

struct Session: Hashable, Sendable {
    enum Grant: Hashable, Sendable {
        case launch(SecretDigest)
        case token(name: String, digest: SecretDigest)

        var digest: SecretDigest {
            switch self {
            case .launch(let digest), .token(_, let digest): digest
            }
        }
    }

    /// Public, unlike the identifier.
    let number: Int
    let grant: Grant
    let started: Date
    var lastSeen: Date
    let address: String

    /// The longest time between requests, and in all.
    static let idle: TimeInterval = 8 * 3600, longest: TimeInterval = 24 * 3600

    func isOver(at now: Date) -> Bool {
        now.timeIntervalSince(lastSeen) >= Self.idle || now.timeIntervalSince(started) >= Self.longest
    }
}

/// Counts failed sign-ins, so that guessing neither fills the log nor keeps the server busy.
///
/// A right token is accepted even over the limit: otherwise failures from the owner's machine, or enough of them from
/// elsewhere, could lock the owner out. That is safe because 256 random bits can't be guessed.
struct SignInLimit: Sendable {
    /// The failures allowed within ``window``.
    static let perAddress = 10, inAll = 60
    /// In seconds.
    private static let window: TimeInterval = 60

    private var start = Date.distantPast
    /// At most ``inAll`` addresses: failures over the limit aren't counted.
    private var failures: [String: Int] = [:]
    private var total = 0

    /// Returns the seconds to wait; `nil` within the limit.
    mutating func fail(from address: String, at now: Date) -> Int? {
        if abs(now.timeIntervalSince(start)) >= Self.window { (start, failures, total) = (now, [:], 0) }
        guard total < Self.inAll, failures[address, default: 0] < Self.perAddress else {
            return max(1, Int((Self.window - abs(now.timeIntervalSince(start))).rounded(.up)))
        }
        total += 1
        failures[address, default: 0] += 1
        return nil
    }
}
