import FlagChanges
import Foundation
import Synchronization

extension AccessControl {
    /// The open sessions, newest first.
    ///
    /// Omits sessions of named tokens while the tokens file can't be read: they admit no one.
    func sessions(at now: Date) -> [(session: Session, person: DashboardPerson)] {
        storage.withLock { $0.sessions.all(at: now) }.compactMap { session in
            switch Result(catching: { () throws(SignInError) in try person(of: session.grant, at: now) }) {
            case .success(let person?): (session, person)
            case .success(nil), .failure: nil
            }
        }
    }

    /// `lastUse` is of this run.
    func tokens() throws(KeptFileError) -> [(token: NamedToken, lastUse: Date?)] {
        let tokens = try tokensFile.tokens()
        return storage.withLock { storage in
            storage.lastUses = storage.lastUses.filter { use in tokens.contains { $0.digest == use.key } }
            return tokens.map { ($0, storage.lastUses[$0.digest]) }
        }
    }

    /// The name of the visitor's token; `nil` for another proof.
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

    func endSession(_ number: Int) -> Bool {
        storage.withLock { $0.sessions.end { $0.number == number } } > 0
    }

    /// Ends every session, and replaces the sign-in link, which may have leaked too.
    ///
    /// The new link is printed where the first one was, so that the operator isn't locked out.
    func endAllSessions() {
        // In this order, a session begun with the old link meanwhile is void too.
        launch?.replace()
        storage.withLock { _ = $0.sessions.end { _ in true } }
    }

    func revokeToken(_ name: String) async throws(KeptFileError) {
        try await tokensFile.revoke(name: name)
        storage.withLock { storage in
            _ = storage.sessions.end { session in
                if case .token(name, _) = session.grant { true } else { false }
            }
        }
    }
}
