/// The state of a flag at a glance.
///
/// ```swift
/// if flags.$quickCheckout.explain().state == .overriddenOn { print("A provider has switched it on.") }
/// ```
///
/// A Boolean has the four states of on and off, by default or overridden; any other flag is at its default or
/// overridden.
public enum FlagState: String, CaseIterable, Hashable, Sendable {
    /// A Boolean whose default is `true` and that no provider overrides.
    case on
    /// A Boolean whose default is `false` and that no provider overrides.
    case off
    /// A Boolean that a provider sets to `true`.
    case overriddenOn = "overridden-on"
    /// A Boolean that a provider sets to `false`.
    case overriddenOff = "overridden-off"
    /// Another flag that no provider overrides.
    case byDefault = "default"
    /// Another flag that a provider sets.
    case overridden
    /// A flag without a value: no provider holds one and there is no default.
    case noValue = "no-value"

    /// The state that a resolution amounts to.
    public init(_ resolution: FlagResolution) {
        self =
            switch (resolution.effectiveValue, resolution.isOverridden) {
            case (nil, _): .noValue
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
        case .overriddenOn: "Set on"
        case .overriddenOff: "Set off"
        case .byDefault: "Default"
        case .overridden: "Set"
        case .noValue: "No value"
        }
    }
}
