import Foundation

/// The lines of `.gitattributes` that name Flagboard's merge driver and textconv.
struct GitAttributes {
    private static let attributes = "merge=flagboard diff=flagboard"

    private let file: GitLinesFile

    init(in top: URL) { file = GitLinesFile(url: top.appending(path: ".gitattributes")) }

    /// Returns the pattern of exactly one file, quoted if git requires it.
    static func pattern(_ path: String) -> String {
        var pattern = "/"
        for scalar in path.unicodeScalars {
            if "*?[\\".unicodeScalars.contains(scalar) { pattern += "\\" }
            pattern.unicodeScalars.append(scalar)
        }
        let isPlain = pattern.unicodeScalars.allSatisfy { $0 > " " && $0 != "\"" && $0 != "\u{7F}" }
        return isPlain ? pattern : quoted(pattern)
    }

    /// Quotes a text as in C.
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

    func add(_ patterns: [String]) throws -> [String] {
        var added: [String] = []
        try file.edit { lines in
            let known = Set(lines.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
            added = patterns.filter { !known.contains(Self.line($0)) }
            lines += added.map(Self.line)
        }
        return added
    }

    /// Removes the lines of ``add(_:)``, and returns other lines that name Flagboard.
    func remove() throws -> (removed: Int, others: [String]) {
        var (removed, others): (Int, [String]) = (0, [])
        try file.edit { lines in
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
}
