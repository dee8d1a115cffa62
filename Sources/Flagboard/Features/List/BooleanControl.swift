import FeatureFlags
import FlagChanges

/// The control of a Boolean in the list: default, on or off, in the provider that the flag's page would change.
struct BooleanControl: Hashable, Sendable {
    let provider: String
    let revision: String
    /// The list to come back to.
    let back: String
    /// What the buttons are about, for those who don't see the row.
    let label: String
    let options: [BooleanOption]
    /// That a change here does not show, where an earlier provider holds a value.
    let note: String?

    /// Makes the control.
    ///
    /// - Parameters:
    ///   - entry: The flag, a Boolean.
    ///   - provider: The provider to change.
    ///   - back: The list to come back to.
    init(_ entry: FlagEntry, in provider: String, back: String) {
        self.provider = provider
        self.back = back
        revision = entry.revisions[provider]?.rawValue ?? ""
        label = "\(entry.definition.shownName) in \(provider)"
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
        note = outcome(true).winner.map { "\($0) wins over \(provider)" }
    }
}

/// One of the buttons of a ``BooleanControl``.
struct BooleanOption: Hashable, Sendable {
    /// What the form is to do: `reset`, `on` or `off`.
    let action: String
    let text: String
    /// What the button does and what the flag is then, as its accessible name.
    let meaning: String
    let isPressed: Bool
    /// ``isPressed`` as an attribute says it.
    let pressed: String

    init(action: String, text: String, meaning: String, isPressed: Bool) {
        self.action = action
        self.text = text
        self.meaning = meaning
        self.isPressed = isPressed
        pressed = "\(isPressed)"
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
    let isDefined: Bool

    init(_ entry: FlagEntry, in provider: String, storing value: Bool?) {
        self.provider = provider
        isDefined = entry.isDefined
        let resolution = entry.resolution
        if resolution.source == .computed {
            (effective, winner, successor) = (resolution.effectiveValue, resolution.source.words, nil)
            return
        }
        let place = resolution.readings.firstIndex { $0.provider == provider } ?? resolution.readings.endIndex
        func first(in readings: some Sequence<FlagResolution.Reading>) -> (provider: String, value: FlagValue)? {
            for reading in readings {
                if case .value(let value, _) = reading.answer { return (reading.provider, value) }
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

    func setMeaning(_ deed: String) -> String {
        if let winner { return "\(deed) in \(provider): still \(state), from \(winner)" }
        return isDefined ? "\(deed): overridden \(state)" : "\(deed): \(state)"
    }

    /// What a provider without a value is called: the flag is at its default only where no other holds one.
    var resetText: String { winner == nil && successor == nil ? "Default" : "Not set" }

    var resetMeaning: String {
        if let winner { return "Not set, remove the value of \(provider): still \(state), from \(winner)" }
        if let successor { return "Not set, remove the value of \(provider): \(state), from \(successor)" }
        return effective == nil ? "Default, remove the value: no value" : "Reset to the default: \(state)"
    }
}

extension BooleanControl: PagePart {
    static let fields: PageFields<Self> = [
        "provider": .of(\.provider), "revision": .of(\.revision), "back": .of(\.back), "label": .of(\.label),
        "options": .of(\.options), "note": .of(\.note),
    ]
}

extension BooleanOption: PagePart {
    static let fields: PageFields<Self> = [
        "action": .of(\.action), "text": .of(\.text), "meaning": .of(\.meaning), "isPressed": .of(\.isPressed),
        "pressed": .of(\.pressed),
    ]
}
