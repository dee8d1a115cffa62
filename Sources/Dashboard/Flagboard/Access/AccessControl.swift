import FlagChanges
import FlagHistory
import Foundation
import Synchronization

/// Knows who is let into a dashboard: tokens, sessions, and how often a sign-in failed.
public final class AccessControl: Sendable {
    let tokensFile: TokensFile
    let launch: LaunchToken?
    let log: @Sendable (String) -> Void
    let storage = Mutex(Storage())

    struct Storage {
        var sessions = Sessions()
        var limit = SignInLimit()
        /// When each named token was last used, in this run.
        var lastUses: [SecretDigest: Date] = [:]
        /// What was last logged of the file of tokens.
        var loggedFault: KeptFileError?
    }

    /// Makes it over a file of named tokens.
    ///
    /// - Parameters:
    ///   - tokensFile: The named tokens; changes of the file take effect at the next request.
    ///   - launch: The token of the sign-in link; `nil` where only named tokens let anybody in.
    ///   - log: Takes what an operator should know; it never holds a token.
    public init(
        tokensFile: TokensFile, launch: LaunchToken? = nil, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.tokensFile = tokensFile
        self.launch = launch
        self.log = log
    }

    /// Begins a session for a person who sends a token.
    ///
    /// - Parameters:
    ///   - isLink: Whether it came in the address of a link, where named tokens are not taken: addresses are kept and
    ///     passed on.
    ///   - previous: The identifiers of the sessions that the browser had; they end.
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

    /// Who sends a request with a token of its own.
    ///
    /// - Parameter address: The client's address, which is asked for only where the token is not right.
    func visitor(
        bearing secret: String, from address: @autoclosure () -> String, at now: Date
    ) throws(SignInError) -> Visitor {
        guard let (grant, person) = try holder(of: secret, isLink: false, at: now) else {
            throw failure(.wrongToken, from: address(), at: now)
        }
        note(grant, at: now)
        return Visitor(person: person, proof: .bearer(grant))
    }

    /// Who sends a request with these session identifiers; several come where another server of this machine has set a
    /// cookie of the same name.
    ///
    /// Where more than one leads to a session, another page may mean to have the person act in its own: none counts.
    ///
    /// - Parameter isUse: Whether a session is used by that, which keeps it from ending; a page that asks by itself uses none.
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

    /// Whether a person who was let in before still is, as the same person; asking is no use of a session.
    ///
    /// - Returns: `false` where the session is over, or the token is void or has another role.
    /// - Throws: ``SignInError`` where the tokens can't be read.
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

    /// Ends the sessions of a browser.
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
        // Each one is compared, so that the time does not tell which it was.
        let matching = try tokens().filter { $0.digest.matches(hash) }
        guard let token = matching.first, !token.isExpired(at: now) else { return nil }
        return (.token(name: token.name, digest: token.digest), DashboardPerson(name: token.name, role: token.role))
    }

    /// Whom a grant lets in as things are now; `nil` where the token was revoked or has expired.
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
        log("a sign-in from \(address) failed: the token is not right")
        return refusal
    }
}

/// Why a person is not let in.
enum SignInError: Error, Hashable, Sendable {
    /// Nothing proves who sends the request.
    case missing
    /// The session is over, or was never.
    case ended
    /// The token is none, or none any more.
    case wrongToken
    /// The token of a link is none, or none any more.
    case wrongLink
    /// Too many tokens were wrong; seconds to wait.
    case tooMany(retryAfter: Int)
    /// The tokens can't be read now.
    case unavailable
}
