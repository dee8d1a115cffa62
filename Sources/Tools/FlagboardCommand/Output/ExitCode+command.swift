import ArgumentParser

/// The exit codes of commands; 0 is success, and 64 the argument parser's for wrong usage.
extension ExitCode {
    /// Another failure; also differences or findings, if asked for.
    static let failed = ExitCode(1)
    static let noSuchFlag = ExitCode(3)
    /// The person is not identified, or not admitted.
    static let notSignedIn = ExitCode(4)
    /// The change is not allowed: a lock, a constraint, a role.
    static let refused = ExitCode(5)
    static let changedMeanwhile = ExitCode(6)
}
