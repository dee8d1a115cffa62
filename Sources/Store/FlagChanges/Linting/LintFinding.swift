import FeatureFlags
import FeatureFlagsXML
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
