import DurableFiles
import FlagHistory
import Foundation

extension FlagFiles {
    /// A file that Flagboard keeps, with what it is for, in words.
    public struct Use: Hashable, Sendable {
        /// What it is for, such as `the manifest`.
        public let name: String
        /// Where it is, or would be.
        public let url: URL
        /// How it is to be kept in a version control.
        public var versioning = Versioning.kept

        /// Whether both names lead to one file: the same name, or the same inode.
        fileprivate func isSameFile(as other: Use) throws(FileAccessError) -> Bool {
            if url.path(percentEncoded: false).utf8.elementsEqual(other.url.path(percentEncoded: false).utf8) {
                return true
            }
            guard let mine = try AtomicFile.signature(of: url), let theirs = try AtomicFile.signature(of: other.url)
            else { return false }
            return mine.identity == theirs.identity
        }
    }

    /// How a file is to be kept in a version control.
    public enum Versioning: Hashable, Sendable {
        /// With its versions.
        case kept
        /// Not at all: it is this machine's, or changes while it is copied.
        case local
        /// Not at all: who has it can sign as this machine does, or sign in.
        case secret
    }

    /// The files that must not be committed with the values, whether they are there yet or not.
    public var uncommitted: [Use] { uses.filter { $0.versioning != .kept } }

    /// Every file that Flagboard keeps for these, whether it is there yet or not.
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
            + [Use(name: "the manifest", url: manifestTarget)] + history + logs
            + [
                Use(name: "the file of the tokens", url: tokens, versioning: .secret),
                Use(name: "the file of the webhooks", url: webhooks, versioning: .secret),
                Use(name: "the state of the webhooks", url: webhooksState, versioning: .local),
                Use(name: "the file of the saved searches", url: searches),
            ]
            + exclusive.map {
                Use(name: "the lock of \($0.lastPathComponent)", url: ProcessLock.url(of: $0), versioning: .local)
            }
    }

    /// What a path is used for already: the file that it leads to, by any link, is not to be written as anything else.
    ///
    /// - Parameter url: The path, which need not exist.
    /// - Returns: `nil` where it is none of Flagboard's own files.
    /// - Throws: Where it can't be found out.
    public func use(of url: URL) throws(FileAccessError) -> Use? {
        let other = Use(name: "", url: Self.target(of: url))
        for use in uses where try use.isSameFile(as: other) { return use }
        return nil
    }

    /// Refuses files of which two are one.
    ///
    /// - Throws: ``ChangeServiceStartError`` that names both uses of the file.
    public func checkDistinct() throws(ChangeServiceStartError) {
        let uses = uses
        for (index, use) in uses.enumerated() {
            for other in uses[..<index] where try isSame(use, other) {
                throw .file(
                    use.url.path(percentEncoded: false), "\(other.name) and \(use.name) are this same file",
                    remedy: "Name each file once.")
            }
        }
    }

    private func isSame(_ use: Use, _ other: Use) throws(ChangeServiceStartError) -> Bool {
        do {
            return try use.isSameFile(as: other)
        } catch {
            throw .file(error.path, error.description, remedy: "Then start again.")
        }
    }
}
