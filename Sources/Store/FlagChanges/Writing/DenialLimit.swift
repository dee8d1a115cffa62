import Foundation

/// Counts refused attempts, so that they can't fill the disk with rows about them.
struct DenialLimit: Sendable {
    private let limit: Int
    private var windowStart = Date.distantPast
    private var count = 0

    /// - Parameter limit: How many attempts a minute are recorded.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether one more attempt at this time is recorded; counts it where it is.
    mutating func admits(at time: Date) -> Bool {
        if abs(time.timeIntervalSince(windowStart)) >= 60 {
            windowStart = time
            count = 0
        }
        guard count < limit else { return false }
        count += 1
        return true
    }
}
