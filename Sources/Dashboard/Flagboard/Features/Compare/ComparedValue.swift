import FeatureFlags

/// A value beside another one, with the part in which they differ.
struct ComparedValue: Hashable, PagePart {
    /// What the value is of, such as a provider.
    let label: String
    /// `value`, `absent` or `broken`, for the style sheet.
    let answer: String
    /// That there is no value, in words.
    let absence: String?
    /// What is wrong, where the answer is broken.
    let problem: String?
    /// That it is the last good value of a source that is broken; `nil` for any other.
    let staleness: String?
    /// The value, less what ``mark`` shows and what follows on it.
    let shown: ShownValue?
    /// The part that differs; `nil` where the values differ as a whole, or not at all.
    let mark: Mark?

    /// The part of a value in which it differs from the other.
    struct Mark: Hashable, PagePart {
        let text: String
        /// What follows on it.
        let rest: String
    }

    /// Both values of a comparison.
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

    /// How much two texts share at their beginning and at their end, in characters.
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

    /// Where two texts differ; `nil` where they share too little for that to tell anything, or hold what can't be seen.
    private static func cut(_ left: ShownValue, _ right: ShownValue) -> Cut? {
        guard left.style == right.style, ["text", "json"].contains(left.style), left != right,
            (left.parts + right.parts).allSatisfy({ $0.sign == nil })
        else { return nil }
        let (first, second) = (left.plain, right.plain)
        let start = zip(first, second).prefix { $0 == $1 }.count
        let rest = (first.dropFirst(start), second.dropFirst(start))
        let end = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
        // The quotes around a text are shared by all texts.
        return start + end > max(2, min(first.count, second.count) / 4) ? Cut(start: start, end: end) : nil
    }
}

extension FlagResolution.Answer {
    /// The value to show: what it means, or else what is stored.
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

    /// The same with another text, in which nothing is hidden.
    fileprivate func showing(_ text: String) -> ShownValue {
        ShownValue(parts: text.isEmpty ? [] : [ShownPart(text: text, sign: nil)], style: style, size: size)
    }
}
