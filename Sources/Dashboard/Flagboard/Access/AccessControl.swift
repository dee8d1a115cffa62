import FlagChanges
import FlagHistory
import Foundation
import Synchronization

/// Authenticates people and programs by tokens and sessions, and limits failed sign-ins.
public final class AccessControl: Sendable {
    let tokensFile: TokensFile
    let launch: LaunchToken?
    /// The start of this run, in whole seconds: uses of tokens before are unknown.
    let started: Date
    let log: @Sendable (String) -> Void
    let storage = Mutex(Storage())

    struct Storage {
        var sessions = Sessions()
        var limit = SignInLimit()
        /// In this run.
        var lastUses: [SecretDigest: Date] = [:]
        /// Kept so that a fault is logged once.
        var loggedFault: KeptFileError?
    }

    /// Creates an access control over a file of named tokens.
    ///
    /// - Parameters:
    ///   - tokensFile: The named tokens. A change of the file takes effect at the next request.
    ///   - launch: The token of the sign-in link. `nil` if only named tokens give access.
    ///   - started: The start of this run. Uses of tokens are known since then.
    ///   - log: Receives messages for operators, which never contain a token.
    public init(
        tokensFile: TokensFile, launch: LaunchToken? = nil, started: Date = Date(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.tokensFile = tokensFile
        self.launch = launch
        self.started = Date(timeIntervalSince1970: started.timeIntervalSince1970.rounded(.down))
        self.log = log
    }

    /// Begins a session for a token, and ends the browser's `previous` sessions.
    ///
    /// Refuses named tokens in links: a program that previews a link must not begin a session, and no one may sign in
    /// another person. ``invited(by:at:)`` finds whom to ask.
    func signIn(
        with secret: String, isLink: Bool, from address: String, replacing previous: [String], at now: Date
    ) throws(SignInError) -> String {
        guard let grant = try holder(of: secret, isLink: isLink, at: now)?.grant else {
            throw failure(isLink ? .wrongLink : .wrongToken, from: address, at: now)
        }
        note(grant, at: now)
        return storage.withLock { storage in
            for identifier in previous { storage.sessions.end(identifier) }
            return storage.sessions.begin(grant, from: address, at: now)
        }
    }

    /// Returns the person of a named token in a sign-in link, or of the printed link if that counts; `nil` for any other
    /// text.
    func invited(
        by secret: String, withPrinted isPrintedCounted: Bool = false, at now: Date
    ) throws(SignInError) -> DashboardPerson? {
        guard let (grant, person) = try holder(of: secret, isLink: false, at: now) else { return nil }
        if case .launch = grant, !isPrintedCounted { return nil }
        return person
    }

    func visitor(
        bearing secret: String, from address: @autoclosure () -> String, at now: Date
    ) throws(SignInError) -> Visitor {
        guard let (grant, person) = try holder(of: secret, isLink: false, at: now) else {
            throw failure(.wrongToken, from: address(), at: now)
        }
        note(grant, at: now)
        return Visitor(person: person, proof: .bearer(grant))
    }

    func visitor(
        holding ticket: StreamTicket, from address: @autoclosure () -> String, at now: Date
    ) throws(SignInError) -> Visitor {
        var grants = try tokens().map { Session.Grant.token(name: $0.name, digest: $0.digest) }
        if let digest = launch?.current { grants.append(.launch(digest)) }
        // Compares all, as for a token.
        guard let grant = grants.filter(ticket.isOf).first, let person = try person(of: grant, at: now) else {
            throw failure(.wrongToken, from: address(), at: now)
        }
        return Visitor(person: person, proof: .bearer(grant))
    }

    /// Authenticates a request by its session cookies.
    ///
    /// There may be several: another server on this machine can set a cookie of the same name. If more than one is
    /// valid, none counts: a page may be trying to make the person act in its own session. Requests that a page repeats
    /// by itself are no use of the session, and don't restart its idle time.
    func visitor(
        withSessions identifiers: [String], isUse: Bool = true, at now: Date
    ) throws(SignInError) -> Visitor {
        guard !identifiers.isEmpty else { throw .missing }
        let found = storage.withLock { storage in
            Set(identifiers).compactMap { storage.sessions.find($0, isUse: isUse, at: now) }
        }
        guard let session = found.first, found.count == 1 else { throw .ended }
        guard let person = try person(of: session.grant, at: now) else {
            storage.withLock { _ = $0.sessions.end { $0.grant == session.grant } }
            throw .ended
        }
        if isUse { note(session.grant, at: now) }
        return Visitor(person: person, proof: .session(session.number))
    }

    /// Checks that the proof is still valid for the same person and role, without using the session.
    func stillLetsIn(_ visitor: Visitor, at now: Date) throws(SignInError) -> Bool {
        let grant: Session.Grant?
        switch visitor.proof {
        case .open, .app: return false
        case .bearer(let held): grant = held
        case .session(let number): grant = storage.withLock { $0.sessions.session(number, at: now)?.grant }
        }
        guard let grant else { return false }
        return try person(of: grant, at: now) == visitor.person
    }

    private func note(_ grant: Session.Grant, at now: Date) {
        guard case .token(_, let digest) = grant else { return }
        storage.withLock { $0.lastUses[digest] = now }
    }

    func signOut(_ identifiers: [String]) {
        storage.withLock { storage in
            for identifier in identifiers { storage.sessions.end(identifier) }
        }
    }

    private func holder(
        of secret: String, isLink: Bool, at now: Date
    ) throws(SignInError) -> (grant: Session.Grant, person: DashboardPerson)? {
        let hash = SecretHash(of: secret)
        if let launch, let digest = launch.digest(of: hash) { return (.launch(digest), launch.person) }
        guard !isLink else { return nil }
        // Compares all, so that timing doesn't reveal which one matched.
        let matching = try tokens().filter { $0.digest.matches(hash) }
        guard let token = matching.first, !token.isExpired(at: now) else { return nil }
        return (.token(name: token.name, digest: token.digest), DashboardPerson(name: token.name, role: token.role))
    }

    /// `nil` for a revoked or expired token.
    func person(of grant: Session.Grant, at now: Date) throws(SignInError) -> DashboardPerson? {
        switch grant {
        case .launch(let digest): return launch.flatMap { $0.isCurrent(digest) ? $0.person : nil }
        case .token(let name, let digest):
            let known = try tokens().first { $0.name == name && $0.digest == digest }
            guard let token = known, !token.isExpired(at: now) else { return nil }
            return DashboardPerson(name: token.name, role: token.role)
        }
    }

    private func tokens() throws(SignInError) -> [NamedToken] {
        do throws(KeptFileError) {
            let tokens = try tokensFile.tokens()
            storage.withLock { $0.loggedFault = nil }
            return tokens
        } catch {
            let isNew = storage.withLock { storage in
                defer { storage.loggedFault = error }
                return storage.loggedFault != error
            }
            if isNew { log(error.description) }
            throw .unavailable
        }
    }

    private func failure(_ refusal: SignInError, from address: String, at now: Date) -> SignInError {
        if let wait = storage.withLock({ $0.limit.fail(from: address, at: now) }) { return .tooMany(retryAfter: wait) }
        log("failed sign-in from \(address): invalid token")
        return refusal
    }
}

enum SignInError: Error, Hashable, Sendable {
    case missing
    /// The session has ended or is unknown.
    case ended
    /// The token is unknown, revoked or expired.
    case wrongToken
    /// The link's token is unknown or replaced.
    case wrongLink
    /// The time is in seconds.
    case tooMany(retryAfter: Int)
    case unavailable
}
