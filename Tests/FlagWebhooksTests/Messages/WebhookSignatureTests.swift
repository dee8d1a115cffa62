import Foundation
import Testing

@testable import FlagWebhooks

@Suite("Signatures of messages")
struct WebhookSignatureTests {
    private let body = Data(#"{"test": 2432232314}"#.utf8)
    private let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"

    @Test("The reference's message has the reference's signature")
    func reference() throws {
        let secret = try #require(WebhookSecret(text: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = WebhookSignature.text(of: body, id: id, timestamp: 1_614_265_330, with: secret)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("A message has its id, its time in seconds, and a signature for each secret")
    func headers() throws {
        let secrets = [WebhookSecret.random(), .random()]
        let message = WebhookMessage(id: id, body: body)
        let headers = message.headers(signedWith: secrets, at: Date(timeIntervalSince1970: 1_614_265_330.9))
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(headers[0].value == id && headers[1].value == "1614265330")
        let signatures = headers[2].value.split(separator: " ")
        #expect(signatures.count == 2 && Set(signatures).count == 2 && signatures.allSatisfy { $0.hasPrefix("v1,") })
    }

    @Test(
        "A secret is whsec_ and 24 to 64 bytes in base64",
        arguments: [(23, false), (24, true), (32, true), (64, true), (65, false)])
    func secretSizes(count: Int, isOne: Bool) {
        let text = "whsec_" + Data(repeating: 7, count: count).base64EncodedString()
        #expect((WebhookSecret(text: text) != nil) == isOne)
        #expect(WebhookSecret(text: String(text.dropFirst(6))) == nil)
    }

    @Test("A new secret reads back, and no two are the same")
    func newSecrets() {
        let secret = WebhookSecret.random()
        #expect(WebhookSecret(text: secret.text) == secret && secret.bytes.count == 32)
        #expect(WebhookSecret.random() != secret)
    }
}
