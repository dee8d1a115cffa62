import FeatureFlags

/// A value beside another, with the differing part marked.
struct ComparedValue: Hashable, PagePart {
    let label: String
    /// `value`, `absent` or `broken`, for the style sheet.
    let answer: String
    let absence: String?
    let problem: String?
    /// A note that a broken source's last good value is shown.
    let staleness: String?
    /// The value before ``mark``.
    let shown: ShownValue?
    /// The differing part; `nil` when the values are equal or share too little.
    let mark: Mark?

    struct Mark: Hashable, PagePart {
        let text: String
        let rest: String
    }

    static func pair(
        _ left: FlagResolution.Answer, _ right: FlagResolution.Answer, labels: (String, String),
        absence: (String, String) = ("no value", "no value"), staleness: (left: String?, right: String?) = (nil, nil)
    ) -> (left: ComparedValue, right: ComparedValue) {
        let shown = ShownValue.pair(left.shownValue, right.shownValue)
        let cut = cut(shown.before, shown.after)
        return (
            ComparedValue(labels.0, left, shown.before, cut, absence.0, staleness.left),
            ComparedValue(labels.1, right, shown.after, cut, absence.1, staleness.right)
        )
    }

    private init(
        _ label: String, _ answer: FlagResolution.Answer, _ shown: ShownValue, _ cut: Cut?, _ absence: String,
        _ staleness: String?
    ) {
        self.label = label
        self.staleness = staleness.map { "The last good value: \($0)" }
        let hasValue = answer.shownValue != nil
        var parts: (shown: ShownValue?, mark: Mark?) = (hasValue ? shown : nil, nil)
        if let cut, hasValue { parts = cut.applied(to: shown) }
        (self.shown, mark) = parts
        switch answer {
        case .absent: (self.answer, self.absence, problem) = ("absent", absence, nil)
        case .value: (self.answer, self.absence, problem) = ("value", nil, nil)
        case .broken(let found, _): (self.answer, self.absence, problem) = ("broken", nil, found.description)
        }
    }

    /// The lengths of the common prefix and suffix, in characters.
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

    /// Returns the common parts, or `nil` when they are too short to help or a text has invisible characters.
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
    /// The value, or what is stored if it is broken.
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

    /// Returns the value with another text that has no invisible characters.
    fileprivate func showing(_ text: String) -> ShownValue {
        ShownValue(parts: text.isEmpty ? [] : [ShownPart(text: text, sign: nil)], style: style, size: size)
    }
}
