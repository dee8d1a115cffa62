import DurableFiles
import FlagHistory
import Foundation

extension FlagFiles {
    package struct Use: Hashable, Sendable {
        /// The use, such as `the manifest`.
        package let name: String
        /// The file, which need not exist.
        package let url: URL
        package var versioning = Versioning.kept

        fileprivate func isSameFile(as other: Use) throws(FileAccessError) -> Bool {
            if url.path(percentEncoded: false).utf8.elementsEqual(other.url.path(percentEncoded: false).utf8) {
                return true
            }
            guard let mine = try AtomicFile.signature(of: url), let theirs = try AtomicFile.signature(of: other.url)
            else { return false }
            return mine.identity == theirs.identity
        }
    }

    package enum Versioning: Hashable, Sendable {
        case kept
        /// Ignored: it belongs to this machine, or changes while it is copied.
        case local
        /// Ignored: it lets others sign, or sign in, as this machine.
        case secret
    }

    /// The files that must not be committed with the values, existing or not.
    package var uncommitted: [Use] { uses.filter { $0.versioning != .kept } }

    private var uses: [Use] {
        let companions = SigningFiles(of: history)
        let history = [
            Use(name: "the history", url: history, versioning: .local),
            Use(name: "the history's signing key", url: companions.key, versioning: .secret),
            Use(name: "the history's checkpoints", url: companions.checkpoints, versioning: .local),
        ]
        let logs = ["-wal", "-shm", "-journal"].map { ending in
            Use(
                name: "the history's log",
                url: self.history.deletingLastPathComponent().appending(path: self.history.lastPathComponent + ending),
                versioning: .local)
        }
        return providers.map { Use(name: "the provider \($0.name)", url: $0.url) }
            + defaults.map { Use(name: "the provider \($0.name)", url: $0.url, versioning: .local) }
            + [Use(name: "the manifest", url: manifestTarget)] + history + logs
            + [
                Use(name: "the token file", url: Self.target(of: tokens), versioning: .secret),
                Use(name: "the webhooks file", url: webhooks, versioning: .secret),
                Use(name: "the webhook state file", url: webhooksState, versioning: .local),
                Use(name: "the saved searches file", url: searches),
            ]
            + exclusive.map {
                Use(name: "the lock of \($0.lastPathComponent)", url: ProcessLock.url(of: $0), versioning: .local)
            }
    }

    /// Finds Flagboard's own use of a file, which need not exist but must not be overwritten; follows links.
    package func use(of url: URL) throws(FileAccessError) -> Use? {
        let other = Use(name: "", url: Self.target(of: url))
        for use in uses where try use.isSameFile(as: other) { return use }
        return nil
    }

    package func checkDistinct() throws(ChangeServiceStartError) {
        let uses = uses
        for (index, use) in uses.enumerated() {
            for other in uses[..<index] where try isSame(use, other) {
                throw .file(
                    use.url.path(percentEncoded: false), "\(other.name) and \(use.name) are the same file",
                    remedy: "Use a different file for each.")
            }
        }
    }

    private func isSame(_ use: Use, _ other: Use) throws(ChangeServiceStartError) -> Bool {
        do {
            return try use.isSameFile(as: other)
        } catch {
            throw .file(error.path, error.description, remedy: "Fix this, then start again.")
        }
    }
}
