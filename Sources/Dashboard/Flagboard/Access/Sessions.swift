import FlagHistory
import Foundation

/// The sessions of this run; a restart signs everybody out.
struct Sessions: Sendable {
    /// How many there are at most.
    static let capacity = 1000
    /// How many there are at most of one token, or of the link.
    static let capacityOfOne = 100

    /// By the digest of the identifier in the cookie.
    ///
    /// A lookup may tell by its time how the digest of what was sent
    /// begins, which says nothing about any identifier.
    private var sessions: [SecretDigest: Session] = [:]
    private var count = 0

    /// Begins a session.
    mutating func begin(_ grant: Session.Grant, from address: String, at now: Date) -> String {
        sessions = sessions.filter { !$0.value.isOver(at: now) }
        makeRoom(for: grant)
        count += 1
        let identifier = AccessSecret.random()
        sessions[SecretDigest(of: identifier)] = Session(
            number: count, grant: grant, started: now, lastSeen: now, address: address)
        return identifier
    }

    /// Ends a session that was seen longest ago, where there are too many: one of the same token, or else of the token that
    /// has the most, so that a person can't sign others out by signing in again and again.
    private mutating func makeRoom(for grant: Session.Grant) {
        let byGrant = Dictionary(grouping: sessions) { $0.value.grant }
        let own = byGrant[grant] ?? []
        guard own.count >= Self.capacityOfOne || sessions.count >= Self.capacity else { return }
        let crowd = own.count >= Self.capacityOfOne ? own : byGrant.values.max { $0.count < $1.count } ?? []
        if let oldest = crowd.min(by: { $0.value.lastSeen < $1.value.lastSeen }) { sessions[oldest.key] = nil }
    }

    /// The session of an identifier, which is seen by that where it is a use of it.
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

    /// Ends the sessions that meet a condition.
    mutating func end(where isMeant: (Session) -> Bool) -> Int {
        let before = sessions.count
        sessions = sessions.filter { !isMeant($0.value) }
        return before - sessions.count
    }

    /// The session of a number, unless it is over.
    func session(_ number: Int, at now: Date) -> Session? {
        sessions.values.first { $0.number == number && !$0.isOver(at: now) }
    }

    /// The sessions that are not over, newest first.
    func all(at now: Date) -> [Session] {
        sessions.values.filter { !$0.isOver(at: now) }.sorted { $0.number > $1.number }
    }
}

/// A time during which a browser is let in by its cookie.
struct Session: Hashable, Sendable {
    /// By what the person is let in.
    enum Grant: Hashable, Sendable {
        /// The token of the sign-in link.
        case launch(SecretDigest)
        /// A named token.
        case token(name: String, digest: SecretDigest)
    }

    /// What the pages call it by, which is no secret.
    let number: Int
    let grant: Grant
    let started: Date
    var lastSeen: Date
    /// Where it was begun from.
    let address: String

    /// How long it lasts without a request, and at most.
    static let idle: TimeInterval = 8 * 3600, longest: TimeInterval = 24 * 3600

    func isOver(at now: Date) -> Bool {
        now.timeIntervalSince(lastSeen) >= Self.idle || now.timeIntervalSince(started) >= Self.longest
    }
}

/// Counts sign-ins that fail, so that guessing neither fills the log nor keeps the server busy.
///
/// A client over the limit is told to wait, but a right token is taken at any time: else one that sends requests from the
/// owner's machine, or enough of them from anywhere, would lock the owner out. Nothing is lost by it, since a token is 256
/// random bits, which no number of guesses finds.
struct SignInLimit: Sendable {
    /// How many may fail within ``window``: from one address, and from all together.
    static let perAddress = 10, inAll = 60
    /// In seconds.
    private static let window: TimeInterval = 60

    private var start = Date.distantPast
    /// No more addresses than ``inAll``, since what is over the limit is not counted.
    private var failures: [String: Int] = [:]
    private var total = 0

    /// Counts a failure.
    ///
    /// - Returns: How long to wait, in seconds, where this is one too many; `nil` where it is not.
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
