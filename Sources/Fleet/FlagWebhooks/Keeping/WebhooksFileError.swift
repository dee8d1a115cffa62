import DurableFiles

/// Why the file of the webhooks can't be used, or a webhook can't be added or changed.
package struct WebhooksFileError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case file(FileAccessError)
        case open(path: String, mode: UInt32)
        case malformed(path: String, problem: String)
        case notKept(String)
    }

    private let cause: Cause

    static func file(_ error: FileAccessError) -> WebhooksFileError { WebhooksFileError(cause: .file(error)) }

    static func open(_ path: String, mode: UInt32) -> WebhooksFileError {
        WebhooksFileError(cause: .open(path: path, mode: mode))
    }

    static func malformed(_ path: String, _ problem: String) -> WebhooksFileError {
        WebhooksFileError(cause: .malformed(path: path, problem: problem))
    }

    /// A request that the file, as it is, does not allow.
    static func notKept(_ problem: String) -> WebhooksFileError { WebhooksFileError(cause: .notKept(problem)) }

    /// Whether it is the request that is at fault, not the file.
    package var isRequestAtFault: Bool { if case .notKept = cause { true } else { false } }

    /// Which file, what is wrong, and what to do.
    package var description: String {
        switch cause {
        case .file(let error): error.description
        case .open(let path, let mode):
            "\(path) can be read or written by others (mode \(String(mode, radix: 8))), and it holds what messages are "
                + "signed with: make it yours alone with chmod 600."
        case .malformed(let path, let problem):
            "\(path) is no file that Flagboard wrote about webhooks: \(problem). Correct it, or move it away."
        case .notKept(let problem): problem
        }
    }
}
