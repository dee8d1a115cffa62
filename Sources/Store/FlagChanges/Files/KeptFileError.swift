import DurableFiles

/// Why a file of tokens, searches or webhooks can't be used, or why a change of it is refused.
///
///     do {
///         try await tokens.revoke(name: "ada")
///     } catch {
///         print(error)  // There is no token of the name ada.
///     }
public struct KeptFileError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case file(FileAccessError)
        case open(path: String, mode: UInt32, secrecy: String)
        case malformed(path: String, problem: String, kind: KeptFileKind)
        case refused(String, field: String?)
        case unknown(String)
    }

    private let cause: Cause

    static func file(_ error: FileAccessError) -> KeptFileError { KeptFileError(cause: .file(error)) }

    static func open(_ path: String, mode: UInt32, _ secrecy: String) -> KeptFileError {
        KeptFileError(cause: .open(path: path, mode: mode, secrecy: secrecy))
    }

    static func malformed(_ path: String, _ problem: String, _ kind: KeptFileKind) -> KeptFileError {
        KeptFileError(cause: .malformed(path: path, problem: problem, kind: kind))
    }

    /// A change that what the file holds does not allow.
    ///
    /// - Parameter field: The part of the request that is at fault; `nil` for none alone.
    package static func refused(_ problem: String, field: String? = nil) -> KeptFileError {
        KeptFileError(cause: .refused(problem, field: field))
    }

    /// A change of something that the file does not hold: what there is not, and what to do, in sentences.
    package static func unknown(_ problem: String) -> KeptFileError { KeptFileError(cause: .unknown(problem)) }

    /// The part of the request that is at fault; `nil` where it is none alone.
    package var field: String? {
        if case .refused(_, let field) = cause { field } else { nil }
    }

    /// Whether the request is about something that the file does not hold.
    package var isUnknown: Bool {
        if case .unknown = cause { true } else { false }
    }

    /// Whether the request is at fault, not the file.
    package var isRequestAtFault: Bool {
        switch cause {
        case .refused, .unknown: true
        case .file, .open, .malformed: false
        }
    }

    /// Which file, what is wrong, and what to do.
    public var description: String {
        switch cause {
        case .file(let error): error.description
        case .open(let path, let mode, let secrecy):
            "\(path) can be read or written by others (mode \(String(mode, radix: 8))), and \(secrecy): make it yours alone "
                + "with chmod 600."
        case .malformed(let path, let problem, let kind): "\(path) is no file \(kind.name): \(problem). \(kind.remedy)"
        case .refused(let problem, _), .unknown(let problem): problem
        }
    }
}
