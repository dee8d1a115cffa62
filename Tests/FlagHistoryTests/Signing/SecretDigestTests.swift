import FlagHistory
import Foundation
import Testing

@Suite("Digests of secrets")
struct SecretDigestTests {
    @Test("A digest is SHA-256, as published")
    func isSHA256() {
        let hex = SecretDigest(of: "abc").bytes.map { String(format: "%02x", $0) }.joined()
        #expect(hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("A secret matches its own digest and no other, however alike they are")
    func matches() throws {
        let secret = "flagboard_0123456789"
        let digest = SecretDigest(of: secret)
        #expect(digest.matches(secret))
        for other in [
            "", "flagboard_012345678", "flagboard_01234567890", "Flagboard_0123456789", "flagboard_0123456788",
        ] {
            #expect(!digest.matches(other), "\(other)")
        }
        for place in 0..<32 {
            for bit in 0..<8 {
                var bytes = digest.bytes
                bytes[place] ^= 1 << bit
                let near = try #require(SecretDigest(bytes: bytes))
                #expect(!near.matches(secret), "bit \(bit) of byte \(place)")
            }
        }
    }

    @Test("Text that looks alike but is other bytes does not match")
    func comparesBytes() {
        #expect(!SecretDigest(of: "\u{E9}").matches("e\u{301}"))
    }

    @Test("Only 32 bytes are a digest", arguments: [0, 31, 33, 64])
    func length(count: Int) {
        #expect(SecretDigest(bytes: Data(repeating: 1, count: count)) == nil)
    }
}
