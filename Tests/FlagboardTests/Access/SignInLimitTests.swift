import Foundation
import Testing

@testable import Flagboard

@Suite("The limit of wrong tokens")
struct SignInLimitTests {
    private let clock = TestClock()

    @Test("Ten a minute may fail from an address; the next one waits for the rest of the minute")
    func perAddress() {
        var limit = SignInLimit()
        for _ in 1...10 { #expect(limit.fail(from: "a", at: clock.now) == nil) }
        clock.advance(seconds: 20)
        #expect(limit.fail(from: "a", at: clock.now) == 40)
        #expect(limit.fail(from: "b", at: clock.now) == nil)
        clock.advance(seconds: 40)
        #expect(limit.fail(from: "a", at: clock.now) == nil)
    }

    @Test("Sixty a minute may fail in all, and no more addresses are kept")
    func inAll() {
        var limit = SignInLimit()
        let waits = (0..<10_000).map { limit.fail(from: "address \($0)", at: clock.now) }
        #expect(waits.prefix(60).allSatisfy { $0 == nil })
        #expect(waits.dropFirst(60).allSatisfy { $0 == 60 })
        let kept = Mirror(reflecting: limit).children.first { $0.label == "failures" }?.value as? [String: Int]
        #expect(kept?.count == 60)
    }

    @Test("A clock that goes back does not keep anybody waiting for longer than a minute")
    func clockGoesBack() {
        var limit = SignInLimit()
        for _ in 1...10 { _ = limit.fail(from: "a", at: clock.now) }
        clock.advance(hours: -1)
        #expect(limit.fail(from: "a", at: clock.now) == nil)
    }
}
