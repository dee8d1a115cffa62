/// How bad a finding is.
public enum LintSeverity: String, CaseIterable, Comparable, Sendable {
    /// Something should be looked at, and all is read as it stands.
    case warning
    /// Something is wrong: a value is not used, or a file can't be.
    case error

    /// Whether one is less bad than another.
    public static func < (left: LintSeverity, right: LintSeverity) -> Bool { (left, right) == (.warning, .error) }
}
