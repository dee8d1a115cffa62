import Foundation

extension WebhookState {
    /// Takes note of how a try went.
    mutating func take(_ outcome: DeliveryOutcome, ofRow row: Int64, at time: Date, _ schedule: RetrySchedule) {
        // The file keeps whole seconds; what is to be waited for must not be shorter by that.
        let now = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        (lastStatus, lastProblem) = (outcome.status, outcome.problem)
        var asked: Duration?
        switch outcome {
        case .delivered:
            position = row
            (failures, nextTry, failingSince, lastSuccess) = (0, nil, nil, now)
            return
        case .gone:
            failingSince = failingSince ?? now
            (failures, nextTry) = (0, nil)
            disabled = Disabled(at: now, why: "It answered 410 to row \(row): it wants no more.")
            return
        case .refused(_, let retryAfter): asked = retryAfter
        case .failed, .forbidden: break
        }
        failures += 1
        failingSince = failingSince ?? now
        guard let wait = schedule.wait(after: failures, askedFor: asked) else {
            disabled = Disabled(
                at: now, why: "Row \(row) was tried \(failures) times; the last time, \(lastProblem ?? "it failed").")
            (failures, nextTry) = (0, nil)
            return
        }
        nextTry = Date(
            timeIntervalSince1970: (time.timeIntervalSince1970 + wait / .seconds(1)).rounded(.up))
    }
}
