import DurableFiles

/// Why the file of the saved searches can't be used, or a search can’t be saved or removed.
struct SearchesFileError: Error, Hashable, CustomStringConvertible {
    private enum Cause: Hashable {
        case file(FileAccessError)
        case malformed(path: String, problem: String)
        case notKept(String)
        case unknown(String)
    }

    private let cause: Cause

    static func file(_ error: FileAccessError) -> SearchesFileError { SearchesFileError(cause: .file(error)) }

    static func malformed(_ path: String, _ problem: String) -> SearchesFileError {
        SearchesFileError(cause: .malformed(path: path, problem: problem))
    }

    /// A request that the file, as it is, does not allow.
    static func notKept(_ problem: String) -> SearchesFileError { SearchesFileError(cause: .notKept(problem)) }

    /// A search that there is not.
    static func unknown(_ name: String) -> SearchesFileError { SearchesFileError(cause: .unknown(name)) }

    /// Whether it is the name that is at fault, which the form can correct.
    var isNameAtFault: Bool {
        if case .notKept = cause { true } else { false }
    }

    /// Whether the request is about a search that there is not.
    var isUnknown: Bool {
        if case .unknown = cause { true } else { false }
    }

    /// Which file or search, what is wrong, and what to do.
    var description: String {
        switch cause {
        case .file(let error): error.description
        case .malformed(let path, let problem): "\(path) is no file of searches: \(problem). Correct it, or remove it."
        case .notKept(let problem): problem
        case .unknown(let name): "There is no search of the name \(name) any more."
        }
    }
}
