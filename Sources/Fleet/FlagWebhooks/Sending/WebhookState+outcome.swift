import FlagHistory
import Foundation

extension WebhookState {
    mutating func take(_ outcome: DeliveryOutcome, ofRow row: Int64, at time: Date, _ schedule: RetrySchedule) {
        // The file keeps whole seconds; rounding must not shorten a wait.
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
            disabled = Disabled(at: now, why: "Status 410 for row \(row): the receiver doesn't want any more events.")
            return
        case .refused(_, let retryAfter): asked = retryAfter
        case .failed, .forbidden: break
        }
        failures += 1
        failingSince = failingSince ?? now
        guard let wait = schedule.wait(after: failures, askedFor: asked) else {
            disabled = Disabled(
                at: now,
                why:
                    "Delivery of row \(row) failed \(failures) times. Last error: \(lastProblem ?? "unknown").")
            (failures, nextTry) = (0, nil)
            return
        }
        nextTry = Date(
            timeIntervalSince1970: (time.timeIntervalSince1970 + wait / .seconds(1)).rounded(.up))
    }
}

/// The `Retry-After` header (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// Parses seconds or a date, zero if past; `nil` for other text.
    static func duration(_ text: String, at now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }
}

package struct RetrySchedule: Sendable {
    /// One failure more disables the webhook.
    static let waits: [Duration] = [
        .seconds(5), .seconds(5 * 60), .seconds(30 * 60), .seconds(2 * 3600), .seconds(5 * 3600), .seconds(10 * 3600),
        .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
    ]

    /// The longest wait that a receiver can ask for.
    static let longestAskedFor = Duration.seconds(24 * 3600)

    /// A fraction of the wait, so that a receiver's webhooks don't retry together.
    static let jitter = 0.1

    /// From 0 up to 1.
    private let random: @Sendable () -> Double

    package init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) { self.random = random }

    /// `nil` after too many failures.
    func wait(after failures: Int, askedFor: Duration?) -> Duration? {
        guard failures <= Self.waits.count, failures > 0 else { return nil }
        let wait = Self.waits[failures - 1] * (1 + Self.jitter * random())
        return max(wait, min(askedFor ?? .zero, Self.longestAskedFor))
    }
}

extension WebhookState.Mark {
    init(_ record: HistoryRecord) { self.init(hash: record.hash.hexadecimal, at: record.event.at) }
}

extension WebhookState {
    /// Corrects the cursor if the history was pruned or replaced.
    ///
    /// In another history, delivery continues after the rows no newer than the last delivered one: later rows were made
    /// since the backup was restored. Returns a message for an operator; `nil` if the history is unchanged.
    mutating func find(in history: HistoryStore) throws(HistoryStoreError) -> String? {
        let pruned = try history.anchors().last?.last ?? 0
        guard cursor >= pruned else {
            let first = cursor + 1
            (cursor, mark) = (pruned, nil)
            return "rows \(first) to \(pruned) were pruned before they were delivered"
        }
        guard let mark, cursor > pruned else {
            cursor = min(cursor, try history.chainHead().id)
            return nil
        }
        let found = try history.record(cursor, hiddenKeys: [])
        guard found?.hash.hexadecimal != mark.hash else { return nil }
        cursor = try history.newest(HistoryQuery(until: mark.at, limit: 1)).first?.id ?? pruned
        self.mark = nil
        return "the history has been replaced, so delivery continues from row \(cursor + 1)"
    }
}
