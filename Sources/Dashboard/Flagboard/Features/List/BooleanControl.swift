import FeatureFlags
import FlagChanges

/// The switch of a Boolean in the list, for the provider that the flag's page would change.
struct BooleanControl: Hashable, PagePart {
    /// `nil` for the usual provider.
    let provider: String?
    let revision: String
    let label: String
    /// Two buttons for a flag without a value, else the switch.
    let options: [BooleanOption]
    /// The word beside the switch if the provider has no value.
    let tag: String?
    /// The effect of removing the provider's value.
    let reset: String?

    /// `nil` if an earlier provider or the app's code decides, so that a switch would change nothing shown.
    init?(_ entry: FlagEntry, in provider: String, isUsual: Bool) {
        let reset = BooleanOutcome(entry, in: provider, storing: nil)
        guard reset.winner == nil, reset.computed != .value else { return nil }
        self.provider = isUsual ? nil : provider
        revision = entry.revisions[provider]?.rawValue ?? ""
        label = isUsual ? entry.definition.shownName : "\(entry.definition.shownName) in \(provider)"
        options =
            if case .bool(let isOn) = entry.resolution.effectiveValue {
                [BooleanOption(isOn: isOn)]
            } else {
                [BooleanOption(setting: true), BooleanOption(setting: false)]
            }
        let isAbsent = entry.resolution[provider] == .absent
        tag = isAbsent ? reset.sourceWord : nil
        // An undefined flag exists only through its value.
        self.reset = isAbsent || !entry.isDefined ? nil : reset.resetMeaning
    }
}

struct BooleanOption: Hashable, PagePart {
    /// `on` or `off`.
    let action: String
    /// The state; without one, the effect of a press.
    let text: String
    /// The effect of a press, if the text is the state.
    let deed: String?
    /// For the style sheet: `switch`, with `is-on` where it is on.
    let style: String

    init(isOn: Bool) {
        action = isOn ? "off" : "on"
        text = isOn ? "On" : "Off"
        deed = isOn ? "Turn off" : "Turn on"
        style = isOn ? "switch is-on" : "switch"
    }

    init(setting isOn: Bool) {
        action = isOn ? "on" : "off"
        text = isOn ? "Turn on" : "Turn off"
        deed = nil
        style = "switch-to"
    }
}

/// Looks like the switch, but is text.
struct FixedSwitch: Hashable, PagePart {
    let text: String
    let style: String
    /// The word beside the switch if the value is the default.
    let tag: String?

    /// `nil` unless the flag is a Boolean with a value.
    init?(_ entry: FlagEntry) {
        guard entry.definition.type == .bool, case .bool(let isOn) = entry.resolution.effectiveValue else { return nil }
        let option = BooleanOption(isOn: isOn)
        (text, style) = (option.text, option.style)
        tag = entry.resolution.source == .defaultValue ? "default" : nil
    }
}

/// The effective value once a provider holds a given one.
private struct BooleanOutcome {
    let provider: String
    let effective: FlagValue?
    /// The provider or code whose value is effective in any case.
    let winner: String?
    /// The later provider whose value is effective.
    let successor: String?
    /// Only the app knows the value, or the default if there is no other.
    let computed: FlagComputation?

    init(_ entry: FlagEntry, in provider: String, storing value: Bool?) {
        self.provider = provider
        let resolution = entry.resolution
        guard entry.definition.computed != .value else {
            (effective, winner, successor, computed) = (nil, nil, nil, .value)
            return
        }
        let place = resolution.readings.firstIndex { $0.provider == provider } ?? resolution.readings.endIndex
        func first(in readings: some Sequence<FlagResolution.Reading>) -> (provider: String, value: FlagValue)? {
            for reading in readings where reading.isAsked {
                if let value = reading.valueInForce { return (reading.provider, value) }
            }
            return nil
        }
        let earlier = first(in: resolution.readings[..<place])
        let later = value == nil ? first(in: resolution.readings[place...].dropFirst()) : nil
        winner = earlier?.provider
        successor = earlier == nil ? later?.provider : nil
        effective = earlier?.value ?? value.map(FlagValue.bool) ?? later?.value ?? entry.definition.defaultValue
        computed = effective == nil ? entry.definition.computed : nil
    }

    private var state: String {
        switch effective {
        case .bool(true): "on"
        case .bool(false): "off"
        default: "no value"
        }
    }

    /// Where the value is from while the provider has none.
    var sourceWord: String {
        if let successor { return "from \(successor)" }
        if computed == .default { return "computed default" }
        return effective == nil ? "not set" : "default"
    }

    var resetMeaning: String {
        if let successor { return "Reset to \(successor): \(state)" }
        if computed == .default { return "Reset to the computed default" }
        return effective == nil ? "Reset to no value" : "Reset to default: \(state)"
    }
}
