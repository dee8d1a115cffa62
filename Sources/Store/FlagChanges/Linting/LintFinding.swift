import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Something in a values file or a manifest that a team should look at.
public struct LintFinding: Hashable, Sendable {
    /// What it is.
    public let rule: LintRule
    /// How bad it is.
    public let severity: LintSeverity
    /// The file.
    public let file: URL
    /// Where in the file; `nil` where it is about the file as a whole.
    public let location: SourceLocation?
    /// The flag or the group; `nil` where it is about neither, or about one that is not named.
    public let key: FlagKeyPath?
    /// What is wrong and what to do, with the name of the flag.
    public let message: String
}

/// Takes findings as far as they are asked for.
struct LintFindings {
    private let rules: LintRules
    private(set) var all: [LintFinding] = []

    init(_ rules: LintRules) { self.rules = rules }

    /// Takes a finding.
    ///
    /// - Parameter message: What is wrong and what to do, without flag and field.
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

/// How bad a finding is.
public enum LintSeverity: String, CaseIterable, Comparable, Sendable {
    /// Something should be looked at, and all is read as it stands.
    case warning
    /// Something is wrong: a value is not used, or a file can't be.
    case error

    /// Whether one is less bad than another.
    public static func < (left: LintSeverity, right: LintSeverity) -> Bool { (left, right) == (.warning, .error) }
}

/// The flags of files as these are, without serving them: files are read and nothing else.
public struct FlagsOfFiles: Sendable {
    /// The flags that may be seen, defined ones and those that a value was found of.
    public let catalogue: FlagCatalogue
    /// The key paths of all flags, of internal ones too.
    public let keys: Set<FlagKeyPath>
    /// The key paths of the flags that the manifest defines, internal ones too, in its order.
    public let definedKeys: [FlagKeyPath]
    /// When each flag's value or definition was last changed, as far as the history knows.
    public let lastChanges: [FlagKeyPath: Date]
    /// Whether there is a manifest.
    public let hasManifest: Bool

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - showsInternal: Whether internal flags may be seen.
    /// - Throws: Which file can't be read, and why.
    public init(_ files: FlagFiles, showsInternal: Bool) throws {
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
