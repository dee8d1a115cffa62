import Synchronization

/// A flag or group as a property of a collection.
protocol FlagCollectionMember {
    func place(_ name: String, below group: FlagGroupPath, source: FlagSource) -> [FlagTree]

    var memberFlags: [any AnyFlag] { get }

    /// Returns the names of the properties that lead from here to a flag; `nil` if it isn't here.
    func names(to flag: ObjectIdentifier) -> [String]?
}

/// A flag as a property of a type of collection, whichever loader has placed it.
struct FlagProperty: Hashable, Sendable {
    /// The type of the collection.
    let collection: ObjectIdentifier
    /// The names of the properties that lead from the collection to the flag.
    let names: [String]
}

/// A node of a loader's ``FlagsLoader/tree``: a flag or a group.
///
/// ```swift
/// for node in flags.tree {
///     switch node {
///     case .flag(let flag): print(flag.name)
///     case .collection(let group): print(group.name, group.children.count)
///     }
/// }
/// ```
public enum FlagTree: Sendable {
    /// A flag.
    case flag(any AnyFlag)
    /// A group.
    case collection(AnyFlagCollection)

    /// The flag, or all flags below, in the order of declaration.
    public var flags: [any AnyFlag] {
        switch self {
        case .flag(let flag): [flag]
        case .collection(let collection): collection.children.flatMap(\.flags)
        }
    }
}

/// The groups around a flag, outermost first.
struct FlagGroupPath: Sendable {
    /// Components for the key paths of the flags.
    var components: [String] = []
    /// The components, and one for each group that adds none to key paths.
    var path: [String] = []
    var labels: [String] = []
    /// Metadata that all flags below inherit.
    var metadata = FlagMetadata()
    /// The way here from each collection around, outermost first.
    var ways: [FlagProperty] = []

    /// `component` stands in the path of a group that adds none to key paths.
    func appending(
        _ components: [String], orInPath component: String, property: String, label: String, metadata: FlagMetadata
    ) -> FlagGroupPath {
        var metadata = metadata
        metadata.inherit(from: self.metadata)
        return FlagGroupPath(
            components: self.components + components, path: path + (components.isEmpty ? [component] : components),
            labels: labels + [label], metadata: metadata, ways: ways.map { $0.appending(property) })
    }

    /// The group that tools show a flag in; `nil` for that of its key path, which may be declared as a whole.
    func shown(in source: FlagSource, around keyPath: FlagKeyPath? = nil) -> FlagKeyPath? {
        guard let keyPath else { return path == components ? nil : source.keyPath(path) }
        let group = path.isEmpty ? nil : source.keyPath(path)
        return group == keyPath.parent ? nil : group
    }
}

extension FlagProperty {
    func appending(_ name: String) -> FlagProperty { FlagProperty(collection: collection, names: names + [name]) }
}

extension FlagCollectionProtocol {
    /// The flags and groups with the names of their properties, in the order of declaration.
    private var members: [(name: String, member: any FlagCollectionMember)] {
        Mirror(reflecting: self).children.compactMap { child in
            guard let member = child.value as? any FlagCollectionMember, let label = child.label else { return nil }
            // A property wrapper is stored under the property's name with a leading underscore.
            return (label.hasPrefix("_") ? String(label.dropFirst()) : label, member)
        }
    }

    func placeMembers(below group: FlagGroupPath, source: FlagSource) -> [FlagTree] {
        var group = group
        group.ways.append(FlagProperty(collection: ObjectIdentifier(Self.self), names: []))
        return members.flatMap { $0.member.place($0.name, below: group, source: source) }
    }

    /// All flags, including those of groups, in the order of declaration.
    var memberFlags: [any AnyFlag] { members.flatMap(\.member.memberFlags) }

    /// Returns the names of the properties that lead to a flag; `nil` if it isn't in the collection.
    func names(to flag: ObjectIdentifier) -> [String]? {
        for (name, member) in members {
            if let names = member.names(to: flag) { return [name] + names }
        }
        return nil
    }
}

/// A group of flags of a loaded collection, whatever its type.
///
/// ```swift
/// for case .collection(let group) in flags.tree {
///     print(group.name, group.metadata.description, group.children.flatMap(\.flags).count)
/// }
/// ```
public struct AnyFlagCollection: Sendable {
    /// The readable name.
    public let name: String
    /// The group's metadata, completed from the groups around it.
    public let metadata: FlagMetadata
    /// The start of the key paths of its flags; `nil` for a top-level group that adds no component.
    public let keyPath: FlagKeyPath?
    /// `true` if the group adds a component to the key paths of its flags.
    public let isInKeyPath: Bool
    /// `true` if a tool should show the group as a part of the page around it.
    public let isSection: Bool
    /// The path of the group: ``keyPath``, with a component for each group that adds none.
    package let path: FlagKeyPath
    /// Its flags and groups, in the order of declaration.
    public let children: [FlagTree]

    init<Group>(_ collection: FlagCollection<Group>, path: FlagGroupPath, source: FlagSource) {
        name = path.labels.last ?? collection.name
        metadata = path.metadata
        keyPath = collection.keyPath
        isInKeyPath = collection.addsComponent
        isSection = collection.uiRepresentation == .asSection
        self.path = source.keyPath(path.path)
        children = collection.wrappedValue.placeMembers(below: path, source: source)
    }
}

final class FlagPlacement: Sendable {
    let keyPath: FlagKeyPath
    /// The name of the property that declares the flag.
    let propertyName: String
    /// Readable names, outermost first.
    let groups: [String]
    /// The group that tools show the flag in; `nil` for the one of its key path.
    let group: FlagKeyPath?
    /// Metadata that the flag inherits from its groups.
    let groupMetadata: FlagMetadata
    let source: FlagSource
    private let exclusion: FlagExclusion
    /// The way to the flag's group from each collection around, outermost first; all flags of a group share the array.
    private let ways: [FlagProperty]

    init(
        keyPath: FlagKeyPath, propertyName: String, groups: [String], group: FlagKeyPath?,
        groupMetadata: FlagMetadata = FlagMetadata(), source: FlagSource, exclusion: FlagExclusion,
        ways: [FlagProperty] = []
    ) {
        self.keyPath = keyPath
        self.propertyName = propertyName
        self.groups = groups
        self.group = group
        self.groupMetadata = groupMetadata
        self.source = source
        self.exclusion = exclusion
        self.ways = ways
    }

    /// The flag as a property of each collection around it.
    var properties: [FlagProperty] { ways.map { $0.appending(propertyName) } }

    /// The providers that the flag does not exclude, in order of precedence.
    var providers: [any FlagsProvider] { source.providers.filter(isRead(from:)) }

    var excludedProviders: [String] {
        source.providers.filter { !isRead(from: $0) }.map(\.name).reduce(into: exclusion.names) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    func isRead(from provider: any FlagsProvider) -> Bool { !exclusion.excludes(provider) }
}

extension FlagPlacement {
    func reportBroken(_ problem: FlagValueError, in provider: any FlagsProvider, wanted expectation: String) {
        source.diagnostics.report(
            FlagDiagnostic(
                flag: keyPath, provider: provider.name,
                kind: .brokenValue(found: provider.heldValue(at: keyPath)?.briefDescription, wanted: expectation),
                problem: problem))
    }
}

struct FlagExclusion: Sendable {
    /// The name of the only provider to read from; `nil` for all.
    let only: String?
    let types: [any FlagsProviderConvertible.Type]
    let names: [String]

    func excludes(_ provider: any FlagsProvider) -> Bool {
        (only ?? provider.name) != provider.name || names.contains(provider.name) || provider.isOfType(in: types)
    }
}

/// A flag's place, which is set once.
///
/// Read at each read of a value that is not remembered: `AtomicLazyReference` asks the runtime for its type each time.
struct PlacedOnce: ~Copyable {
    private let place = Atomic<Unmanaged<FlagPlacement>?>(nil)

    func load() -> FlagPlacement? { place.load(ordering: .acquiring)?.takeUnretainedValue() }

    /// Returns the place that the flag has from now on.
    func storeIfNil(_ placement: FlagPlacement) -> FlagPlacement {
        let new = Unmanaged.passRetained(placement)
        let (isFirst, earlier) = place.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
        guard !isFirst, let earlier else { return placement }
        new.release()
        return earlier.takeUnretainedValue()
    }

    deinit { place.load(ordering: .acquiring)?.release() }
}
