import FlagChanges
import FlagHistory
import Foundation

/// Keeps keys, tokens, the history and locks out of commits.
struct GitIgnore {
    /// A comment above the lines, by which they are found again.
    private static let remark = "# Flagboard's own files. Don't commit them (flagboard git install):"

    private let file: GitLinesFile

    init(in top: URL) { file = GitLinesFile(url: top.appending(path: ".gitignore")) }

    /// The patterns beside files of the usual names, in every folder.
    static var everywhere: [String] { names(beside: FlagFiles(values: URL(filePath: "/flags.xml"))) }

    /// Empty if the file is outside the work tree.
    static func patterns(beside files: FlagFiles, _ repository: GitRepository) -> [String] {
        guard let path = repository.path(of: files.values) else { return [] }
        let folder = path.split(separator: "/").dropLast().map { escaped(String($0)) + "/" }.joined()
        return names(beside: files).map { "/\(folder)\($0)" }
    }

    private static func names(beside files: FlagFiles) -> [String] {
        let names = files.uncommitted.map { escaped($0.url.lastPathComponent) }
        let companions = SigningFiles(of: files.history)
        let replaced = [files.values, files.manifest].map { "\(escaped($0.lastPathComponent)).overwritten-*" }
        // Archives of the history, checkpoints that were put aside, and files that another program replaced meanwhile.
        return names + [
            "\(escaped(companions.stem)).*-*.jsonl", "\(escaped(companions.checkpoints.lastPathComponent)).before-*",
        ] + replaced + [".\(escaped(files.values.deletingPathExtension().lastPathComponent)).*.tmp"]
    }

    /// Escapes a name; control characters become wildcards.
    private static func escaped(_ name: String) -> String {
        var pattern = ""
        for scalar in name.unicodeScalars {
            if scalar.value < 0x20 || scalar.value == 0x7F {
                pattern += "?"
            } else {
                if "*?[\\ !#".unicodeScalars.contains(scalar) { pattern += "\\" }
                pattern.unicodeScalars.append(scalar)
            }
        }
        return pattern
    }

    func add(_ patterns: [String]) throws -> [String] {
        var added: [String] = []
        try file.edit { lines in
            let known = Set(lines.map { $0.trimmingCharacters(in: .newlines) })
            added = patterns.filter { !known.contains($0) }
            if !added.isEmpty { lines += [Self.remark] + added }
        }
        return added
    }

    /// Removes the lines of ``add(_:)``, and returns their number.
    func remove() throws -> Int {
        let endings = Self.everywhere.map { pattern in
            [".lock", ".overwritten-*"].first(where: pattern.hasSuffix) ?? String(pattern.trimmingPrefix(/\.?flags/))
        }
        var removed = 0
        try file.edit { lines in
            var isOurs = false
            lines.removeAll { line in
                let line = line.trimmingCharacters(in: .newlines)
                if line == Self.remark {
                    isOurs = true
                    return true
                }
                isOurs = isOurs && endings.contains { line.hasSuffix($0) }
                if isOurs { removed += 1 }
                return isOurs
            }
        }
        return removed
    }

    /// Returns the committed files with secrets.
    ///
    /// - Parameter files: Empty for the usual names in every folder.
    static func committedSecrets(beside files: [FlagFiles], _ repository: GitRepository) throws -> [String] {
        let isSecret = { (use: FlagFiles.Use) in use.versioning == .secret }
        let places =
            files.isEmpty
            ? FlagFiles(values: URL(filePath: "/flags.xml")).uncommitted.filter(isSecret)
                .map { ":(top,glob)**/\($0.url.lastPathComponent)" }
            : files.flatMap { $0.uncommitted.filter(isSecret) }.compactMap { repository.path(of: $0.url) }
                .map { ":(top,literal)\($0)" }
        guard !places.isEmpty else { return [] }
        let found = try repository.git.output(["ls-files", "-z", "--full-name", "--"] + places)
        return found.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
