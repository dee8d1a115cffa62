import Foundation

/// Counts sign-ins that fail, so that guessing neither fills the log nor keeps the server busy.
///
/// A client over the limit is told to wait, but a right token is taken at any time: else one that sends requests from the
/// owner's machine, or enough of them from anywhere, would lock the owner out. Nothing is lost by it, since a token is 256
/// random bits, which no number of guesses finds.
struct SignInLimit: Sendable {
    /// How many may fail within ``window``: from one address, and from all together.
    static let perAddress = 10, inAll = 60
    /// In seconds.
    private static let window: TimeInterval = 60

    private var start = Date.distantPast
    /// No more addresses than ``inAll``, since what is over the limit is not counted.
    private var failures: [String: Int] = [:]
    private var total = 0

    /// Counts a failure.
    ///
    /// - Returns: How long to wait, in seconds, where this is one too many; `nil` where it is not.
    mutating func fail(from address: String, at now: Date) -> Int? {
        if abs(now.timeIntervalSince(start)) >= Self.window { (start, failures, total) = (now, [:], 0) }
        guard total < Self.inAll, failures[address, default: 0] < Self.perAddress else {
            return max(1, Int((Self.window - abs(now.timeIntervalSince(start))).rounded(.up)))
        }
        total += 1
        failures[address, default: 0] += 1
        return nil
    }
}
