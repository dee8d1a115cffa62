import ArgumentParser
import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Flagboard
import Foundation

struct GitBlame: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blame", abstract: "List the commits that changed a flag, newest first.",
        discussion: """
            Prints one line per change: commit, time, author, flag, old and new value, subject. For a manifest, it \
            lists the fields of the definition. Uncommitted changes, and changes from before the file got its name, \
            are not included. A merge is listed if its result differs from both sides.
            """)

    @Argument(help: "A values file or manifest in a Git repository.", completion: .file())
    var file: String

    @Argument(help: "The key path of a flag or group (default: all flags).", completion: FlagCompletion.keys)
    var key: String?

    @ArgumentParser.Flag(help: "Print as JSON.")
    var json = false

    @OptionGroup var waiting: TimeoutOptions

    func validate() throws {
        if let key, FlagKeyPath(text: key) == nil {
            throw ValidationError("\"\(key)\" is not a valid key path. Write / or ~ inside a name as ~1 or ~0.")
        }
    }

    func run() async throws {
        let json = try json || FlagboardEnvironment.current.bool("JSON")
        try Git.reporting {
            let target = AtomicFile.target(of: URL(filePath: file))
            let git = try GitRepository(holding: target).git
            // A folder that is gone may still be in the repository.
            let log = try GitLog(of: try name(of: target), git)
            guard !log.commits.isEmpty else {
                throw PlainError(
                    "\(file) is not in any commit. Add and commit it, or use the name that it has in Git.")
            }
            var changes = FlagChangesInCommits(of: key.flatMap { FlagKeyPath(text: $0) }, try GitBlobs(git))
            var rows: [FlagChangesInCommits.Row] = []
            for commit in log.commits {
                let found = try changes.rows(commit, of: file)
                if json { rows += found } else { try found.forEach { try CommandOutput.print($0.line) } }
            }
            if json { try CommandOutput.print(FlagJSON.line(.array(rows.map(\.json)))) }
            if changes.isUnknown, let key {
                let likely = try changes.likelyKey(key, in: log.commits).map { " Did you mean \($0)?" } ?? ""
                CommandOutput.warn("\(ValueWords.text(key)) is not in any commit of \(file).\(likely)")
                throw ExitCode.noSuchFlag
            }
        }
    }

    /// Returns the file's name from the nearest existing folder.
    private func name(of target: URL) throws -> String {
        var (folder, name) = (target.deletingLastPathComponent(), target.lastPathComponent)
        while try AtomicFile.signature(of: folder) == nil, folder.path != "/" {
            name = "\(folder.lastPathComponent)/\(name)"
            folder.deleteLastPathComponent()
        }
        return name
    }
}
