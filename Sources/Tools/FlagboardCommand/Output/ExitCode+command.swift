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

    /// The `code` of a problem that a command finds by itself; the API's codes say more.
    var code: String {
        switch self {
        case .noSuchFlag: "unknown-flag"
        case .notSignedIn: "not-signed-in"
        case .refused: "refused"
        case .changedMeanwhile: "changed-meanwhile"
        case .validationFailure: "wrong-usage"
        default: "failed"
        }
    }
}
