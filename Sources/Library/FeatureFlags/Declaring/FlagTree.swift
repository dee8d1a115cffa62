/// A property of a collection that takes a place in a loader.
protocol FlagCollectionMember {
    /// Places the flag, or all flags of the group.
    func place(_ name: String, below group: FlagGroupPath, source: FlagSource) -> [FlagTree]

    /// The flag, or all flags of the group, in the order of declaration.
    var memberFlags: [any AnyFlag] { get }
}

/// A flag, or a group of flags, of a loaded collection: one of a loader's ``FlagsLoader/tree``.
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
    /// What they add to the key paths of their flags.
    var components: [String] = []
    /// Their readable names.
    var labels: [String] = []
    /// What they say of all their flags.
    var metadata = FlagMetadata()

    func appending(_ components: [String], label: String, metadata: FlagMetadata) -> FlagGroupPath {
        var metadata = metadata
        metadata.inherit(from: self.metadata)
        return FlagGroupPath(
            components: self.components + components, labels: labels + [label], metadata: metadata)
    }
}

extension FlagCollectionProtocol {
    /// Places every flag and group of the collection.
    func placeMembers(below group: FlagGroupPath, source: FlagSource) -> [FlagTree] {
        Mirror(reflecting: self).children.flatMap { child -> [FlagTree] in
            guard let member = child.value as? any FlagCollectionMember, let label = child.label else { return [] }
            // A wrapper is stored as the property's name behind an underscore.
            let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
            return member.place(name, below: group, source: source)
        }
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
    /// What people are told of the group, and what the groups around it say of all that is in them.
    public let metadata: FlagMetadata
    /// The path that the key paths of its flags begin with; `nil` for a group at the top that adds none.
    public let keyPath: FlagKeyPath?
    /// Whether the group adds a component to the key paths of its flags.
    public let isInKeyPath: Bool
    /// Whether a tool should show the group as a part of the page around it.
    public let isSection: Bool
    /// Its flags and groups, in the order of declaration.
    public let children: [FlagTree]

    init<Group>(_ collection: FlagCollection<Group>, path: FlagGroupPath, source: FlagSource) {
        name = path.labels.last ?? collection.name
        metadata = path.metadata
        keyPath = collection.keyPath
        isInKeyPath = collection.addsComponent
        isSection = collection.uiRepresentation == .asSection
        children = collection.wrappedValue.placeMembers(below: path, source: source)
    }
}

/// Where a declared flag stands: its key path, and the providers that are asked for it.
final class FlagPlacement: Sendable {
    let keyPath: FlagKeyPath
    /// The name of the property that declares the flag.
    let propertyName: String
    /// The readable names of the groups around the flag, outermost first.
    let groups: [String]
    /// What the groups around the flag say of all their flags.
    let groupMetadata: FlagMetadata
    let source: FlagSource
    private let exclusion: FlagExclusion

    init(
        keyPath: FlagKeyPath, propertyName: String, groups: [String], groupMetadata: FlagMetadata = FlagMetadata(),
        source: FlagSource, exclusion: FlagExclusion
    ) {
        self.keyPath = keyPath
        self.propertyName = propertyName
        self.groups = groups
        self.groupMetadata = groupMetadata
        self.source = source
        self.exclusion = exclusion
    }

    /// The providers that the flag does not exclude, in order of precedence.
    var providers: [any FlagsProvider] { source.providers.filter(isRead(from:)) }

    /// Whether the flag is read from a provider of the source.
    func isRead(from provider: any FlagsProvider) -> Bool { !exclusion.excludes(provider) }
}

extension FlagPlacement {
    /// Reports that what a provider holds is no value of the flag.
    func reportBroken(_ problem: FlagValueError, in provider: any FlagsProvider, wanted expectation: String) {
        source.diagnostics.report(
            FlagDiagnostic(
                flag: keyPath, provider: provider.name,
                kind: .brokenValue(found: provider.heldValue(at: keyPath)?.briefDescription, wanted: expectation),
                problem: problem))
    }
}

/// The providers that a flag is not read from.
struct FlagExclusion: Sendable {
    let types: [any FlagsProviderConvertible.Type]
    let names: [String]

    func excludes(_ provider: any FlagsProvider) -> Bool {
        names.contains(provider.name) || provider.isOfType(in: types)
    }
}
