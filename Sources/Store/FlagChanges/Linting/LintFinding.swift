import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

package struct LintFinding: Hashable, Sendable {
    package let rule: LintRule
    package let severity: LintSeverity
    package let file: URL
    /// The location; `nil` for the file as a whole.
    package let location: SourceLocation?
    /// The flag or the group; `nil` if none, or hidden.
    package let key: FlagKeyPath?
    /// The problem and the remedy, with the flag's name.
    package let message: String
}

struct LintFindings {
    private let rules: LintRules
    private(set) var all: [LintFinding] = []

    init(_ rules: LintRules) { self.rules = rules }

    /// Adds a finding; `message` names neither flag nor field.
    mutating func add(
        _ rule: LintRule, in file: URL, at location: @autoclosure () -> SourceLocation?, of key: FlagKeyPath? = nil,
        field: String? = nil, _ message: @autoclosure () -> String
    ) {
        guard let severity = rules.severity(of: rule) else { return }
        let subject = [key?.text, field].compactMap(\.self).joined(separator: ", ")
        all.append(
            LintFinding(
                rule: rule, severity: severity, file: file, location: location(), key: key,
                message: (subject.isEmpty ? "" : "\(subject): ") + message()))
    }
}

package enum LintSeverity: String, CaseIterable, Comparable, Sendable {
    /// Readable, but worth a look.
    case warning
    /// An unusable value or file.
    case error

    package static func < (left: LintSeverity, right: LintSeverity) -> Bool { (left, right) == (.warning, .error) }
}

/// The flags of files, read without serving or writing them.
package struct FlagsOfFiles: Sendable {
    package let catalogue: FlagCatalogue
    /// All flags, internal ones included.
    package let keys: Set<FlagKeyPath>
    /// Defined flags in the manifest's order, internal ones included.
    package let definedKeys: [FlagKeyPath]
    /// The last known change of each flag's value or definition.
    package let lastChanges: [FlagKeyPath: Date]
    package let hasManifest: Bool

    package init(_ files: FlagFiles, showsInternal: Bool) throws {
        let workspace = Workspace(files)
        if let problem = workspace.fileProblems.first { throw problem }
        let manifest = workspace.definitions
        catalogue = FlagCatalogue(
            manifest: manifest?.content, snapshots: workspace.snapshots(isReadOnly: true), showsInternal: showsInternal)
        definedKeys = manifest?.definitions.map(\.key) ?? []
        keys = Set(catalogue.entries.map(\.key)).union(definedKeys)
        hasManifest = manifest != nil
        lastChanges = try Self.lastChanges(of: catalogue, files.history)
    }

    private static func lastChanges(of catalogue: FlagCatalogue, _ url: URL) throws -> [FlagKeyPath: Date] {
        guard try AtomicFile.signature(of: url) != nil else { return [:] }
        let history = try HistoryStore(reading: url)
        defer { history.close() }
        return try history.lastChanges(of: Set(catalogue.entries.map(\.key)), hiddenKeys: []).mapValues(\.at)
    }
}
