/// How a flag's value comes about.
///
/// ```swift
/// let explanation = flags.$paymentRetries.explain()
/// print(explanation.state, explanation.resolution.source)
/// print(explanation)  // every provider's answer, in order
/// ```
public struct FlagExplanation: Hashable, Sendable {
    /// What is known of the flag.
    public let definition: FlagDefinition
    /// What each provider says, the effective value and its source.
    public let resolution: FlagResolution
    /// Where values come from and how fresh they are, by the name of each provider that says so
    /// (``FlagsProvider/condition``).
    public let conditions: [String: String]

    /// The state at a glance.
    public var state: FlagState { FlagState(resolution) }
}

extension FlagExplanation: CustomStringConvertible {
    /// The value and its source in one line, then each provider's answer and the default in a line of its own; what a provider says
    /// of its condition is in parentheses.
    public var description: String {
        let value = resolution.effectiveValue?.briefDescription ?? "no value"
        let answers = resolution.readings.map { reading in
            "  \(reading.provider): \(Self.text(reading))"
                + (conditions[reading.provider].map { " (\($0))" } ?? "")
        }
        let fallback = definition.defaultValue.map { "  default: \($0.briefDescription)" } ?? "  default: none"
        let staleness = resolution.isStale ? ", stale: the last good value" : ""
        return (["\(definition.key.text): \(value), \(resolution.source.text)\(staleness)"] + answers + [fallback])
            .joined(separator: "\n")
    }

    private static func text(_ reading: FlagResolution.Reading) -> String {
        switch reading.answer {
        case .absent: "holds none"
        case .value(let value, _): value.briefDescription
        case .broken(let problem, _):
            "broken: \(problem); \(reading.lastGood.map { "its last good value is \($0.briefDescription)" } ?? "it has no last good value")"
        }
    }
}

extension FlagResolution.Source {
    /// The source in words: `from Local`.
    public var text: String {
        switch self {
        case .provider(let name): "from \(name)"
        case .computed: "computed"
        case .defaultValue: "the default"
        case .none: "held by no provider, and there is no default"
        }
    }
}
