import Foundation

/// Why etcd did not do what it was asked for.
package struct EtcdError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case unreachable
        case compacted
        case tooLarge
        case answerTooLarge
        case refused(code: Int)
        case signInLost
        case unreadable
        case backwards
        case stopped
    }

    private let cause: Cause
    /// What is wrong, and where it helps what to do.
    package let description: String

    private init(_ cause: Cause, _ description: String) { (self.cause, self.description) = (cause, description) }

    /// No member of a cluster can be asked.
    package static func unreachable(_ member: EtcdAddress.Member, _ problem: String) -> EtcdError {
        EtcdError(.unreachable, "etcd at \(member) can't be reached: \(problem)")
    }

    /// The changes since a revision are not kept any more.
    static let compacted = EtcdError(.compacted, "etcd has compacted the changes since the last that was read")

    /// What a member answers in place of doing what it was asked for.
    static func refused(_ member: EtcdAddress.Member, code: Int, _ message: String) -> EtcdError {
        let isTooLarge = message.contains("request is too large") || message.contains("larger than max")
        // gRPC's code 16; where etcd signs tokens (JWT), 3 once its users or roles have changed.
        if code == 16 || message.contains("revision of auth store is old") || message.contains("invalid auth token") {
            return EtcdError(.signInLost, "etcd at \(member) refuses: \(message)")
        }
        return EtcdError(isTooLarge ? .tooLarge : .refused(code: code), "etcd at \(member) refuses: \(message)")
    }

    /// Something that is no answer of etcd.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - problem: By what it is known; `nil` where the form alone tells.
    /// - Returns: The error.
    static func unreadable(_ member: EtcdAddress.Member, _ problem: String? = nil) -> EtcdError {
        EtcdError(
            .unreadable, "what \(member) answers is no answer of etcd\(problem.map { ": \($0)" } ?? "")")
    }

    /// An answer that is larger than what is read of one.
    static func tooLarge(_ member: EtcdAddress.Member, _ limit: Int) -> EtcdError {
        EtcdError(
            .answerTooLarge,
            "the answer of etcd at \(member) exceeds \(limit >> 20) MiB; check the address")
    }

    /// Contents that are older than what was read before.
    package static func backwards(_ description: String) -> EtcdError { EtcdError(.backwards, description) }

    /// What is published is not whole yet.
    static func filling(_ address: EtcdAddress, _ row: Int64) -> EtcdError {
        EtcdError(
            .backwards, "what is published at \(address) is not whole yet: the publisher is on its way to row \(row)")
    }

    /// That nothing is followed any more.
    static func stopped(_ address: EtcdAddress) -> EtcdError {
        EtcdError(.stopped, "the flags at \(address) are followed no longer")
    }

    /// A file of a password that can't be read.
    static func password(_ url: URL, _ problem: String) -> EtcdError {
        EtcdError(.unreadable, "the password in \(url.path(percentEncoded: false)) can't be read: \(problem)")
    }

    /// Whether another member may do what this one did not.
    var isOfMember: Bool {
        switch cause {
        // gRPC's codes: 4 is a deadline, 14 unavailable, such as a member without a leader.
        case .unreachable, .unreadable, .answerTooLarge, .refused(code: 4), .refused(code: 14): true
        case .compacted, .tooLarge, .refused, .signInLost, .backwards, .stopped: false
        }
    }

    /// Whether the token of a sign-in counts no more.
    var isSignInLost: Bool { cause == .signInLost }
    /// Whether changes that were asked for are not kept any more.
    var isCompaction: Bool { cause == .compacted }
    /// Whether a member answered more than is read of one answer.
    var isOfSize: Bool { cause == .answerTooLarge }
    /// Whether more was sent than a member takes.
    package var isTooLarge: Bool { cause == .tooLarge }
}
