import DurableFiles
import Foundation

/// A file of lines at the top of a work tree that git reads, such as `.gitattributes`.
struct GitLinesFile {
    /// More is no file of that kind: git itself reads no larger one.
    private static let maximumSize = 100 * 1024 * 1024

    let url: URL

    /// Edits the lines of the file; one that is left without any is removed.
    func edit(_ change: (inout [String]) throws -> Void) throws {
        let target = AtomicFile.target(of: url)
        try FolderLock.take(beside: target) { Result { try self.edit(target, change) } }.get()
    }

    private func edit(_ target: URL, _ change: (inout [String]) throws -> Void) throws {
        while true {
            let before = try AtomicFile.readIfThere(target, maximumSize: Self.maximumSize)
            let text = String(decoding: before?.data ?? Data(), as: UTF8.self)
            guard Data(text.utf8) == before?.data ?? Data() else {
                throw GitError(
                    "\(url.path(percentEncoded: false)) is not UTF-8: nothing was changed. Add the lines yourself.")
            }
            // Line ends stay as they are, so a line may end in half of one.
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
