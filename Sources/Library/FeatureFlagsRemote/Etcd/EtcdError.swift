import Foundation

package struct EtcdError: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case unreachable
        case compacted
        case tooLarge
        case answerTooLarge
        case refused(code: Int)
        case signInLost
        case unreadable
        case password
        case backwards
        case raced
        case stopped
    }

    private let cause: Cause
    package let description: String

    private init(_ cause: Cause, _ description: String) { (self.cause, self.description) = (cause, description) }

    package static func unreachable(_ member: EtcdAddress.Member, _ problem: String) -> EtcdError {
        EtcdError(.unreachable, "can't reach etcd at \(member): \(problem)")
    }

    static let compacted = EtcdError(.compacted, "etcd has compacted the changes since the last read")

    static func refused(_ member: EtcdAddress.Member, code: Int, _ message: String) -> EtcdError {
        let isTooLarge = message.contains("request is too large") || message.contains("larger than max")
        // gRPC's code 16; where etcd signs tokens (JWT), 3 after a change of its users or roles.
        if code == 16 || message.contains("revision of auth store is old") || message.contains("invalid auth token") {
            return EtcdError(.signInLost, "etcd at \(member) refused the request: \(message)")
        }
        return EtcdError(
            isTooLarge ? .tooLarge : .refused(code: code), "etcd at \(member) refused the request: \(message)")
    }

    static func unreadable(_ member: EtcdAddress.Member, _ problem: String? = nil) -> EtcdError {
        EtcdError(
            .unreadable, "the response from \(member) is not from etcd\(problem.map { ": \($0)" } ?? "")")
    }

    static func tooLarge(_ member: EtcdAddress.Member, _ limit: Int) -> EtcdError {
        EtcdError(
            .answerTooLarge,
            "the response from etcd at \(member) is larger than \(limit >> 20) MiB; check the address")
    }

    static func backwards(_ description: String) -> EtcdError { EtcdError(.backwards, description) }

    package static func raced(_ description: String) -> EtcdError { EtcdError(.raced, description) }

    static func filling(_ address: EtcdAddress, _ row: Int64) -> EtcdError {
        EtcdError(
            .backwards, "publishing at \(address) is not complete: the publisher is working towards row \(row)")
    }

    static func stopped(_ address: EtcdAddress) -> EtcdError {
        EtcdError(.stopped, "no longer following the flags at \(address)")
    }

    static func password(_ url: URL, _ problem: String) -> EtcdError {
        EtcdError(.password, "can't read the password in \(url.path(percentEncoded: false)): \(problem)")
    }

    var isOfMember: Bool {
        switch cause {
        // gRPC's codes: 4 is a deadline, 14 unavailable, such as a member without a leader.
        case .unreachable, .unreadable, .answerTooLarge, .refused(code: 4), .refused(code: 14): true
        case .compacted, .tooLarge, .refused, .signInLost, .password, .backwards, .raced, .stopped: false
        }
    }

    var isSignInLost: Bool { cause == .signInLost }
    var isCompaction: Bool { cause == .compacted }
    var isOfSize: Bool { cause == .answerTooLarge }
    /// Another program wrote etcd's content meanwhile.
    package var isRace: Bool { cause == .raced }
    package var isTooLarge: Bool { cause == .tooLarge }
}
