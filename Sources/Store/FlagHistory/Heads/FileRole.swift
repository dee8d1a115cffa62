/// What a file is for.
public enum FileRole: String, CaseIterable, Hashable, Sendable {
    /// It holds values of flags.
    case values
    /// It holds the definitions.
    case manifest
}
