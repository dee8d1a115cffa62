import FlagChanges
import Foundation
import Synchronization

extension AccessControl {
    /// The sessions that are not over, newest first, with whom they let in as things are now.
    ///
    /// Where the tokens can't be read, those that came from one let no person in, and are left out.
    func sessions(at now: Date) -> [(session: Session, person: DashboardPerson)] {
        storage.withLock { $0.sessions.all(at: now) }.compactMap { session in
            switch Result(catching: { () throws(SignInError) in try person(of: session.grant, at: now) }) {
            case .success(let person?): (session, person)
            case .success(nil), .failure: nil
            }
        }
    }

    /// The named tokens, each with the time when it was last used in this run.
    func tokens() throws(KeptFileError) -> [(token: NamedToken, lastUse: Date?)] {
        let tokens = try tokensFile.tokens()
        return storage.withLock { storage in
            storage.lastUses = storage.lastUses.filter { use in tokens.contains { $0.digest == use.key } }
            return tokens.map { ($0, storage.lastUses[$0.digest]) }
        }
    }

    /// The name of the token that a visitor is let in by; `nil` where it is another proof.
    func tokenName(of visitor: Visitor, at now: Date) -> String? {
        let grant: Session.Grant? =
            switch visitor.proof {
            case .open, .app: nil
            case .bearer(let grant): grant
            case .session(let number):
                storage.withLock { $0.sessions.all(at: now) }.first { $0.number == number }?.grant
            }
        guard case .token(let name, _)? = grant else { return nil }
        return name
    }

    /// Ends one session.
    func endSession(_ number: Int) -> Bool {
        storage.withLock { $0.sessions.end { $0.number == number } } > 0
    }

    /// Ends every session, and replaces the sign-in link.
    ///
    /// An admin who wants everybody out fears that a session or the link leaked, so the link must go too. The new one
    /// is told where the first one was, so that a person who may see that is not locked out.
    func endAllSessions() {
        // In this order: who signs in meanwhile by the old link gets a session that is void with it.
        launch?.replace()
        storage.withLock { _ = $0.sessions.end { _ in true } }
    }

    /// Removes a token; the sessions that came from it end.
    func revokeToken(_ name: String) async throws(KeptFileError) {
        try await tokensFile.revoke(name: name)
        storage.withLock { storage in
            _ = storage.sessions.end { session in
                if case .token(name, _) = session.grant { true } else { false }
            }
        }
    }
}
