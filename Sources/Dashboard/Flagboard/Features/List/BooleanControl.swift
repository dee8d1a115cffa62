import FeatureFlags
import FlagChanges

/// The buttons that set a Boolean in the list, in the provider that the flag's page would change.
struct BooleanControl: Hashable, PagePart {
    /// `nil` for the provider that a form without one changes.
    let provider: String?
    let revision: String
    /// The buttons' accessible group name.
    let label: String
    let options: [BooleanOption]
    /// A note that an earlier provider stays effective.
    let note: String?

    init(_ entry: FlagEntry, in provider: String, isUsual: Bool) {
        self.provider = isUsual ? nil : provider
        revision = entry.revisions[provider]?.rawValue ?? ""
        label = isUsual ? entry.definition.shownName : "\(entry.definition.shownName) in \(provider)"
        let stored: Bool? =
            if case .value(.bool(let value), _) = entry.resolution[provider] { value } else { nil }
        let isAbsent = entry.resolution[provider] == .absent
        let outcome = { (value: Bool?) in BooleanOutcome(entry, in: provider, storing: value) }
        // An undefined flag exists only through its value.
        let reset: BooleanOption? =
            entry.isDefined
            ? BooleanOption(
                action: "reset", text: outcome(nil).resetText, meaning: outcome(nil).resetMeaning, isPressed: isAbsent)
            : nil
        options =
            [reset].compactMap { $0 } + [
                BooleanOption(
                    action: "on", text: "On", meaning: outcome(true).setMeaning("Set on"), isPressed: stored == true),
                BooleanOption(
                    action: "off", text: "Off", meaning: outcome(false).setMeaning("Set off"),
                    isPressed: stored == false),
            ]
        note = outcome(true).winningNote
    }
}

struct BooleanOption: Hashable, PagePart {
    /// `reset`, `on` or `off`.
    let action: String
    let text: String
    /// The accessible name; `nil` if the text says as much.
    let meaning: String?
    /// The provider holds this value now.
    let isPressed: Bool

    init(action: String, text: String, meaning: String?, isPressed: Bool) {
        self.action = action
        self.text = text
        self.meaning = meaning
        self.isPressed = isPressed
    }
}

/// The flag's value once a provider holds a given one.
private struct BooleanOutcome {
    let provider: String
    let effective: FlagValue?
    /// The earlier provider, or the code, whose value is effective in any case.
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

    /// The button's effect, if the flag doesn't get its value.
    func setMeaning(_ deed: String) -> String? {
        if computed == .value { return "\(deed) in \(provider): used if the app computes none" }
        return winner.map { "\(deed) in \(provider): still \(state), from \($0)" }
    }

    /// The value after a reset: the default, or a later provider's.
    var resetText: String {
        if winner != nil { return "Not set" }
        guard let successor else {
            if computed == .default { return "Default: computed" }
            return effective == nil ? "Not set" : "Default: \(state)"
        }
        return "\(successor): \(state)"
    }

    var resetMeaning: String? {
        if let winner { return "Not set, remove the value of \(provider): still \(state), from \(winner)" }
        if successor != nil { return "\(resetText), remove the value of \(provider)" }
        if computed != nil { return "\(resetText), remove the value: the app computes it" }
        return effective == nil ? "Not set, remove the value: no value" : nil
    }

    var winningNote: String? {
        if computed == .value { return "computed by the app" }
        return winner.map { "\($0) wins: \(state)" }
    }
}
