/// Which flags a description lists; the scopes of Override's browser.
///
/// ```swift
/// print(manager.featureFlags.summary(of: .overridden))
/// ```
public enum FlagSelection: String, CaseIterable, Hashable, Sendable {
    /// All flags.
    case all
    /// Boolean flags that are on.
    case enabled
    /// Boolean flags that are off.
    case disabled
    /// Flags that a provider sets.
    case overridden

    func contains(_ state: FlagState) -> Bool {
        switch self {
        case .all: true
        case .enabled: state == .on || state == .overriddenOn
        case .disabled: state == .off || state == .overriddenOff
        case .overridden: state == .overriddenOn || state == .overriddenOff || state == .overridden
        }
    }
}

extension Sequence where Element == any AnyFlag {
    /// The flags as text, a line each: `Group -> Nested -> Name [OFF by override]`, as Override shares them.
    ///
    /// Internal flags are left out.
    ///
    /// - Parameter selection: Which flags to list.
    /// - Returns: The lines, in the order of declaration.
    public func summary(of selection: FlagSelection = .all) -> String {
        compactMap { flag -> String? in
            let explanation = flag.explain()
            guard !flag.metadata.isInternal, selection.contains(explanation.state) else { return nil }
            return (flag.groups + [flag.name]).joined(separator: " -> ") + " [\(explanation.shortText)]"
        }.joined(separator: "\n")
    }
}

extension FlagExplanation {
    /// `ON`, `OFF by override`, or the value of a flag that is no Boolean.
    fileprivate var shortText: String {
        switch state {
        case .on: "ON"
        case .off: "OFF"
        case .overriddenOn: "ON by override"
        case .overriddenOff: "OFF by override"
        case .byDefault: resolution.effectiveValue?.briefDescription ?? "no value"
        case .overridden: "\(resolution.effectiveValue?.briefDescription ?? "no value") by override"
        case .noValue: "no value"
        }
    }
}
