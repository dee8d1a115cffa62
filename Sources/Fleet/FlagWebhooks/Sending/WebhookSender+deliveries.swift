import FlagChanges
import FlagHistory
import Foundation

extension WebhookSender {
    /// The outcome of a request to send a delivery again.
    package enum Resent: Hashable, Sendable {
        case tried(DeliveryOutcome)
        /// The row was not taken yet, so it is tried now in its order.
        case inOrder
    }

    /// Adds a webhook that an admin wants, for rows from now on.
    package func add(_ new: NewWebhook) async throws -> (webhook: Webhook, caution: String?) {
        let row = try service.history.chainHead().id
        let added = try await file.add(new, after: row, at: options.now(), lookup: options.lookup)
        look()
        return added
    }

    package nonisolated var allowsPrivateOnPage: Bool { options.allowsPrivateOnPage }

    /// Sends one test message now, also while the webhook is paused.
    package func test(_ id: String) async throws(KeptFileError) -> DeliveryOutcome {
        look()
        let webhook = try file.webhook(id)
        // In whole seconds, as deliveries are kept, so that the body can be made again.
        let time = Date(timeIntervalSince1970: options.now().timeIntervalSince1970.rounded(.down))
        let message = WebhookMessage(testing: webhook, at: time)
        let (outcome, delivery) = await post(message, to: webhook, row: nil, .test, attempt: 1, at: time)
        keep(delivery, to: webhook)
        return outcome
    }

    /// Sends a delivery again, under its old id.
    ///
    /// - Throws: ``KeptFileError`` if it is unknown, if its webhook is paused, or if its row is not in the history any
    ///   more; ``HistoryStoreError``.
    package func resend(_ number: Int, to id: String) async throws -> Resent {
        let (webhook, delivery) = try self.delivery(number, to: id)
        guard webhook.paused == nil else {
            throw KeptFileError.refused("“\(webhook.name)” is paused. Resume it to send deliveries again.")
        }
        if let row = delivery.row, row > state(of: webhook).cursor {
            _ = try await file.enable(webhook.id)
            look()
            return .inOrder
        }
        guard let message = try await message(of: delivery, to: webhook) else {
            throw KeptFileError.unknown("Change \(delivery.row ?? 0) is no longer in the history.")
        }
        let attempt = 1 + (deliveries(to: webhook).filter { $0.message == delivery.message }.map(\.attempt).max() ?? 0)
        let (outcome, made) = await post(message, to: webhook, row: delivery.row, .resend, attempt: attempt)
        options.counted(outcome)
        keep(made, to: webhook)
        return .tried(outcome)
    }

    package func delivery(_ number: Int, to id: String) throws(KeptFileError) -> (Webhook, WebhookDelivery) {
        let webhook = try file.webhook(id)
        guard let found = deliveries(to: webhook).first(where: { $0.number == number }) else {
            throw .unknown(
                "Delivery \(number) of “\(webhook.name)” not found. Only the latest deliveries are kept.")
        }
        return (webhook, found)
    }

    /// Makes a delivery's message again; `nil` if its row was pruned, is internal now, or the history was replaced.
    package func message(of delivery: WebhookDelivery, to webhook: Webhook) async throws -> WebhookMessage? {
        guard let row = delivery.row else {
            return WebhookMessage(testing: webhook, at: delivery.at, id: delivery.message)
        }
        let overview = try await service.overview()
        guard let record = try service.history.record(row, hiddenKeys: overview.hiddenKeys) else { return nil }
        let message = WebhookMessage(of: record, try describe(record), to: webhook)
        return message.id == delivery.message ? message : nil
    }

    /// Sends a message, and describes the try once its number is known.
    func post(
        _ message: WebhookMessage, to webhook: Webhook, row: Int64?, _ occasion: WebhookDelivery.Occasion,
        attempt: Int, at time: Date? = nil
    ) async -> (DeliveryOutcome, @Sendable (Int) -> WebhookDelivery) {
        let time = time ?? options.now()
        let start = ContinuousClock.now
        let outcome = await options.post.send(message, to: webhook, at: time)
        let duration = start.duration(to: .now)
        return (
            outcome,
            {
                WebhookDelivery(
                    $0, of: message, row: row, occasion, attempt: attempt, at: time, taking: duration, outcome: outcome)
            }
        )
    }
}

extension WebhookStatesFile.Content {
    mutating func add(_ delivery: (Int) -> WebhookDelivery, to id: String) {
        let older = deliveries[id] ?? []
        deliveries[id] = [delivery((older.first?.number ?? 0) + 1)] + older
    }

    /// Drops other webhooks, and deliveries beyond the limit.
    func limited(to known: Set<String>) -> Self {
        let most = WebhookDelivery.most(ofEachOf: known.count)
        return Self(
            states: states.filter { known.contains($0.key) },
            deliveries: deliveries.filter { known.contains($0.key) }.mapValues { Array($0.prefix(most)) })
    }
}
