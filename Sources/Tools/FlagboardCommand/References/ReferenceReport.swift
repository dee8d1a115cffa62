import FeatureFlags
import FlagChanges
import FlagReferences
import Foundation

/// The output of `references`; the text is a part of the JSON.
struct ReferenceReport: Encodable {
    struct ListedFlag: Encodable {
        let key: String
        let references: [Place]
        let declared: Bool
        /// `nil` if the history has no change.
        let changed: Date?
    }

    struct Place: Encodable {
        let file: String
        let line: Int
        let column: Int
        let kind: String
    }

    struct Finding: Encodable {
        let code: String
        let key: String
        let message: String
        let file: String?
        let line: Int?
        let column: Int?
    }

    struct Problem: Encodable {
        let file: String
        let reason: String
    }

    let flags: [ListedFlag]
    let findings: [Finding]
    /// Declarations whose key path only the running program knows.
    let untold: [Place]
    let problems: [Problem]
    let files: Int
    private let now: Date
    /// The numbers of flags that are certainly used, and possibly.
    private let (used, possible): (Int, Int)

    private enum CodingKeys: String, CodingKey { case flags, findings, untold, problems, files }

    /// `folder` is the prefix of the files' paths.
    init(_ known: FlagsOfFiles, _ found: SourceIndex.Findings, folder: String, now: Date) {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        let place = { (reference: FlagReference) in
            Place(
                file: prefix + reference.file, line: reference.position.line, column: reference.position.column,
                kind: reference.kind.rawValue)
        }
        let references = found.references
        flags = known.catalogue.entries.map { entry in
            ListedFlag(
                key: entry.key.text, references: (references.places[entry.key] ?? []).map(place),
                declared: references.declared.contains(entry.key), changed: known.lastChanges[entry.key])
        }
        var findings: [Finding] = []
        func add(_ code: String, _ key: FlagKeyPath, _ message: String, _ reference: FlagReference?) {
            let place = reference.map(place)
            findings.append(
                Finding(
                    code: code, key: key.text, message: message, file: place?.file, line: place?.line,
                    column: place?.column))
        }
        for entry in known.catalogue.entries {
            let metadata = entry.definition.metadata
            let places = references.places[entry.key] ?? []
            // A namesake is no reason to remove anything.
            let first = places.first { $0.kind.isCertain || $0.kind == .possible }
            if let retired = metadata.retired {
                let why = retired.isEmpty ? "" : " (\(retired))"
                if first != nil { add("retired-flag", entry.key, "is deprecated\(why) but still in the code", first) }
                continue
            }
            if let expires = metadata.expires, expires <= now, first != nil {
                add(
                    "expired-flag", entry.key, "expired on \(expires.formatted(Self.day)) but is still in the code",
                    first)
            }
            if !references.isUsed(entry.key) {
                add("unused-flag", entry.key, Self.unused(places, found), places.first)
            }
        }
        for key in references.declared.subtracting(known.keys).sorted() {
            let first = references.places[key]?.first { $0.kind == .declaration }
            add("undefined-key", key, "declared in the code but not defined in the manifest", first)
        }
        self.findings = findings
        untold = references.untold.map(place)
        problems = found.problems.map { Problem(file: prefix + $0.file, reason: $0.reason) }
        files = found.count
        self.now = now
        used = known.catalogue.entries.count { references.isCertainlyUsed($0.key) }
        possible = known.catalogue.entries.count { references.isUsed($0.key) } - used
    }

    private static func unused(_ places: [FlagReference], _ found: SourceIndex.Findings) -> String {
        if places.contains(where: { $0.kind == .declaration }) { return "declared but never used" }
        if !places.isEmpty { return "only its name appears in the code, possibly for something else" }
        return found.problems.isEmpty
            ? "no reference in the code" : "no reference in the readable code"
    }

    private static let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()

    func text(on terminal: Terminal) -> String {
        var lines: [String] = []
        for flag in flags where !flag.references.isEmpty {
            let changed = flag.changed.map { terminal.dim("  last changed \($0.formatted(Self.day)), \(age(of: $0))") }
            lines.append(terminal.bold(Terminal.line(flag.key)) + (changed ?? ""))
            lines += flag.references.map { "  \(Self.line($0)): \($0.kind)" }
        }
        if !findings.isEmpty, !lines.isEmpty { lines.append("") }
        lines += findings.map { finding in
            let place = finding.file.map { "\(Terminal.line($0)):\(finding.line ?? 1):\(finding.column ?? 1): " } ?? ""
            return "\(place)\(Terminal.line(finding.key)): \(Terminal.line(finding.message)) [\(finding.code)]"
        }
        lines += untold.map { "\(Self.line($0)): the key path is only known at run time" }
        let perhaps = possible == 0 ? "" : ", \(possible) possibly used"
        let summary = "\(used) of \(flags.count) flags are used\(perhaps) in \(Terminal.count(files, "file"))"
        lines.append("\(summary), \(Terminal.count(findings.count, "finding"))")
        return lines.joined(separator: "\n")
    }

    private func age(of date: Date) -> String {
        let days = Int(max(0, now.timeIntervalSince(date)) / 86_400)
        return days == 0 ? "today" : "\(Terminal.count(days, "day")) ago"
    }

    private static func line(_ place: Place) -> String { "\(Terminal.line(place.file)):\(place.line):\(place.column)" }

}
