import FeatureFlags
import FlagChanges

/// The control of a Boolean in the list: default, on or off, in the provider that the flag's page would change.
struct BooleanControl: Hashable, PagePart {
    /// The provider to change; `nil` where it is the one that a form which names none changes.
    let provider: String?
    let revision: String
    /// What the buttons are about, for those who don't see the row.
    let label: String
    let options: [BooleanOption]
    /// What the flag is all the same, where an earlier provider holds a value.
    let note: String?

    /// Makes the control.
    init(_ entry: FlagEntry, in provider: String, isUsual: Bool) {
        self.provider = isUsual ? nil : provider
        revision = entry.revisions[provider]?.rawValue ?? ""
        label = isUsual ? entry.definition.shownName : "\(entry.definition.shownName) in \(provider)"
        let stored: Bool? =
            if case .value(.bool(let value), _) = entry.resolution[provider] { value } else { nil }
        let isAbsent = entry.resolution[provider] == .absent
        let outcome = { (value: Bool?) in BooleanOutcome(entry, in: provider, storing: value) }
        // Nothing is left of a flag that only its value makes one.
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

/// One of the buttons of a ``BooleanControl``.
struct BooleanOption: Hashable, PagePart {
    /// What the form is to do: `reset`, `on` or `off`.
    let action: String
    let text: String
    /// What the button does and what the flag is then, as its accessible name; `nil` where its text says so.
    let meaning: String?
    /// Whether that is what the provider holds now.
    let isPressed: Bool

    init(action: String, text: String, meaning: String?, isPressed: Bool) {
        self.action = action
        self.text = text
        self.meaning = meaning
        self.isPressed = isPressed
    }
}

/// What a Boolean is once a provider holds this or that.
private struct BooleanOutcome {
    let provider: String
    let effective: FlagValue?
    /// The earlier provider, or the code, that gives the effective value whatever this one holds.
    let winner: String?
    /// The later provider that gives it.
    let successor: String?

    init(_ entry: FlagEntry, in provider: String, storing value: Bool?) {
        self.provider = provider
        let resolution = entry.resolution
        if resolution.source == .computed {
            (effective, winner, successor) = (resolution.effectiveValue, resolution.source.words, nil)
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
    }

    private var state: String {
        switch effective {
        case .bool(true): "on"
        case .bool(false): "off"
        default: "no value"
        }
    }

    /// What a button that stores a value does, where the flag does not become what the button says.
    func setMeaning(_ deed: String) -> String? {
        winner.map { "\(deed) in \(provider): still \(state), from \($0)" }
    }

    /// What a provider without a value comes to: the default, or what a later provider holds.
    var resetText: String {
        if winner != nil { return "Not set" }
        guard let successor else { return effective == nil ? "Not set" : "Default: \(state)" }
        return "\(successor): \(state)"
    }

    var resetMeaning: String? {
        if let winner { return "Not set, remove the value of \(provider): still \(state), from \(winner)" }
        if successor != nil { return "\(resetText), remove the value of \(provider)" }
        return effective == nil ? "Not set, remove the value: no value" : nil
    }

    /// What the flag is, whatever is done here.
    var winningNote: String? { winner.map { "\($0) wins: \(state)" } }
}
