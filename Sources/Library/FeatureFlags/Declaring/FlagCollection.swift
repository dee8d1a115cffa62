import Synchronization

/// A group of flags as a property of a collection; RealFlags' wrapper of the same name.
///
/// ```swift
/// struct AppFlags: FlagCollectionProtocol {
///     @FlagCollection(description: "What delivery costs")
///     var delivery: DeliveryFlags
/// }
/// ```
@propertyWrapper
public struct FlagCollection<Group: FlagCollectionProtocol>: Sendable {
    /// The group.
    public let wrappedValue: Group
    /// What people are told of the group.
    public let metadata: FlagMetadata
    /// How the group shows in the key paths of its flags.
    public let keyConfiguration: CollectionKeyPathConfiguration
    /// How a tool should show the group.
    public let uiRepresentation: UIRepresentation
    private let fixedKey: String?
    private let placed = FlagCollectionPlace()

    /// Declares a group.
    ///
    /// - Parameters:
    ///   - name: A readable name; without one, it is made from the property's.
    ///   - key: The group's component in the key paths of its flags, taken literally.
    ///   - keyConfiguration: How the group shows in the key paths of its flags, where there is no `key`.
    ///   - description: What the group is about, or its whole metadata.
    ///   - uiRepresentation: How a tool should show the group.
    public init(
        name: String? = nil, key: String? = nil, keyConfiguration: CollectionKeyPathConfiguration = .default,
        description: FlagMetadata, uiRepresentation: UIRepresentation = .asNavigation
    ) {
        var metadata = description
        if let name { metadata.name = name }
        self.metadata = metadata
        wrappedValue = Group()
        fixedKey = key
        self.keyConfiguration = keyConfiguration
        self.uiRepresentation = uiRepresentation
    }

    /// The declaration itself.
    public var projectedValue: FlagCollection<Group> { self }

    /// The path that the key paths of the group's flags begin with; `nil` until a loader has placed the group, and for one
    /// at the top whose own component is skipped.
    public var keyPath: FlagKeyPath? { placed.keyPath }

    /// Whether the group has a component in the key paths of its flags; a `key` makes one, whatever the configuration.
    var addsComponent: Bool { fixedKey != nil || keyConfiguration != .skip }

    /// The readable name: the metadata's, else one made from the property's.
    public var name: String { metadata.name ?? placed.propertyName.map(FlagLabel.text(of:)) ?? "\(Group.self)" }
}

extension FlagCollection {
    /// How a tool should show the group.
    ///
    /// ```swift
    /// struct AppFlags: FlagCollectionProtocol {
    ///     @FlagCollection(description: "What delivery costs", uiRepresentation: .asSection)
    ///     var delivery: DeliveryFlags
    /// }
    /// ```
    public enum UIRepresentation: String, Hashable, Sendable {
        /// As a page of its own.
        case asNavigation
        /// As a part of the page of the group around it.
        case asSection
    }

    /// How the group shows in the key paths of its flags.
    ///
    /// ```swift
    /// struct AppFlags: FlagCollectionProtocol {
    ///     @FlagCollection(keyConfiguration: .skip, description: "Groups the flags on pages, and adds nothing to their key paths")
    ///     var delivery: DeliveryFlags
    /// }
    /// ```
    public enum CollectionKeyPathConfiguration: Hashable, Sendable {
        /// As the loader's ``KeyConfiguration`` says.
        case `default`
        /// `first-group`.
        case kebabCase
        /// `first_group`.
        case snakeCase
        /// Not at all: the group organises, and its flags' key paths are as without it.
        case skip
        /// As this component.
        case custom(String)

        func components(for name: String, default transform: KeyConfiguration.Transform) -> [String] {
            switch self {
            case .default: [transform.component(for: name)]
            case .kebabCase: [KeyConfiguration.Transform.kebabCase.component(for: name)]
            case .snakeCase: [KeyConfiguration.Transform.snakeCase.component(for: name)]
            case .skip: []
            case .custom(let component): [component]
            }
        }
    }
}

extension FlagCollection: FlagCollectionMember {
    func place(_ name: String, below group: FlagGroupPath, source: FlagSource) -> [FlagTree] {
        let components =
            fixedKey.map { [$0] }
            ?? keyConfiguration.components(for: name, default: source.keyConfiguration.keyTransform)
        let inner = group.appending(
            components, label: metadata.name ?? FlagLabel.text(of: name), metadata: metadata)
        placed.set(name, keyPath: inner.components.isEmpty ? nil : source.keyPath(inner.components))
        return [.collection(AnyFlagCollection(self, path: inner, source: source))]
    }

    var memberFlags: [any AnyFlag] {
        Mirror(reflecting: wrappedValue).children.flatMap { ($0.value as? any FlagCollectionMember)?.memberFlags ?? [] }
    }
}

extension FlagCollection: Equatable where Group: Equatable {
    /// Whether two groups are equal.
    public static func == (left: FlagCollection, right: FlagCollection) -> Bool {
        left.wrappedValue == right.wrappedValue
    }
}

extension FlagCollection: Hashable where Group: Hashable {
    /// Feeds the group to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

/// Where a declared group stands, once a loader has placed it; all copies of the declaration share it.
private final class FlagCollectionPlace: Sendable {
    private let state = Mutex<(name: String, keyPath: FlagKeyPath?)?>(nil)

    var propertyName: String? { state.withLock { $0?.name } }
    var keyPath: FlagKeyPath? { state.withLock { $0?.keyPath } }

    func set(_ name: String, keyPath: FlagKeyPath?) { state.withLock { $0 = (name, keyPath) } }
}

/// A group of flags and of further groups: a struct whose properties are declared with ``Flag`` and ``FlagCollection``.
///
/// ```swift
/// struct BetaFlags: FlagCollectionProtocol {
///     @Flag(description: "Try the new list")
///     var newList: Bool
/// }
///
/// let beta = manager.addCollection(BetaFlags.self)
/// print(beta.newList)
/// ```
public protocol FlagCollectionProtocol: Sendable {
    /// Makes the collection with every flag at its default.
    init()
}
