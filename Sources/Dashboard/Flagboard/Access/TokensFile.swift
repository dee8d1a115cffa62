import DurableFiles
import FlagChanges
import FlagHistory
import Foundation

/// The file of the named tokens, written by the server and the command line.
///
/// It holds digests instead of secrets. It is its owner's alone, since anyone who can write it can sign in.
///
///     let (secret, token) = try await TokensFile(url).add(name: "ada", role: .editor, expires: nil, at: Date())
public final class TokensFile: Sendable {
    private struct Document: KeptFileDocument {
        var version = 1
        let tokens: [NamedToken]

        static let kind = KeptFileKind(
            "token", remedy: "Fix it, or choose another one with --tokens.",
            secrecy:
                "it controls who has access")
        static let empty: [NamedToken] = []

        init(_ content: [NamedToken]) { tokens = content }

        func content() throws(PlainError) -> [NamedToken] {
            if let name = tokens.firstDuplicate(of: \.name) {
                throw PlainError("two tokens have the name \(name)")
            }
            return tokens
        }
    }

    private let file: KeptFile<Document>

    /// The file may not exist yet.
    package var url: URL { file.url }

    /// Creates an accessor for the file at a URL, or for the target of a symbolic link there.
    public init(_ url: URL) { file = KeptFile(url) }

    /// Waits at most `patience` for other programs that write in the folder.
    package init(_ url: URL, patience: Duration) { file = KeptFile(url, patience: patience) }

    /// Oldest first; empty if there is no file.
    package func tokens() throws(KeptFileError) -> [NamedToken] { try file.content() }

    /// Returns the token with its secret, of which only the digest is stored.
    package func add(
        name: String, role: ChangeAuthor.Role, expires: Date?, at now: Date
    ) async throws(KeptFileError) -> (secret: String, token: NamedToken) {
        if let problem = NamedToken.problem(withName: name) { throw .refused(problem, .name) }
        let secret = AccessSecret.token()
        // The file stores whole seconds.
        func whole(_ date: Date) -> Date { Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)) }
        let token = NamedToken(
            name: name, role: role, created: whole(now), expires: expires.map(whole), digest: SecretDigest(of: secret))
        try await file.edit { (tokens) throws(KeptFileError) in
            guard !tokens.contains(where: { $0.name == name }) else {
                throw .refused(
                    "A token named “\(name)” already exists. Choose another name, or revoke it first.", .name)
            }
            return tokens + [token]
        }
        return (secret, token)
    }

    /// Throws if there is no such token.
    package func revoke(name: String) async throws(KeptFileError) {
        try await file.edit { (tokens) throws(KeptFileError) in
            guard tokens.contains(where: { $0.name == name }) else {
                throw .unknown("Token “\(name)” not found.")
            }
            return tokens.filter { $0.name != name }
        }
    }
}

extension TokensFile {
    enum Field: String {
        case name, role, expires
    }
}

extension KeptFileError {
    static func refused(_ problem: String, _ field: TokensFile.Field) -> KeptFileError {
        .refused(problem, field: field.rawValue)
    }
}
