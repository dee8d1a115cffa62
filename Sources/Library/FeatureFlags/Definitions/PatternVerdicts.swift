import Foundation
import Synchronization

/// The results of slow pattern matches, so that each is made once.
///
/// A pattern such as `(a+)+$` doubles its steps with each further letter, so a match is given up after a limit. A match
/// of few steps is as fast as a lookup, and is not kept.
final class PatternVerdicts: Sendable {
    enum Verdict: Hashable, Sendable {
        case matches
        case differs
        case undecided
    }

    /// The steps that a match may take, beyond those that grow with the text.
    enum Effort {
        /// The most: a person or a program asks about this text.
        case full
        /// The most, until undecided matches of stored values have used up the allowance; then a hundredth.
        ///
        /// The allowance keeps starts and polls short. A hundredth is still plenty for a simple pattern.
        case stored
    }

    static let shared = PatternVerdicts()

    /// Limits in progress reports, each of about 10,000 steps or a tenth of a millisecond.
    private static let most = (full: 1000, stored: 10)
    /// The length of text that allows one more report.
    private static let lengthPerReport = 1000

    private struct Remembered {
        let verdict: Verdict
        /// The reports after which the match was, or would have been, given up.
        let limit: Int
    }

    private struct Storage {
        /// Two generations of results; when `recent` is full, it replaces `earlier`.
        var (recent, earlier): ([Fingerprint: Remembered], [Fingerprint: Remembered]) = ([:], [:])
        /// The reports spent on undecided matches of stored values.
        var lost = 0
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

    /// `capacity` limits the results, each of about 100 bytes, and `allowance` the reports of undecided stored values.
    init(capacity: Int = 20_000, allowance: Int = 3000) {
        self.capacity = capacity
        self.allowance = allowance
    }

    var matches: Int { storage.withLock(\.matches) }

    var count: Int { storage.withLock { $0.recent.count + $0.earlier.count } }

    /// Matches a whole text against a pattern; `nil` if the pattern is invalid.
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

/// A key of 128 bits for a pattern and a text, so that long texts are not kept.
///
/// Hashed with a seed of the process, so that an attacker can't construct collisions.
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
    /// Matches a text, and counts the progress reports.
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
