import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Delivers messages over HTTP to the address that was checked, even if the name resolves to another by then.
package struct WebhookPost: Sendable {
    private let lookup: HostLookup
    private let patience: Duration
    private let connectPatience: Duration

    /// Creates a client; `connectPatience` limits the wait before the host's next address is tried.
    package init(
        lookup: HostLookup = HostLookup(), patience: Duration = .seconds(15), connectPatience: Duration = .seconds(5)
    ) {
        self.lookup = lookup
        self.patience = patience
        self.connectPatience = connectPatience
    }

    package func send(_ message: WebhookMessage, to webhook: Webhook, at time: Date) async -> DeliveryOutcome {
        await withTaskGroup(of: DeliveryOutcome?.self) { tries in
            tries.addTask { await post(message, webhook, time) }
            tries.addTask {
                do {
                    try await Task.sleep(for: patience)
                    return .failed("no response within \(patience.components.seconds) s")
                } catch {
                    return nil
                }
            }
            defer { tries.cancelAll() }
            for await outcome in tries { if let outcome { return outcome } }
            return .failed("the attempt was cancelled")
        }
    }

    private func post(_ message: WebhookMessage, _ webhook: Webhook, _ time: Date) async -> DeliveryOutcome {
        let addresses: [IPAddress]
        switch await lookup.addresses(of: webhook.url, allowsPrivate: webhook.allowsPrivate) {
        case .found(let found): addresses = found
        case .forbidden(let place):
            return .forbidden("\(place), and the webhook was added without --allow-private")
        case .missing(let reason): return .failed(reason)
        }
        var failure = DeliveryOutcome.failed("no address found")
        for address in addresses {
            do {
                return try await post(message, webhook, time, at: address)
            } catch {
                failure = .failed(DeliveryFailure(error, at: address).description)
                guard Self.isBeforeConnection(error), !Task.isCancelled else { break }
            }
        }
        return failure
    }

    private func post(
        _ message: WebhookMessage, _ webhook: Webhook, _ time: Date, at address: IPAddress
    ) async throws -> DeliveryOutcome {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = TimeAmount(connectPatience)
        configuration.httpVersion = .http1Only
        // The name stays in the Host header and in the certificate check.
        if IPAddress(webhook.url.host) == nil { configuration.dnsOverride = [webhook.url.host: "\(address)"] }
        // One client for each try: a kept connection would outlive the check of its address.
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let outcome: Result<DeliveryOutcome, any Error>
        do {
            outcome = .success(try await post(message, webhook, time, by: client))
        } catch {
            outcome = .failure(error)
        }
        try await client.shutdown()
        return try outcome.get()
    }

    private func post(
        _ message: WebhookMessage, _ webhook: Webhook, _ time: Date, by client: HTTPClient
    ) async throws -> DeliveryOutcome {
        var request = HTTPClientRequest(url: webhook.url.text)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "Flagboard")
        for (name, value) in message.headers(signedWith: webhook.secrets(at: time), at: time) {
            request.headers.add(name: name, value: value)
        }
        request.body = .bytes(ByteBuffer(bytes: message.body))
        // The body is useless, and may never end.
        let answer = try await client.execute(request, timeout: TimeAmount(patience))
        let status = Int(answer.status.code)
        switch status {
        case 200...299: return .delivered(status: status)
        case 410: return .gone
        case 429, 503:
            let pause = answer.headers.first(name: "Retry-After").flatMap { RetryAfter.duration($0, at: time) }
            return .refused(status: status, retryAfter: pause)
        default: return .refused(status: status, retryAfter: nil)
        }
    }

    private static func isBeforeConnection(_ error: any Error) -> Bool {
        error is NIOConnectionError || error is IOError || error as? HTTPClientError == .connectTimeout
    }
}
