/// The flags that a description lists; the scopes of Override's browser.
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
    /// Flags whose value is an override.
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
    /// Returns the flags as text, one per line: `Group → Nested → Name [OFF by override]`, as Override shares them.
    ///
    /// Internal flags are left out.
    ///
    /// - Parameter selection: The flags to list.
    /// - Returns: The lines, in the order of declaration.
    public func summary(of selection: FlagSelection = .all) -> String {
        compactMap { flag -> String? in
            let explanation = flag.explain()
            guard !flag.metadata.isInternal, selection.contains(explanation.state) else { return nil }
            return explanation.state.summary(of: flag.groups + [flag.name], explanation.resolution.effectiveValue)
        }.joined(separator: "\n")
    }
}

extension FlagState {
    /// Returns a line as Override shares it: `Group → Nested → Name [OFF by override]`.
    package func summary(of names: [String], _ value: FlagValue?) -> String {
        "\(names.joined(separator: " → ")) [\(shortText(value))]"
    }

    /// `ON by default`, `OFF by override`, or the same with the value of a flag that is not a Boolean.
    private func shortText(_ value: FlagValue?) -> String {
        switch self {
        case .on: "ON by default"
        case .off: "OFF by default"
        case .overriddenOn: "ON by override"
        case .overriddenOff: "OFF by override"
        case .byDefault: "\(value?.briefDescription ?? "no value") by default"
        case .overridden: "\(value?.briefDescription ?? "no value") by override"
        case .noValue: "no value"
        case .computed: "computed by the app"
        }
    }
}

/// A visitor of the flags and groups of collections, in the order of declaration.
///
/// ```swift
/// struct Outline: FlagVisitor {
///     var lines: [String] = []
///     mutating func enter(_ collection: AnyFlagCollection) { lines.append(collection.name) }
///     mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) { lines.append("- \(flag.name): \(Value.self)") }
/// }
///
/// var outline = Outline()
/// manager.tree.walk(&outline)
/// print(outline.lines.joined(separator: "\n"))
/// ```
public protocol FlagVisitor {
    /// Called before the flags of a group.
    ///
    /// - Parameter collection: The group.
    mutating func enter(_ collection: AnyFlagCollection)

    /// Called with each flag.
    ///
    /// - Parameter flag: The flag, with the type of its value.
    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>)

    /// Called after the flags of a group.
    ///
    /// - Parameter collection: The group.
    mutating func leave(_ collection: AnyFlagCollection)
}

extension FlagVisitor {
    /// Does nothing.
    public mutating func enter(_ collection: AnyFlagCollection) {}

    /// Does nothing.
    public mutating func leave(_ collection: AnyFlagCollection) {}
}

extension Sequence where Element == FlagTree {
    /// Passes the flags and groups, including nested ones, to a visitor.
    ///
    /// - Parameter visitor: The visitor.
    public func walk(_ visitor: inout some FlagVisitor) {
        for node in self {
            switch node {
            case .flag(let flag):
                flag.accept(&visitor)
            case .collection(let collection):
                visitor.enter(collection)
                collection.children.walk(&visitor)
                visitor.leave(collection)
            }
        }
    }
}

extension FlagsManager {
    /// The flags whose value changed since they were loaded and takes effect only at a restart.
    ///
    /// A read returns the new value at once; an app that can't follow it checks here whether to restart.
    public var flagsAwaitingRestart: [any AnyFlag] { featureFlags.filter(\.awaitsRestart) }
}
