import Foundation
import Synchronization

/// The results of matching texts against patterns, where that took long: the same match is made once.
///
/// A pattern such as `(a+)+$` takes twice as many steps with each letter more, so a match is given up after some. A match
/// that took few steps is as soon made again as looked up, and is not kept.
final class PatternVerdicts: Sendable {
    /// What came of it.
    enum Verdict: Hashable, Sendable {
        case matches
        case differs
        /// Not known: the match took more steps than it may.
        case undecided
    }

    /// How many steps a match may take beyond those that grow with the text.
    enum Effort {
        /// As many as a match ever may: a person or a program asks about this text.
        case full
        /// As many, until matches of stored values that came to nothing have taken so many together that a start or a look
        /// would last; from then on a hundredth, which is still plenty for a pattern that is simple enough.
        case stored
    }

    /// What all of the process remembers.
    static let shared = PatternVerdicts()

    /// What the regular expressions count in: about 10,000 steps, which take a tenth of a millisecond.
    private static let most = (full: 1000, stored: 10)
    /// The length of text that is worth one more.
    private static let lengthPerReport = 1000

    private struct Remembered {
        let verdict: Verdict
        /// How many reports it was given up after, or would have been.
        let limit: Int
    }

    private struct Storage {
        /// What was found or asked for last, and what was before; the latter goes when the former is full.
        var (recent, earlier): ([Fingerprint: Remembered], [Fingerprint: Remembered]) = ([:], [:])
        /// How many reports went by in matches of stored values that were given up.
        var lost = 0
        /// How many texts were held against a pattern, rather than looked up.
        var matches = 0

        mutating func find(_ fingerprint: Fingerprint, _ capacity: Int) -> Remembered? {
            if let known = recent[fingerprint] { return known }
            guard let known = earlier[fingerprint] else { return nil }
            keep(known, fingerprint, capacity)
            return known
        }

        mutating func keep(_ answer: Remembered, _ fingerprint: Fingerprint, _ capacity: Int) {
            recent[fingerprint] = answer
            guard recent.count > capacity / 2 else { return }
            (recent, earlier) = ([:], recent)
        }
    }

    private let capacity: Int
    private let allowance: Int
    private let storage = Mutex(Storage())

    /// Remembers nothing yet.
    ///
    /// - Parameters:
    ///   - capacity: The most answers to remember; one takes about 100 bytes, however long its text is.
    ///   - allowance: How many reports may go by in matches of stored values that are given up.
    init(capacity: Int = 20_000, allowance: Int = 3000) {
        self.capacity = capacity
        self.allowance = allowance
    }

    /// How many texts were held against a pattern so far, rather than looked up.
    var matches: Int { storage.withLock(\.matches) }

    /// How many answers are remembered.
    var count: Int { storage.withLock { $0.recent.count + $0.earlier.count } }

    /// Whether a text as a whole matches a pattern.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - pattern: The pattern.
    ///   - effort: How many steps that is worth.
    /// - Returns: What came of it; `nil` where the pattern is no regular expression.
    func verdict(on text: String, pattern: String, effort: Effort) -> Verdict? {
        let fingerprint = Fingerprint(pattern, text)
        let length = text.utf16.count
        let (limit, known) = storage.withLock { storage in
            let isShort = effort == .stored && storage.lost >= allowance
            let limit = (isShort ? Self.most.stored : Self.most.full) + length / Self.lengthPerReport
            return (limit, storage.find(fingerprint, capacity))
        }
        if let known, known.verdict != .undecided || known.limit >= limit { return known.verdict }
        guard let expression = FlagConstraints.expression(pattern) else { return nil }
        let (verdict, reports) = expression.verdict(on: text, length: length, limit: limit)
        storage.withLock { storage in
            storage.matches += 1
            if effort == .stored, verdict == .undecided { storage.lost += reports }
            if reports > 0 { storage.keep(Remembered(verdict: verdict, limit: limit), fingerprint, capacity) }
        }
        return verdict
    }
}

/// A key for a pattern and a text, so that a long text is not kept: 128 bits, which an attacker can't
/// choose, since each process hashes with its own seed.
private struct Fingerprint: Hashable {
    private let lengths: [Int]
    private let hashes: [Int]

    init(_ texts: String...) {
        lengths = texts.map(\.utf8.count)
        hashes = (0..<2).map { seed in
            var hasher = Hasher()
            hasher.combine(seed)
            for var text in texts { text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) } }
            return hasher.finalize()
        }
    }
}

extension NSRegularExpression {
    /// What comes of looking for a match in a text, and how many reports of progress that took.
    fileprivate func verdict(
        on text: String, length: Int, limit: Int
    ) -> (verdict: PatternVerdicts.Verdict, reports: Int) {
        var (matches, reports) = (false, 0)
        enumerateMatches(in: text, options: .reportProgress, range: NSRange(location: 0, length: length)) {
            match, _, stop in
            if match == nil { reports += 1 } else { matches = true }
            if matches || reports > limit { stop.pointee = true }
        }
        if matches { return (.matches, reports) }
        return (reports > limit ? .undecided : .differs, reports)
    }
}
