import FeatureFlags
import FlagChanges

/// One side of a comparison: a provider, the defaults, or what a read returns.
enum CompareSide: Hashable, Sendable {
    case provider(String)
    case defaults
    case effective

    /// What the address calls ``effective``.
    static let effectiveName = "effective"

    /// Reads the name of a side; a provider goes before anything else that has its name.
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

    /// What the address calls it.
    var name: String {
        switch self {
        case .provider(let name): name
        case .defaults: FlagFilter.defaultSource
        case .effective: Self.effectiveName
        }
    }

    /// What the page calls it.
    var label: String {
        switch self {
        case .provider(let name): name
        case .defaults: "Default"
        case .effective: "Effective value"
        }
    }

    /// Every side that there is.
    static func all(_ providers: [ProviderSummary]) -> [CompareSide] {
        providers.map { .provider($0.name) } + [.defaults, .effective]
    }

    /// What it says of a flag.
    func answer(_ entry: FlagEntry) -> FlagResolution.Answer {
        let value =
            switch self {
            case .provider(let name): entry.resolution[name] ?? .absent
            case .defaults: Self.answer(entry.definition.defaultValue)
            case .effective: Self.answer(entry.resolution.effectiveValue)
            }
        return value
    }

    /// Why its source is broken, where what it says is the last good value of that; `nil` for any other value.
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

/// How the two sides of a comparison stand to each other for one flag.
enum Difference: String, CaseIterable, Hashable, Sendable {
    case changed
    case onlyLeft = "only-left"
    case onlyRight = "only-right"
    case same
    case neither

    /// Compares two answers by what they mean, and what is broken by what is stored.
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

    /// Whether copying one side to the other would do anything.
    var isDifferent: Bool { self != .same && self != .neither }

    /// The difference in words.
    func label(_ left: CompareSide, _ right: CompareSide) -> String {
        switch self {
        case .changed: "Changed"
        case .onlyLeft: "Only in \(left.label)"
        case .onlyRight: "Only in \(right.label)"
        case .same: "Same"
        case .neither: "In neither"
        }
    }
}
