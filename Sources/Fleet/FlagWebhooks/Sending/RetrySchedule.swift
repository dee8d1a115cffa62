/// How long a message that was not taken waits for its next try.
package struct RetrySchedule: Sendable {
    /// The waits after the first failure, the second one and so on; after one more the webhook is disabled.
    static let waits: [Duration] = [
        .seconds(5), .seconds(5 * 60), .seconds(30 * 60), .seconds(2 * 3600), .seconds(5 * 3600), .seconds(10 * 3600),
        .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
    ]

    /// The longest wait that is granted to a receiver that asks for one.
    static let longestAskedFor = Duration.seconds(24 * 3600)

    /// How much a wait may be longer than the table says, so that many webhooks of one receiver don't come back to it at once.
    static let jitter = 0.1

    /// A number from 0 up to 1.
    private let random: @Sendable () -> Double

    /// Makes one.
    package init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) { self.random = random }

    /// The wait after a failure.
    ///
    /// - Returns: The wait; `nil` where the message has failed too often.
    func wait(after failures: Int, askedFor: Duration?) -> Duration? {
        guard failures <= Self.waits.count, failures > 0 else { return nil }
        let wait = Self.waits[failures - 1] * (1 + Self.jitter * random())
        return max(wait, min(askedFor ?? .zero, Self.longestAskedFor))
    }
}
