import Synchronization

/// A group of flags as a property of a collection; RealFlags' wrapper of the same name.
///
/// ```swift
/// struct AppFlags: FlagCollectionProtocol {
///     @FlagCollection("What delivery costs")
///     var delivery: DeliveryFlags
/// }
/// ```
@propertyWrapper
public struct FlagCollection<Group: FlagCollectionProtocol>: Sendable {
    /// The group.
    public let wrappedValue: Group
    /// The group's metadata.
    public let metadata: FlagMetadata
    /// The group's component in key paths.
    public let keyConfiguration: CollectionKeyPathConfiguration
    /// The way a tool should show the group.
    public let uiRepresentation: UIRepresentation
    private let fixedKey: String?
    private let placed = FlagCollectionPlace()

    /// Declares a group.
    ///
    /// - Parameters:
    ///   - name: A readable name; by default from the property's.
    ///   - key: The group's component in key paths, taken literally.
    ///   - keyConfiguration: The group's component if there is no `key`.
    ///   - description: The group's purpose, or its whole metadata.
    ///   - uiRepresentation: The way a tool should show the group.
    public init(
        name: String? = nil, key: String? = nil, keyConfiguration: CollectionKeyPathConfiguration = .default,
        description: FlagMetadata = "", uiRepresentation: UIRepresentation = .asNavigation
    ) {
        self.init(
            wrappedValue: Group(), description, name: name, key: key, keyConfiguration: keyConfiguration,
            uiRepresentation: uiRepresentation)
    }

    /// Declares a group: `@FlagCollection("What delivery costs") var delivery: DeliveryFlags`.
    ///
    /// - Parameters:
    ///   - description: The group's purpose, or its whole metadata.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The group's component in key paths, taken literally.
    ///   - keyConfiguration: The group's component if there is no `key`.
    ///   - uiRepresentation: The way a tool should show the group.
    public init(
        _ description: FlagMetadata, name: String? = nil, key: String? = nil,
        keyConfiguration: CollectionKeyPathConfiguration = .default, uiRepresentation: UIRepresentation = .asNavigation
    ) {
        self.init(
            wrappedValue: Group(), description, name: name, key: key, keyConfiguration: keyConfiguration,
            uiRepresentation: uiRepresentation)
    }

    /// Declares a group without a description: `@FlagCollection var delivery: DeliveryFlags`.
    public init() { self.init("") }

    /// Declares a group: `@FlagCollection("What delivery costs") var delivery = DeliveryFlags()`.
    ///
    /// - Parameters:
    ///   - wrappedValue: The group.
    ///   - description: The group's purpose, or its whole metadata.
    ///   - name: A readable name; by default from the property's.
    ///   - key: The group's component in key paths, taken literally.
    ///   - keyConfiguration: The group's component if there is no `key`.
    ///   - uiRepresentation: The way a tool should show the group.
    public init(
        wrappedValue: Group, _ description: FlagMetadata = "", name: String? = nil, key: String? = nil,
        keyConfiguration: CollectionKeyPathConfiguration = .default, uiRepresentation: UIRepresentation = .asNavigation
    ) {
        var metadata = description
        if let name { metadata.name = name }
        self.metadata = metadata
        self.wrappedValue = wrappedValue
        fixedKey = key
        self.keyConfiguration = keyConfiguration
        self.uiRepresentation = uiRepresentation
    }

    /// The declaration itself.
    public var projectedValue: FlagCollection<Group> { self }

    /// The start of the key paths of the group's flags.
    ///
    /// `nil` outside a loader, and for a top-level group whose own component is skipped.
    public var keyPath: FlagKeyPath? { placed.keyPath }

    var addsComponent: Bool { fixedKey != nil || keyConfiguration != .skip }

    /// The readable name: the metadata's, or one made from the property's.
    public var name: String { metadata.name ?? placed.propertyName.map(FlagLabel.text(of:)) ?? "\(Group.self)" }
}

extension FlagCollection {
    /// The way a tool should show a group.
    ///
    /// The dashboard shows each group in the list and as a page of its own; in the list, the heading of a section can't
    /// be collapsed. In your own views, use ``AnyFlagCollection/isSection``.
    ///
    /// ```swift
    /// struct AppFlags: FlagCollectionProtocol {
    ///     @FlagCollection(description: "What delivery costs", uiRepresentation: .asSection)
    ///     var delivery: DeliveryFlags
    /// }
    /// ```
    public enum UIRepresentation: String, Hashable, Sendable {
        /// A page of its own.
        case asNavigation
        /// A part of the page of the group around it.
        case asSection
    }

    /// A group's component in the key paths of its flags.
    ///
    /// ```swift
    /// struct AppFlags: FlagCollectionProtocol {
    ///     @FlagCollection(keyConfiguration: .skip, description: "Groups the flags on pages, and adds nothing to their key paths")
    ///     var delivery: DeliveryFlags
    /// }
    /// ```
    public enum CollectionKeyPathConfiguration: Hashable, Sendable {
        /// The component that the loader's ``KeyConfiguration`` makes.
        case `default`
        /// `first-group`.
        case kebabCase
        /// `first_group`.
        case snakeCase
        /// No component: the group only organises its flags.
        case skip
        /// This component.
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
            components, orInPath: source.keyConfiguration.keyTransform.component(for: name),
            property: name, label: metadata.name ?? FlagLabel.text(of: name), metadata: metadata)
        placed.set(name, keyPath: inner.components.isEmpty ? nil : source.keyPath(inner.components))
        return [.collection(AnyFlagCollection(self, path: inner, source: source))]
    }

    var memberFlags: [any AnyFlag] { wrappedValue.memberFlags }

    func names(to flag: ObjectIdentifier) -> [String]? { wrappedValue.names(to: flag) }
}

extension FlagCollection: Equatable where Group: Equatable {
    /// Compares the groups.
    public static func == (left: FlagCollection, right: FlagCollection) -> Bool {
        left.wrappedValue == right.wrappedValue
    }
}

extension FlagCollection: Hashable where Group: Hashable {
    /// Hashes the group.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

/// The place of a declared group, shared by all copies of the declaration.
private final class FlagCollectionPlace: Sendable {
    private let state = Mutex<(name: String, keyPath: FlagKeyPath?)?>(nil)

    var propertyName: String? { state.withLock { $0?.name } }
    var keyPath: FlagKeyPath? { state.withLock { $0?.keyPath } }

    func set(_ name: String, keyPath: FlagKeyPath?) { state.withLock { $0 = (name, keyPath) } }
}

/// A group of flags and further groups: a struct with properties declared by ``Flag`` and ``FlagCollection``.
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
    /// Creates the collection with every flag at its default.
    init()
}
