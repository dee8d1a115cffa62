import DurableFiles
import FlagChanges
import FlagHistory
import Foundation

/// The file of the named tokens, which the server reads and, like the command line, writes.
///
/// It holds names, roles and digests, no token. It must be its owner's alone: a person who writes it can sign in.
///
///     let (secret, token) = try await TokensFile(url).add(name: "ada", role: .editor, expires: nil, at: Date())
public final class TokensFile: Sendable {
    private struct Document: KeptFileDocument {
        var version = 1
        let tokens: [NamedToken]

        static let kind = KeptFileKind(
            "of tokens", remedy: "Correct it, or name another one with --tokens.", secrecy: "it says who is let in")
        static let empty: [NamedToken] = []

        init(_ content: [NamedToken]) { tokens = content }

        func content() throws(KeptDocumentError) -> [NamedToken] {
            if let name = tokens.firstDuplicate(of: \.name) {
                throw KeptDocumentError(fault: "two tokens have the name \(name)")
            }
            return tokens
        }
    }

    private let file: KeptFile<Document>

    /// Where the file is, or will be.
    package var url: URL { file.url }

    /// Creates an accessor for the file at a URL, or for the target of a symbolic link there.
    public init(_ url: URL) { file = KeptFile(url) }

    /// Creates an accessor whose changes wait at most `patience` for other programs that write in the folder.
    package init(_ url: URL, patience: Duration) { file = KeptFile(url, patience: patience) }

    /// The tokens as the file holds them now, in the order in which they were made; none where there is no file.
    ///
    /// - Throws: ``KeptFileError`` where the file can't be read, is open to others, or is no file of tokens.
    package func tokens() throws(KeptFileError) -> [NamedToken] { try file.content() }

    /// Makes a token and keeps its digest.
    ///
    /// - Parameters:
    ///   - name: The name, which no other token may have.
    ///   - role: What its holder may do.
    ///   - expires: From when on it is void; `nil` for never.
    ///   - now: The time that it is.
    /// - Returns: The token, which can't be had a second time, and what is kept of it.
    /// - Throws: ``KeptFileError`` where the name can't be, or the file can't be written; no token is made then.
    package func add(
        name: String, role: ChangeAuthor.Role, expires: Date?, at now: Date
    ) async throws(KeptFileError) -> (secret: String, token: NamedToken) {
        if let problem = NamedToken.problem(withName: name) { throw .refused(problem, .name) }
        let secret = AccessSecret.token()
        // The file keeps whole seconds.
        func whole(_ date: Date) -> Date { Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)) }
        let token = NamedToken(
            name: name, role: role, created: whole(now), expires: expires.map(whole), digest: SecretDigest(of: secret))
        try await file.edit { (tokens) throws(KeptFileError) in
            guard !tokens.contains(where: { $0.name == name }) else {
                throw .refused(
                    "There is a token of the name \(name): choose another name, or revoke that one first.", .name)
            }
            return tokens + [token]
        }
        return (secret, token)
    }

    /// Removes a token, which lets no person in any more.
    ///
    /// - Parameter name: The token's name.
    /// - Throws: ``KeptFileError`` where there is no such token, or the file can't be written.
    package func revoke(name: String) async throws(KeptFileError) {
        try await file.edit { (tokens) throws(KeptFileError) in
            guard tokens.contains(where: { $0.name == name }) else {
                throw .unknown("There is no token of the name \(name).")
            }
            return tokens.filter { $0.name != name }
        }
    }
}

extension TokensFile {
    /// What a request to make a token gives.
    enum Field: String {
        case name, role, expires
    }
}

extension KeptFileError {
    /// A token that can't be made, and which part of the request is at fault.
    static func refused(_ problem: String, _ field: TokensFile.Field) -> KeptFileError {
        .refused(problem, field: field.rawValue)
    }
}
