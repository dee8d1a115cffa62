import Foundation
import Testing

@testable import Flagboard

@Suite("When a token ends")
struct TokenExpiryTests {
    /// 2026-11-21 14:05:09 UTC.
    private let now = Date(timeIntervalSince1970: 1_795_269_909)

    @Test(
        "Days and dates are read",
        arguments: [
            ("1d", "2026-11-22T14:05:09Z"), ("30d", "2026-12-21T14:05:09Z"), ("2026-11-21", "2026-11-22T00:00:00Z"),
            ("2027-01-31", "2027-02-01T00:00:00Z"), ("2028-02-29", "2028-03-01T00:00:00Z"),
        ])
    func reads(text: String, expected: String) {
        #expect(TokenExpiry.time(text, at: now)?.formatted(.iso8601) == expected)
    }

    @Test(
        "What is no time to come is refused",
        arguments: [
            "", "0d", "-1d", "d", "1.5d", "30", "30 d", "1234567d", "٣d", "2026-11-20", "2027-02-29", "2027-13-01",
            "2027-1-1", "27-01-01", "tomorrow", "2027-01-31T00:00:00Z", "2027-01-3١",
        ])
    func refuses(text: String) {
        #expect(TokenExpiry.time(text, at: now) == nil)
    }
}
