/// The explanation of a flag's value.
///
/// ```swift
/// let explanation = flags.$paymentRetries.explain()
/// print(explanation.state, explanation.resolution.source)
/// print(explanation)  // every provider's answer, in order
/// ```
public struct FlagExplanation: Hashable, Sendable {
    /// The flag's definition.
    public let definition: FlagDefinition
    /// Each provider's answer, the effective value and its source.
    public let resolution: FlagResolution
    /// The ``FlagsProvider/condition``s, by provider name.
    public let conditions: [String: String]
    /// The sources that every read asks again, because they don't report their changes.
    ///
    /// These are `computedValue`, `dynamicProviders`, `dynamicDefault`, and providers up to the one that holds the
    /// value, by name. Empty if the value is remembered until something changes.
    public let askedAtEachRead: [String]

    /// `true` if the value is an override (``FlagsProvider/isOverride(at:)``), which a reset removes.
    public var isOverridden: Bool { resolution.isOverridden }

    /// The state at a glance.
    ///
    /// A value that is no override, such as a remote server's, counts as the default.
    public var state: FlagState { FlagState(resolution) }
}

extension FlagExplanation: CustomStringConvertible {
    /// The value and its source; then each provider's answer and condition, the default, and what is asked at each
    /// read.
    public var description: String {
        let value = resolution.effectiveValue?.briefDescription ?? "no value"
        let answers = resolution.readings.map { reading in
            "  \(reading.provider): \(Self.text(reading))"
                + (conditions[reading.provider].map { " (\($0))" } ?? "")
        }
        let fallback = definition.defaultValue.map { "  default: \($0.briefDescription)" } ?? "  default: none"
        let asked =
            askedAtEachRead.isEmpty ? [] : ["  read every time: \(askedAtEachRead.joined(separator: ", "))"]
        let staleness = resolution.isStale ? ", stale (last good value)" : ""
        return
            (["\(definition.key.text): \(value), \(resolution.source.text)\(staleness)"] + answers + [fallback]
            + asked)
            .joined(separator: "\n")
    }

    private static func text(_ reading: FlagResolution.Reading) -> String {
        switch reading.answer {
        case .absent: "no value"
        case .value(let value, _): value.briefDescription
        case .broken(let problem, _):
            "broken: \(problem); "
                + "\(reading.lastGood.map { "last good value: \($0.briefDescription)" } ?? "no last good value")"
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
        case .none: "no provider has a value, and the flag has no default"
        }
    }
}

/// The state of a flag at a glance.
///
/// ```swift
/// if flags.$quickCheckout.explain().state == .overriddenOn { print("An override has switched it on.") }
/// ```
///
/// A Boolean is on or off, by default or overridden; any other flag is at its default or overridden.
public enum FlagState: String, CaseIterable, Hashable, Sendable {
    /// A Boolean that is `true` and not overridden.
    case on
    /// A Boolean that is `false` and not overridden.
    case off
    /// A Boolean that an override sets to `true`.
    case overriddenOn = "overridden-on"
    /// A Boolean that an override sets to `false`.
    case overriddenOff = "overridden-off"
    /// Another flag that is not overridden.
    case byDefault = "default"
    /// Another flag whose value is an override.
    case overridden
    /// A flag without a value or a default.
    case noValue = "no-value"
    /// A flag whose value only the app knows.
    case computed

    /// Creates the state of a resolution.
    ///
    /// A value that is no override (``FlagResolution/isOverridden``) counts as the default.
    public init(_ resolution: FlagResolution) {
        self =
            switch (resolution.effectiveValue, resolution.isOverridden) {
            case (nil, _): [.computed, .defaultValue].contains(resolution.source) ? .computed : .noValue
            case (.bool(true), true): .overriddenOn
            case (.bool(false), true): .overriddenOff
            case (.bool(true), false): .on
            case (.bool(false), false): .off
            case (_, true): .overridden
            case (_, false): .byDefault
            }
    }

    /// The state in words.
    public var label: String {
        switch self {
        case .on: "On"
        case .off: "Off"
        case .overriddenOn: "Overridden on"
        case .overriddenOff: "Overridden off"
        case .byDefault: "Default"
        case .overridden: "Overridden"
        case .noValue: "No value"
        case .computed: "Computed by the app"
        }
    }
}
