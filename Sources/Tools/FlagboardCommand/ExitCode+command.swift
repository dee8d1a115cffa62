import ArgumentParser

/// The exit codes of every command, for scripts to tell apart; 0 is done, and 64 is the argument parser's own for wrong usage.
extension ExitCode {
    /// Something else failed; also that there are differences or findings, where those were asked for.
    static let failed = ExitCode(1)
    /// There is no such flag.
    static let noSuchFlag = ExitCode(3)
    /// Nothing says who asks, or who asks is not let in.
    static let notSignedIn = ExitCode(4)
    /// The change is not allowed: a lock, a constraint, a role.
    static let refused = ExitCode(5)
    /// The flag was changed meanwhile.
    static let changedMeanwhile = ExitCode(6)
}
