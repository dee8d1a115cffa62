import DurableFiles
import Foundation

/// A git repository with a work tree.
struct GitRepository {
    let git: GitProgram
    /// The uppermost folder of the work tree.
    let top: URL

    /// Finds the repository of a folder.
    init(of folder: URL) throws {
        let path = folder.path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw GitError("\(path): there is no such folder. Give a folder of a git repository.")
        }
        let git = try GitProgram(in: folder)
        let found = try git.run(["rev-parse", "--show-toplevel"])
        guard found.status == 0 else {
            let isBare = try git.run(["rev-parse", "--is-bare-repository"]).output.starts(with: "true".utf8)
            throw GitError(
                isBare
                    ? "\(path) is a bare repository, which has no files to work on. Use a clone of it."
                    : "\(path) is in no work tree of git (\(found.complaint)). Go to one, or make one with: git init")
        }
        // The path may hold line ends of its own.
        top = URL(filePath: String(decoding: found.output.dropLast(), as: UTF8.self), directoryHint: .isDirectory)
        self.git = git
    }

    /// Finds the repository of a file, which need not exist any more.
    init(holding file: URL) throws {
        var folder = file.deletingLastPathComponent()
        while try AtomicFile.signature(of: folder) == nil, folder.path != "/" { folder.deleteLastPathComponent() }
        try self.init(of: folder)
    }

    /// The path of a file from the uppermost folder; `nil` where it is not in there.
    func path(of file: URL) -> String? {
        let (file, top) = (AtomicFile.target(of: file).pathComponents, AtomicFile.target(of: top).pathComponents)
        guard file.starts(with: top), file.count > top.count else { return nil }
        return file.dropFirst(top.count).joined(separator: "/")
    }

    /// The value of a setting of the repository alone; `nil` where it has none.
    func setting(_ name: String) throws -> String? {
        let found = try git.run(["config", "--local", "--get", name])
        guard found.status != 1 else { return nil }
        guard found.status == 0 else { throw GitError("git config --get \(name) failed: \(found.complaint)") }
        return String(decoding: found.output.dropLast(), as: UTF8.self)
    }

    /// Makes a setting of the repository, or removes it.
    ///
    /// - Parameter value: What it is to say; `nil` removes it.
    /// - Throws: What git said where it failed.
    func set(_ name: String, to value: String?) throws {
        let change = value.map { ["--replace-all", name, $0] } ?? ["--unset-all", name]
        _ = try git.output(["config", "--local"] + change)
    }
}
