import Foundation

/// Why values from another machine could not be got, can't be used, or can't be kept.
///
/// ```swift
/// do {
///     try await remote.refresh()
/// } catch let error as RemoteError where error.isUnreachable {
///     print("Without a network, the last values stay: \(error)")
/// }
/// ```
public struct RemoteError: Error, Hashable, Sendable {
    private enum Cause: Hashable {
        case address
        case credential
        case unreachable
        case refused(status: Int)
        case unusable
        case cache
        case stopped
    }

    private let cause: Cause
    /// What is wrong, where, and what to do about it.
    public let description: String
    /// What is wrong, without the address that was asked: the same whichever of a server's addresses finds it out.
    package let problem: String
    /// How long the server asks to be left alone, where it does (`Retry-After`).
    package let askedFor: Duration?

    private init(_ cause: Cause, _ problem: String, at address: RemoteAddress? = nil, askedFor: Duration? = nil) {
        (self.cause, self.problem, self.askedFor) = (cause, problem, askedFor)
        description = address.map { "\($0) \(problem)" } ?? problem
    }

    /// Whether there was no answer at all: no connection, an untrusted certificate, an answer that broke off or took too long.
    public var isUnreachable: Bool { cause == .unreachable }

    /// The status of an answer that refuses what was asked for, such as 401; `nil` where that is not what is wrong.
    public var status: Int? { if case .refused(let status) = cause { status } else { nil } }

    /// Whether there was an answer that holds no values: too large, of another form, or a redirection to elsewhere.
    public var isUnusable: Bool { cause == .unusable }

    static func address(_ text: String, _ problem: String) -> RemoteError {
        RemoteError(.address, "\"\(text)\" can't be asked: \(problem)")
    }

    static func credential(_ problem: String) -> RemoteError { RemoteError(.credential, problem) }

    static func unreachable(_ address: RemoteAddress, _ problem: String) -> RemoteError {
        RemoteError(.unreachable, "can't be reached: \(problem)", at: address)
    }

    static func lost(_ address: RemoteAddress, _ problem: String) -> RemoteError {
        RemoteError(.unreachable, problem, at: address)
    }

    static func refused(
        _ address: RemoteAddress, status: Int, _ problem: String, askedFor: Duration? = nil
    ) -> RemoteError {
        RemoteError(.refused(status: status), "answers \(status): \(problem)", at: address, askedFor: askedFor)
    }

    static func unusable(_ address: RemoteAddress, _ problem: String) -> RemoteError {
        RemoteError(.unusable, problem, at: address)
    }

    static func content(_ problem: String) -> RemoteError { RemoteError(.unusable, problem) }

    static func cache(_ problem: ValuesCacheError) -> RemoteError { RemoteError(.cache, problem.description) }

    static let stopped = RemoteError(.stopped, "the provider was torn down before there was an answer")
}

extension RemoteError: CustomStringConvertible {}
