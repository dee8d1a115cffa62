import FeatureFlagsXML
import Foundation
import Synchronization

/// The file of the named tokens, which the server reads and, like the command line, writes.
///
/// It holds names, roles and digests, no token. It must be its owner's alone: whoever writes it lets himself in.
public final class TokensFile: Sendable {
    /// Where the file is, or will be.
    public let url: URL
    /// How long a change of it waits for other programs that write in its folder.
    let patience: Duration
    private let seen = Mutex<Seen?>(nil)

    /// What was last read, and the state of the file that it was read in.
    private struct Seen {
        let signature: AtomicFile.Signature
        let tokens: [NamedToken]
    }

    /// The most bytes that are read: some 10,000 tokens.
    static let maximumSize = 2 * 1024 * 1024

    /// Names the file; a symbolic link stands for what it leads to.
    public convenience init(_ url: URL) {
        self.init(url, patience: .seconds(FolderLock.patience))
    }

    init(_ url: URL, patience: Duration) {
        self.url = AtomicFile.target(of: url)
        self.patience = patience
    }

    /// The tokens as the file holds them now, in the order in which they were made; none where there is no file.
    ///
    /// - Throws: ``TokensFileError`` where the file can't be read, is open to others, or is no file of tokens.
    public func tokens() throws(TokensFileError) -> [NamedToken] {
        do throws(FileAccessError) {
            guard let signature = try AtomicFile.signature(of: url) else { return [] }
            if let known = seen.withLock({ $0 }), known.signature == signature, Self.isSettled(signature) {
                return known.tokens
            }
        } catch {
            throw .file(error)
        }
        guard let read = try read() else { return [] }
        seen.withLock { $0 = read }
        return read.tokens
    }

    /// Whether the file was left alone for so long that a later change must show in its signature, however coarse the
    /// file system's clock is.
    private static func isSettled(_ signature: AtomicFile.Signature) -> Bool {
        let now = Int128(Date().timeIntervalSince1970 * 1_000_000_000)
        return now - max(signature.modified, signature.changed) > 2_000_000_000
    }

    private func read() throws(TokensFileError) -> Seen? {
        let path = url.path(percentEncoded: false)
        let contents: AtomicFile.Contents
        do throws(FileAccessError) {
            contents = try AtomicFile.read(url, maximumSize: Self.maximumSize)
        } catch {
            if error.isMissing { return nil }
            throw .file(error)
        }
        guard contents.signature.mode & 0o077 == 0 else { throw .open(path, mode: contents.signature.mode) }
        return Seen(signature: contents.signature, tokens: try TokensText.decode(contents.data, path: path))
    }
}
