/// A loaded collection, whatever its type.
///
/// ```swift
/// for loader in manager.loaders {
///     print(loader.collectionType, loader.featureFlags.count)
/// }
/// ```
public protocol AnyFlagsLoader: AnyObject, Sendable {
    /// The name of the collection's type.
    var collectionType: String { get }

    /// The providers, in order of precedence.
    var providers: [any FlagsProvider] { get }

    /// The flags and groups, in the order of declaration.
    var tree: [FlagTree] { get }

    /// How key paths are made from the names of properties.
    var keyConfiguration: KeyConfiguration { get }

    /// What people are told of the collection.
    var metadata: FlagMetadata? { get }

    /// What is wrong with the flags, as reads and changes find it out.
    var diagnostics: FlagDiagnostics { get }
}

extension AnyFlagsLoader {
    /// All flags, those of groups included, in the order of declaration.
    public var featureFlags: [any AnyFlag] { tree.flatMap(\.flags) }

    /// Flags that share a key path, or one of which stands in another's place as a group.
    public var keyCollisions: [FlagDiagnostic] { featureFlags.collisions }
}

extension FlagsLoader {
    /// The name of the collection's type.
    public var collectionType: String { "\(Collection.self)" }
}
