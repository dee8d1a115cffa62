import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// A problem in a values file or a manifest.
package struct LintFinding: Hashable, Sendable {
    /// The rule.
    package let rule: LintRule
    /// The severity.
    package let severity: LintSeverity
    /// The file.
    package let file: URL
    /// The location; `nil` for the file as a whole.
    package let location: SourceLocation?
    /// The flag or the group; `nil` if there is none, or it is hidden.
    package let key: FlagKeyPath?
    /// The problem and the remedy, with the flag's name.
    package let message: String
}

struct LintFindings {
    private let rules: LintRules
    private(set) var all: [LintFinding] = []

    init(_ rules: LintRules) { self.rules = rules }

    /// Adds a finding.
    ///
    /// - Parameter message: Names neither flag nor field.
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

/// The severity of a finding.
package enum LintSeverity: String, CaseIterable, Comparable, Sendable {
    /// Everything is read as it stands, but deserves a look.
    case warning
    /// A value or a file can't be used.
    case error

    /// Orders warnings before errors.
    package static func < (left: LintSeverity, right: LintSeverity) -> Bool { (left, right) == (.warning, .error) }
}

/// The flags of files, read without serving or writing them.
package struct FlagsOfFiles: Sendable {
    /// The visible flags, defined or inferred.
    package let catalogue: FlagCatalogue
    /// The key paths of all flags, internal ones included.
    package let keys: Set<FlagKeyPath>
    /// The key paths of defined flags in the manifest's order, internal ones included.
    package let definedKeys: [FlagKeyPath]
    /// The last change of each flag's value or definition that the history knows.
    package let lastChanges: [FlagKeyPath: Date]
    /// True if there is a manifest.
    package let hasManifest: Bool

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - showsInternal: Includes internal flags in the catalogue.
    /// - Throws: The problem with an unreadable file.
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
