import FeatureFlags
import FlagChanges

/// A value in a cell, perhaps with the part marked that differs from the value beside it.
struct MatrixValue: Hashable, PagePart {
    /// `Then` or `Now`; `nil` for a cell's only value.
    let label: String?
    let isNow: Bool
    /// For the style sheet: `value`, `default`, `absent`, `stale` or `broken`.
    let answer: String
    /// The value before ``mark``.
    let shown: ShownValue?
    /// `nil` if the values are equal or share too little.
    let mark: Mark?
    /// The default, no value, or a problem.
    private(set) var words: String?

    struct Mark: Hashable, PagePart {
        let text: String
        let rest: String
    }

    private static let longest = 60

    init(_ reading: FlagResolution.Reading, isReadable: Bool) {
        switch reading.answer {
        case .absent: self.init("absent", nil, "no value")
        case .value(let value, _): self.init("value", value, nil)
        case .broken(let problem, let stored):
            let words = isReadable ? "broken: \(problem.sentence(of: stored))" : "can’t be read"
            self.init(
                "broken", reading.lastGood ?? stored,
                reading.lastGood == nil ? words : "\(words); last good value")
        }
    }

    init(_ column: ValueColumn, of entry: FlagEntry, isReadable: Bool = true) {
        let reading = entry.resolution.readings.first { $0.provider == column.provider }
        if let reading, reading.answer != .absent {
            self.init(reading, isReadable: isReadable)
        } else if case .value(let value, _) = column.answer(entry) {
            let isDefault = column.provider != nil
            let words = entry.definition.computed == .value ? "default, if the app computes none" : "default"
            self.init(isDefault ? "default" : "value", value, isDefault ? words : nil)
        } else {
            self.init("absent", nil, column.absence(of: entry))
        }
    }

    /// The same value, labelled as the default.
    var asDefault: MatrixValue {
        var value = self
        value.words = "default"
        return value
    }

    private init(_ answer: String, _ value: FlagValue?, _ words: String?) {
        (label, isNow, mark) = (nil, false, nil)
        (self.answer, self.words) = (answer, words)
        shown = value.map { ShownValue($0, limit: Self.longest) }
    }

    /// Marks the part of each that differs from the other.
    static func pair(
        _ left: FlagResolution.Answer, _ right: FlagResolution.Answer, labels: (String?, String?) = (nil, nil),
        absence: (String, String) = ("no value", "no value"), staleness: (String?, String?) = (nil, nil)
    ) -> (left: MatrixValue, right: MatrixValue) {
        let shown = ShownValue.pair(left.shownValue, right.shownValue)
        let cut = cut(shown.before, shown.after)
        return (
            MatrixValue(labels.0, isNow: false, left, shown.before, cut, absence.0, staleness.0),
            MatrixValue(labels.1, isNow: labels.1 != nil, right, shown.after, cut, absence.1, staleness.1)
        )
    }

    private init(
        _ label: String?, isNow: Bool, _ answer: FlagResolution.Answer, _ shown: ShownValue, _ cut: Cut?,
        _ absence: String, _ staleness: String?
    ) {
        (self.label, self.isNow) = (label, isNow)
        let hasValue = answer.shownValue != nil
        var parts: (shown: ShownValue?, mark: Mark?) = (hasValue ? shown : nil, nil)
        if let cut, hasValue { parts = cut.applied(to: shown) }
        (self.shown, mark) = parts
        switch answer {
        case .absent: (self.answer, words) = ("absent", absence)
        case .value:
            self.answer = staleness == nil ? "value" : "stale"
            words = staleness.map { "Last good value: \($0)" }
        case .broken(let found, let stored):
            (self.answer, words) = ("broken", "broken: \(found.sentence(of: stored))")
        }
    }

    /// Common prefix and suffix, in characters.
    private struct Cut {
        let start: Int
        let end: Int

        func applied(to value: ShownValue) -> (ShownValue, Mark?) {
            let text = value.plain
            let rest = text.suffix(end)
            return (
                value.showing(String(text.prefix(start))),
                Mark(text: String(text.dropFirst(start).dropLast(end)), rest: String(rest))
            )
        }
    }

    /// `nil` if the common parts are too short to help, or a text has invisible characters.
    private static func cut(_ left: ShownValue, _ right: ShownValue) -> Cut? {
        guard left.style == right.style, ["text", "json"].contains(left.style), left != right,
            (left.parts + right.parts).allSatisfy({ $0.sign == nil })
        else { return nil }
        let (first, second) = (left.plain, right.plain)
        let start = zip(first, second).prefix { $0 == $1 }.count
        let rest = (first.dropFirst(start), second.dropFirst(start))
        let end = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
        // All texts share the quotes around them.
        return start + end > max(2, min(first.count, second.count) / 4) ? Cut(start: start, end: end) : nil
    }
}

extension FlagResolution.Answer {
    /// The stored value if it is broken.
    fileprivate var shownValue: FlagValue? {
        switch self {
        case .absent: nil
        case .value(let value, _): value
        case .broken(_, let stored): stored
        }
    }
}

extension ShownValue {
    fileprivate init(parts: [ShownPart], style: String, size: String?) {
        self.parts = parts
        self.style = style
        self.size = size
    }

    /// `text` has no invisible characters.
    fileprivate func showing(_ text: String) -> ShownValue {
        ShownValue(parts: text.isEmpty ? [] : [ShownPart(text: text, sign: nil)], style: style, size: size)
    }
}
