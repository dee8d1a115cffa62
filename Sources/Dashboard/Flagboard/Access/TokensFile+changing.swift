import DurableFiles
import FlagChanges
import FlagHistory
import Foundation

extension TokensFile {
    /// Makes a token and keeps its digest.
    ///
    /// - Parameters:
    ///   - name: The name, which no other token may have.
    ///   - role: What its holder may do.
    ///   - expires: From when on it is void; `nil` for never.
    ///   - now: The time that it is.
    /// - Returns: The token, which can't be had a second time, and what is kept of it.
    /// - Throws: ``TokensFileError`` where the name can't be, or the file can't be written; no token is made then.
    public func add(
        name: String, role: ChangeAuthor.Role, expires: Date?, at now: Date
    ) async throws(TokensFileError) -> (secret: String, token: NamedToken) {
        if let problem = NamedToken.problem(withName: name) { throw .notKept(problem, .name) }
        let secret = AccessSecret.token()
        // The file keeps whole seconds.
        func whole(_ date: Date) -> Date { Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)) }
        let token = NamedToken(
            name: name, role: role, created: whole(now), expires: expires.map(whole), digest: SecretDigest(of: secret))
        try await edit { (tokens) throws(TokensFileError) in
            guard !tokens.contains(where: { $0.name == name }) else {
                throw .notKept(
                    "There is a token of the name \(name): choose another name, or revoke that one first.", .name)
            }
            return tokens + [token]
        }
        return (secret, token)
    }

    /// Removes a token, which lets no person in any more.
    ///
    /// - Parameter name: The token's name.
    /// - Throws: ``TokensFileError`` where there is no such token, or the file can't be written.
    public func revoke(name: String) async throws(TokensFileError) {
        try await edit { (tokens) throws(TokensFileError) in
            guard tokens.contains(where: { $0.name == name }) else {
                throw .notKept("There is no token of the name \(name).")
            }
            return tokens.filter { $0.name != name }
        }
    }

    /// Replaces what the file holds while no other process does so, durable before it returns.
    private func edit(
        _ change: ([NamedToken]) throws(TokensFileError) -> [NamedToken]
    ) async throws(TokensFileError) {
        let turn: FolderLock.Held
        do throws(FileAccessError) {
            turn = try await FolderLock.take(beside: [url], until: .now + patience)
        } catch {
            throw .file(error)
        }
        let result = Result { () throws(TokensFileError) in try write(try change(try tokens())) }
        turn.end()
        try result.get()
    }

    private func write(_ tokens: [NamedToken]) throws(TokensFileError) {
        do {
            try AtomicFile.replace(url, with: try TokensText.encode(tokens), mode: 0o600)
        } catch let error as FileAccessError {
            throw .file(error)
        } catch {
            throw .malformed(url.path(percentEncoded: false), "\(error)")
        }
    }
}
