import DurableFiles
import Foundation

/// The lines of `.gitattributes` that send files to Flagboard's merge driver and its text.
struct GitAttributes {
    /// What stands behind the pattern of each such line.
    private static let attributes = "merge=flagboard diff=flagboard"
    /// More is no file of attributes: git itself reads no larger one.
    private static let maximumSize = 100 * 1024 * 1024

    /// The file.
    let url: URL

    /// - Parameter top: The uppermost folder of the work tree.
    init(in top: URL) {
        url = top.appending(path: ".gitattributes")
    }

    /// The pattern that means a file and no other.
    ///
    /// - Parameter path: Its path from the uppermost folder.
    /// - Returns: The pattern, in quotes where git asks for them.
    static func pattern(_ path: String) -> String {
        var pattern = "/"
        for scalar in path.unicodeScalars {
            if "*?[\\".unicodeScalars.contains(scalar) { pattern += "\\" }
            pattern.unicodeScalars.append(scalar)
        }
        let isPlain = pattern.unicodeScalars.allSatisfy { $0 > " " && $0 != "\"" && $0 != "\u{7F}" }
        return isPlain ? pattern : quoted(pattern)
    }

    /// A text in quotes as C has them.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += "\\" + String(UnicodeScalar(byte))
            case 0..<0x20, 0x7F...:
                let digits = String(byte, radix: 8)
                quoted += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            default: quoted.unicodeScalars.append(UnicodeScalar(byte))
            }
        }
        return quoted + "\""
    }

    /// Adds the line of each pattern that has none.
    ///
    /// - Parameter patterns: The patterns.
    /// - Returns: Those that had none.
    /// - Throws: Where the file can't be read or written.
    func add(_ patterns: [String]) throws -> [String] {
        var added: [String] = []
        try edit { lines in
            let known = Set(lines.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
            added = patterns.filter { !known.contains(Self.line($0)) }
            lines += added.map(Self.line)
        }
        return added
    }

    /// Removes the lines that ``add(_:)`` makes.
    ///
    /// - Returns: How many there were, and the other lines that name Flagboard's driver, which stay.
    /// - Throws: Where the file can't be read or written.
    func remove() throws -> (removed: Int, others: [String]) {
        var (removed, others): (Int, [String]) = (0, [])
        try edit { lines in
            let count = lines.count
            lines.removeAll { line in
                let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
                return line.hasSuffix(" \(Self.attributes)") && !line.hasPrefix("#")
            }
            removed = count - lines.count
            others = lines.filter { !$0.hasPrefix("#") && $0.contains("=flagboard") }
        }
        return (removed, others)
    }

    private static func line(_ pattern: String) -> String { "\(pattern) \(attributes)" }

    /// Edits the lines of the file; one that is left without any is removed.
    private func edit(_ change: (inout [String]) throws -> Void) throws {
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
