import Foundation
import Testing

@testable import FeatureFlags

@Suite("Texts that patterns take long on")
struct PatternVerdictsTests {
    private let slow = "(a+)+$"

    /// No letters but one, and a sign that no match gets past.
    private func hopeless(_ length: Int) -> String { String(repeating: "a", count: length) + "!" }

    /// A match of about a million steps, which is more than a stored value is worth once others have wasted many.
    private let laborious = (pattern: "(a|b|ab)*c", text: String(repeating: "ab", count: 16))

    @Test("A text that a pattern takes too long on is held against it once, by whoever asks")
    func once() {
        let verdicts = PatternVerdicts()
        for effort in [PatternVerdicts.Effort.stored, .full, .stored] {
            #expect(verdicts.verdict(on: hopeless(50), pattern: slow, effort: effort) == .undecided)
        }
        #expect(verdicts.matches == 1)
        #expect(verdicts.verdict(on: hopeless(51), pattern: slow, effort: .stored) == .undecided)
        #expect(verdicts.verdict(on: hopeless(50), pattern: "(a+)+b", effort: .stored) == .undecided)
        #expect(verdicts.matches == 3)
    }

    @Test("One that took long and was decided is not made again either")
    func decided() {
        let verdicts = PatternVerdicts()
        for _ in 1...2 {
            #expect(
                verdicts.verdict(on: laborious.text, pattern: laborious.pattern, effort: .stored) == .differs)
        }
        #expect(verdicts.matches == 1)
    }

    @Test("Where many stored values were given up, others are given up sooner, but not a value that somebody sets")
    func allowance() {
        let verdicts = PatternVerdicts(allowance: 2000)
        func verdict(_ effort: PatternVerdicts.Effort) -> PatternVerdicts.Verdict? {
            verdicts.verdict(on: laborious.text, pattern: laborious.pattern, effort: effort)
        }
        for length in 50...51 { _ = verdicts.verdict(on: hopeless(length), pattern: slow, effort: .stored) }
        #expect(verdict(.stored) == .undecided)
        #expect(verdicts.verdict(on: "aaaa", pattern: slow, effort: .stored) == .matches)
        let long = String(repeating: "ab", count: 100_000)
        #expect(verdicts.verdict(on: long, pattern: "[ab]*", effort: .stored) == .matches)
        #expect(verdict(.full) == .differs)
        #expect(verdict(.stored) == .differs, "what is known by now counts for every look")
    }

    @Test("Of ever more texts, the last ones are remembered and no more than there is room for")
    func bounded() {
        let verdicts = PatternVerdicts(capacity: 10, allowance: 0)
        for length in 50..<150 {
            _ = verdicts.verdict(on: hopeless(length), pattern: slow, effort: .stored)
            #expect(verdicts.verdict(on: hopeless(50), pattern: slow, effort: .stored) == .undecided)
        }
        #expect(verdicts.count <= 11)
        #expect(verdicts.matches == 100, "the one that is asked for again and again stays")
    }

    @Test("Texts that read the same and are of other bytes are told apart")
    func bytes() {
        let verdicts = PatternVerdicts()
        let padding = String(repeating: "x", count: 50_000)
        #expect(verdicts.verdict(on: padding + "\u{E9}", pattern: "x*\u{E9}", effort: .full) == .matches)
        #expect(verdicts.verdict(on: padding + "e\u{301}", pattern: "x*\u{E9}", effort: .full) == .differs)
    }

    @Test("A value that was worked out is taken over where it is the same, and worked out anew where it is another")
    func takenOver() throws {
        let key = FlagKeyPath(components: ["flag"])
        let definition = FlagDefinition(key: key, type: .integer, constraints: FlagConstraints(maximum: 5))
        let lax = FlagDefinition(key: key, type: .integer)
        let provider = InMemoryProvider(name: "Memory")
        try provider.setStoredValue(.integer(8), at: key)
        let before = lax.resolve(in: [provider])
        #expect(definition.resolve(in: [provider], after: before) == before)
        try provider.setStoredValue(.integer(9), at: key)
        #expect(definition.resolve(in: [provider], after: before).isBroken)
        try provider.setStoredValue(nil, at: key)
        #expect(definition.resolve(in: [provider], after: before)["Memory"] == .absent)
    }
}
