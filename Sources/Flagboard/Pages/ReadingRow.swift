import FeatureFlags

/// One line of the answer to "why this value": a provider's answer, or the default.
struct ReadingRow: Hashable, Sendable {
    let source: String
    /// Where the values come from.
    let about: String?
    /// `value`, `absent` or `broken`, for the style sheet.
    let answer: String
    let shown: ShownValue?
    /// What is wrong, where the answer is broken.
    let problem: String?
    /// What the answer comes to, in words.
    let verdict: String
    let isWinner: Bool

    init(_ reading: FlagResolution.Reading, about: String?, source: FlagResolution.Source) {
        let isWinner = source == .provider(reading.provider)
        self.source = reading.provider
        self.about = about
        self.isWinner = isWinner
        switch reading.answer {
        case .absent:
            answer = "absent"
            shown = nil
            problem = nil
            verdict = "Absent"
        case .value(let value, _):
            answer = "value"
            shown = ShownValue(value)
            problem = nil
            verdict = isWinner ? "Effective" : "Not used: an earlier provider holds a value"
        case .broken(let found, let stored):
            answer = "broken"
            shown = stored.map { ShownValue($0) }
            problem = found.description
            verdict = "Broken: passed over"
        }
    }

    /// The line of the default, after those of the providers.
    init(defaultValue: FlagValue?, source: FlagResolution.Source) {
        self.source = "default"
        about = "The definition's fallback"
        answer = defaultValue == nil ? "absent" : "value"
        shown = defaultValue.map { ShownValue($0) }
        problem = nil
        isWinner = source == .defaultValue
        verdict =
            switch (defaultValue, isWinner) {
            case (nil, _): "No default"
            case (_, true): "Effective"
            case (_, false): "Not used: a provider holds a value"
            }
    }
}
