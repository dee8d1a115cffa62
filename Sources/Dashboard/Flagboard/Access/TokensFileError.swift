import DurableFiles

/// Why the file of the named tokens can't be used, or a token can't be made or revoked.
public struct TokensFileError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case file(FileAccessError)
        case open(path: String, mode: UInt32)
        case malformed(path: String, problem: String)
        case notKept(String, Field?)
    }

    /// What a request to make a token gives.
    enum Field: Hashable {
        case name, role, expires
    }

    private let cause: Cause

    static func file(_ error: FileAccessError) -> TokensFileError { TokensFileError(cause: .file(error)) }

    static func open(_ path: String, mode: UInt32) -> TokensFileError {
        TokensFileError(cause: .open(path: path, mode: mode))
    }

    static func malformed(_ path: String, _ problem: String) -> TokensFileError {
        TokensFileError(cause: .malformed(path: path, problem: problem))
    }

    /// A request that the file, as it is, does not allow, and which part of it is at fault.
    static func notKept(_ problem: String, _ field: Field? = nil) -> TokensFileError {
        TokensFileError(cause: .notKept(problem, field))
    }

    /// The part of the request that is at fault; `nil` where it is none alone.
    var field: Field? {
        if case .notKept(_, let field) = cause { field } else { nil }
    }

    /// Whether it is the request that is at fault, not the file.
    var isRequestAtFault: Bool {
        if case .notKept = cause { true } else { false }
    }

    /// Which file, what is wrong, and what to do.
    public var description: String {
        switch cause {
        case .file(let error): error.description
        case .open(let path, let mode):
            "\(path) can be read or written by others (mode \(String(mode, radix: 8))), and it says who is let in: "
                + "make it yours alone with chmod 600."
        case .malformed(let path, let problem):
            "\(path) is no file of tokens: \(problem). Correct it, or name another one with --tokens."
        case .notKept(let problem, _): problem
        }
    }
}
