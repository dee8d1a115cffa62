import Foundation
import TestClock

@testable import FlagWebhooks

/// A sender's tries to deliver, with a clock that a test moves on.
struct Tries: Sendable {
    let clock = ManualClock()
    private let outcomes: AsyncStream<DeliveryOutcome>
    private let outcome: AsyncStream<DeliveryOutcome>.Continuation

    init() { (outcomes, outcome) = AsyncStream.makeStream() }

    /// Has a sender wait by the clock, without chance, and report how each try ended.
    func observe(_ options: inout WebhookSender.Options) {
        options.clock = clock
        options.counted = { [outcome] in outcome.yield($0) }
        options.now = { [clock] in Fixture.start + clock.now.offset / .seconds(1) }
        options.schedule = RetrySchedule { 0 }
    }

    /// Waits until so many more tries have ended.
    func end(_ count: Int) async {
        var left = count
        for await _ in outcomes {
            left -= 1
            if left == 0 { break }
        }
    }
}
