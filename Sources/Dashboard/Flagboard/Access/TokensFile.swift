import DurableFiles
import FlagChanges
import Foundation
import Synchronization

/// The file of the named tokens, which the server reads and, like the command line, writes.
///
/// It holds names, roles and digests, no token. It must be its owner's alone: a person who writes it can sign in.
public final class TokensFile: Sendable {
    /// Where the file is, or will be.
    public let url: URL
    private let path: String
    /// How long a change of it waits for other programs that write in its folder.
    let patience: Duration
    private let seen = Mutex<Seen?>(nil)

    /// What was last read of the file.
    private struct Seen {
        let contents: AtomicFile.Contents
        let tokens: [NamedToken]
    }

    /// The most bytes that are read: some 10,000 tokens.
    static let maximumSize = FlagFiles.maximumKeptSize

    /// Names the file; a symbolic link stands for what it leads to.
    public convenience init(_ url: URL) {
        self.init(url, patience: .seconds(FolderLock.patience))
    }

    /// Names the file, with the longest wait of a change for other programs that write in its folder.
    package init(_ url: URL, patience: Duration) {
        self.url = AtomicFile.target(of: url)
        path = self.url.path(percentEncoded: false)
        self.patience = patience
    }

    /// The tokens as the file holds them now, in the order in which they were made; none where there is no file.
    ///
    /// - Throws: ``TokensFileError`` where the file can't be read, is open to others, or is no file of tokens.
    public func tokens() throws(TokensFileError) -> [NamedToken] {
        let contents: AtomicFile.Contents
        do throws(FileAccessError) {
            if let known = seen.withLock(\.self), known.contents.isSettled,
                AtomicFile.look(atPath: path) == known.contents.signature
            {
                return known.tokens
            }
            guard let read = try AtomicFile.readIfThere(url, maximumSize: Self.maximumSize) else { return [] }
            contents = read
        } catch {
            throw .file(error)
        }
        guard contents.signature.mode & 0o077 == 0 else { throw .open(path, mode: contents.signature.mode) }
        let tokens = try TokensText.decode(contents.data, path: path)
        seen.withLock { $0 = Seen(contents: contents, tokens: tokens) }
        return tokens
    }
}
