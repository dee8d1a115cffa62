import Foundation

extension WebhookDelivery {
    init(
        _ number: Int, of message: WebhookMessage, row: Int64?, _ occasion: Occasion, attempt: Int, at time: Date,
        taking duration: Duration, outcome: DeliveryOutcome
    ) {
        self.number = number
        at = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
        (self.occasion, self.row, self.attempt) = (occasion, row, attempt)
        self.message = message.id
        (result, status) = (outcome.sort, outcome.status)
        problem = outcome.problem.map { text in
            String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestProblem)))
        }
        milliseconds = Int(duration / .milliseconds(1))
    }
}
