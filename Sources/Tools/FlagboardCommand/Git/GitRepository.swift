import DurableFiles
import Foundation

struct GitRepository {
    let git: GitProgram
    /// The top folder of the work tree.
    let top: URL

    init(of folder: URL) throws {
        let path = folder.path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw PlainError("The folder \(path) doesn't exist. Specify a folder in a Git repository.")
        }
        let git = try GitProgram(in: folder)
        let found = try git.run(["rev-parse", "--show-toplevel"])
        guard found.status == 0 else {
            let isBare = try git.run(["rev-parse", "--is-bare-repository"]).output.starts(with: "true".utf8)
            throw PlainError(
                isBare
                    ? "\(path) is a bare repository without working files. Use a clone of it."
                    : "\(path) is not in a Git work tree (\(found.complaint)). Change to one, or create one with git "
                        + "init.")
        }
        // The path may hold line ends of its own.
        top = URL(filePath: String(decoding: found.output.dropLast(), as: UTF8.self), directoryHint: .isDirectory)
        self.git = git
    }

    /// `file` need not exist any more.
    init(holding file: URL) throws {
        var folder = file.deletingLastPathComponent()
        while try AtomicFile.signature(of: folder) == nil, folder.path != "/" { folder.deleteLastPathComponent() }
        try self.init(of: folder)
    }

    /// Returns a file's path from the top folder; `nil` if it is outside.
    func path(of file: URL) -> String? {
        let (file, top) = (AtomicFile.target(of: file).pathComponents, AtomicFile.target(of: top).pathComponents)
        guard file.starts(with: top), file.count > top.count else { return nil }
        return file.dropFirst(top.count).joined(separator: "/")
    }

    /// Returns a setting of the repository alone; `nil` if it has none.
    func setting(_ name: String) throws -> String? {
        let found = try git.run(["config", "--local", "--get", name])
        guard found.status != 1 else { return nil }
        guard found.status == 0 else { throw PlainError("git config --get \(name) failed: \(found.complaint)") }
        return String(decoding: found.output.dropLast(), as: UTF8.self)
    }

    /// `nil` removes the setting.
    func set(_ name: String, to value: String?) throws {
        let change = value.map { ["--replace-all", name, $0] } ?? ["--unset-all", name]
        _ = try git.output(["config", "--local"] + change)
    }
}

/// A file of lines at the top of a work tree, such as `.gitattributes`.
struct GitLinesFile {
    /// In bytes; git itself reads no larger one.
    private static let maximumSize = 100 * 1024 * 1024

    let url: URL

    /// Removes the file if no lines are left.
    func edit(_ change: (inout [String]) throws -> Void) throws {
        let target = AtomicFile.target(of: url)
        try FolderLock.take(beside: target) { Result { try self.edit(target, change) } }.get()
    }

    private func edit(_ target: URL, _ change: (inout [String]) throws -> Void) throws {
        while true {
            let before = try AtomicFile.readIfThere(target, maximumSize: Self.maximumSize)
            let text = String(decoding: before?.data ?? Data(), as: UTF8.self)
            guard Data(text.utf8) == before?.data ?? Data() else {
                throw PlainError(
                    "\(url.path(percentEncoded: false)) is not UTF-8, so nothing was changed. Add the lines yourself.")
            }
            // Line ends stay, so a line may end with a carriage return.
            var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            let old = lines
            if lines.last == "" { lines.removeLast() }
            let end = lines.first?.utf8.last == UInt8(ascii: "\r") ? "\r" : ""
            let count = lines.count
            try change(&lines)
            if lines.count > count {
                for index in lines.indices[count...] { lines[index] += end }
                lines.append("")
            } else if old.last == "" {
                lines.append("")
            }
            guard lines != old else { return }
            let new = Data(lines.joined(separator: "\n").utf8)
            if new.isEmpty {
                try AtomicFile.remove(target)
            } else if try !FileReplacement.replace(target, ifStill: before?.signature, with: new) {
                continue
            }
            return try AtomicFile.synchronizeFolder(of: target)
        }
    }
}
