import Foundation
import Testing

@testable import FeatureFlagsRemote

@Suite("How long to wait before trying again")
struct BackoffTests {
    @Test func `waits double up to the limit, and lie in the upper half of the longest one`() {
        var backoff = Backoff(first: .seconds(1), limit: .seconds(10))
        for longest in [1.0, 2, 4, 8, 10, 10, 10] {
            let wait = backoff.next()
            #expect(wait >= .seconds(longest / 2) && wait <= .seconds(longest), "\(wait) of \(longest) s")
        }
        #expect(backoff.failures == 7)
    }

    @Test func `waits differ from one reader to the next`() {
        let waits = (0..<50).map { _ in
            var backoff = Backoff()
            return backoff.next()
        }
        #expect(Set(waits).count > 40)
    }

    @Test func `a server's own wish counts where it is longer, an hour at most`() {
        var backoff = Backoff(first: .seconds(1), limit: .seconds(2))
        #expect(backoff.next(askedFor: .seconds(90)) == .seconds(90))
        #expect(backoff.next(askedFor: .zero) >= .seconds(1))
        #expect(backoff.next(askedFor: .seconds(1_000_000)) == .seconds(3600))
    }

    @Test func `it begins anew after a success, and never overflows`() {
        var backoff = Backoff(first: .seconds(1), limit: .seconds(60))
        for _ in 0..<10_000 { #expect(backoff.next() <= .seconds(60)) }
        backoff.reset()
        #expect(backoff.next() <= .seconds(1))
    }

    @Test(arguments: [
        ("120", 120.0), (" 0 ", 0), ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
    ])
    func `Retry-After is read as seconds or as a date`(_ field: String, _ seconds: Double) {
        let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
        #expect(Backoff.askedFor(field, at: now) == .seconds(seconds))
    }

    @Test(arguments: ["", "soon", "-5", "1.5", "99999999999999999999"])
    func `what Retry-After can't mean is no wish`(_ field: String) {
        #expect(Backoff.askedFor(field, at: Date(timeIntervalSince1970: 0)) == nil)
    }
}
