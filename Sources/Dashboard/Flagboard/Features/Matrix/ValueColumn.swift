import FeatureFlags
import FlagChanges

/// A source of values to set beside others.
enum ValueColumn: Hashable, Sendable {
    case provider(String)
    /// An environment's file, or else the default.
    case environment(String)
    case defaults
    case effective

    static let effectiveName = "effective"

    /// Finds a provider, the defaults or the effective values by name; a provider of the same name comes first.
    init?(_ name: String, among providers: [ProviderSummary]) {
        if providers.contains(where: { $0.name == name }) {
            self = .provider(name)
        } else if name == FlagFilter.defaultSource {
            self = .defaults
        } else if name == Self.effectiveName {
            self = .effective
        } else {
            return nil
        }
    }

    /// The name in the address.
    var name: String {
        switch self {
        case .provider(let name), .environment(let name): name
        case .defaults: FlagFilter.defaultSource
        case .effective: Self.effectiveName
        }
    }

    var label: String {
        switch self {
        case .provider(let name), .environment(let name): name
        case .defaults: "Default"
        case .effective: "Effective value"
        }
    }

    /// The provider that holds its values, if any.
    var provider: String? {
        switch self {
        case .provider(let name), .environment(let name): name
        case .defaults, .effective: nil
        }
    }

    /// The words for a flag without a value in this column.
    func absence(of entry: FlagEntry) -> String {
        if isComputed(entry) { return ShownValue.computed }
        return self == .defaults ? "no default" : ShownValue.absence
    }

    /// True if only the app knows the flag's value in this column.
    func isComputed(_ entry: FlagEntry) -> Bool {
        guard answer(entry) == .absent else { return false }
        return switch self {
        case .provider: false
        case .environment, .defaults: entry.definition.computed == .default
        case .effective: FlagState(entry.resolution) == .computed
        }
    }

    static func all(_ providers: [ProviderSummary]) -> [ValueColumn] {
        providers.map { .provider($0.name) } + [.defaults, .effective]
    }

    func answer(_ entry: FlagEntry) -> FlagResolution.Answer {
        switch self {
        case .provider(let name): return entry.resolution[name] ?? .absent
        case .environment(let name):
            let answer = entry.resolution[name] ?? .absent
            return answer == .absent ? Self.answer(entry.definition.defaultValue) : answer
        case .defaults: return Self.answer(entry.definition.defaultValue)
        case .effective: return Self.answer(entry.resolution.effectiveValue)
        }
    }

    /// Returns the value to compare: the last good one of an environment whose file can't be read, or `nil` without one.
    func known(_ entry: FlagEntry, unreadable: Set<String>) -> FlagResolution.Answer? {
        let answer = answer(entry)
        guard case .environment(let name) = self, case .broken = answer, unreadable.contains(name) else {
            return answer
        }
        return entry.resolution.readings.first { $0.provider == name }?.lastGood.map { .value($0, stored: $0) }
    }

    /// Returns the problem of a broken source whose last good value is shown; `nil` for other values.
    func staleness(_ entry: FlagEntry) -> String? {
        guard self == .effective, entry.resolution.isStale, let broken = entry.resolution.brokenSources.last,
            let problem = broken.problem
        else { return nil }
        return "\(broken.provider) is broken: \(problem)"
    }

    private static func answer(_ value: FlagValue?) -> FlagResolution.Answer {
        value.map { .value($0, stored: $0) } ?? .absent
    }
}

/// The relation between a flag's values in two columns.
enum Difference: String, CaseIterable, Hashable, Sendable {
    case changed
    case onlyLeft = "only-left"
    case onlyRight = "only-right"
    case same
    case neither

    /// Compares values by meaning, and broken ones by what is stored.
    init(_ left: FlagResolution.Answer, _ right: FlagResolution.Answer, of definition: FlagDefinition) {
        switch (left, right) {
        case (.absent, .absent): self = .neither
        case (_, .absent): self = .onlyLeft
        case (.absent, _): self = .onlyRight
        case (.value(let left, _), .value(let right, _)): self = definition.meansSame(left, right) ? .same : .changed
        case (.broken(_, let left?), .broken(_, let right?)): self = left == right ? .same : .changed
        default: self = .changed
        }
    }

    var isDifferent: Bool { self != .same && self != .neither }

    func label(_ left: ValueColumn, _ right: ValueColumn) -> String {
        switch self {
        case .changed: "Different values"
        case .onlyLeft: "Only in \(left.label)"
        case .onlyRight: "Only in \(right.label)"
        case .same: "Same"
        case .neither: "Not set"
        }
    }
}

extension Difference: JSONWord {}
