import Synchronization

/// Loaded collections that share providers and key configuration; RealFlags' type of the same name.
///
/// ```swift
/// let manager = FlagsManager(providers: [EnvironmentProvider(prefix: "SHOP_"), local])
/// let flags = manager.addCollection(ShopFlags.self)
/// print(flags.delivery.fee, manager.flagsAwaitingRestart.count)
/// ```
public final class FlagsManager: Sendable {
    /// How key paths are made from the names of properties.
    public let keyConfiguration: KeyConfiguration
    /// What is wrong with the flags, as loading, reads and changes find it out.
    public let diagnostics: FlagDiagnostics
    let source: FlagSource
    fileprivate let state = Mutex(State())

    fileprivate struct State {
        var loaders: [(id: ObjectIdentifier, loader: any AnyFlagsLoader)] = []
        /// Flags that were registered at run time, in that order.
        var registered: [any AnyFlag] = []
    }

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - providers: The providers, in order of precedence; of two of one name, ``diagnostics`` tells.
    ///   - keyConfiguration: How key paths are made from the names of properties.
    public init(
        providers: [any FlagsProviderConvertible], keyConfiguration: KeyConfiguration = KeyConfiguration()
    ) {
        self.keyConfiguration = keyConfiguration
        diagnostics = FlagDiagnostics()
        source = FlagSource(
            providers: providers.map(\.flagsProvider), keyConfiguration: keyConfiguration, diagnostics: diagnostics)
    }

    /// The providers, in order of precedence.
    public var providers: [any FlagsProvider] { source.providers }

    /// Adds a provider, such as a snapshot, to the list of all collections.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - index: Its place in the order of precedence, from 0; past the last it comes last.
    /// - Throws: Where a provider of its name is there already.
    public func insert(_ provider: any FlagsProvider, at index: Int = 0) throws {
        try source.changeProviders { providers in
            if providers.contains(where: { $0.name == provider.name }) {
                throw FlagError(.providerExists(provider.name))
            }
            providers.insert(provider, at: min(max(index, 0), providers.count))
        }
    }

    /// Takes a provider out of the list of all collections.
    ///
    /// - Parameter name: The provider's name; nothing happens where none has it.
    public func removeProvider(named name: String) {
        source.changeProviders { $0.removeAll { $0.name == name } }
    }

    /// Loads a collection, unless it is loaded already.
    ///
    /// Flags whose key paths collide with those that are loaded are reported (``diagnostics``, ``keyCollisions``).
    ///
    /// - Parameter type: The type of the collection.
    /// - Returns: The one loader of that type.
    @discardableResult
    public func addCollection<Collection: FlagCollectionProtocol>(_ type: Collection.Type) -> FlagsLoader<Collection> {
        if let loader = loader(forType: type) { return loader }
        let loader = FlagsLoader<Collection>(nil, source)
        let (winner, flags) = state.withLock { state in
            if let first = state.loader(type) { return (first, [any AnyFlag]()) }
            state.loaders.append((ObjectIdentifier(type), loader))
            return (loader, state.flags)
        }
        for collision in flags.collisions { diagnostics.report(collision) }
        return winner
    }

    /// Forgets a collection; code that holds its loader can go on using it.
    ///
    /// - Parameter type: The type of the collection.
    public func removeCollection<Collection: FlagCollectionProtocol>(forType type: Collection.Type) {
        // What is let go of may run the owner's code, which no lock may wait for.
        _ = state.withLock { state in
            defer { state.loaders.removeAll { $0.id == ObjectIdentifier(type) } }
            return state.loaders
        }
        checkFlags()
    }

    /// The loader of a collection.
    ///
    /// - Parameter type: The type of the collection.
    /// - Returns: `nil` where the collection is not loaded.
    public func loader<Collection: FlagCollectionProtocol>(forType type: Collection.Type) -> FlagsLoader<Collection>? {
        state.withLock { $0.loader(type) }
    }

    /// The loaders, in the order in which their collections were added.
    public var loaders: [any AnyFlagsLoader] { state.withLock { $0.loaders.map(\.loader) } }

    /// All flags: those of the collections in the order of declaration, then those registered at run time.
    public var featureFlags: [any AnyFlag] { state.withLock(\.flags) }

    /// The flags and groups of all collections, and the flags registered at run time.
    public var tree: [FlagTree] {
        state.withLock { state in state.loaders.flatMap(\.loader.tree) + state.registered.map(FlagTree.flag) }
    }

    /// Flags that share a key path, or one of which stands in another's place as a group.
    public var keyCollisions: [FlagDiagnostic] { featureFlags.collisions }

    /// Adds a flag that no collection declares.
    ///
    /// - Parameters:
    ///   - flag: A flag made by one of ``Flag``'s initialisers with a `key`, and not added before.
    ///   - groups: The components of the key path above the flag's own, outermost first.
    ///   - organisingGroups: The names of groups around the flag that are no part of its key path, outermost first: Override's
    ///     `FeatureGroup`. Descriptions show these before the others.
    ///   - forced: Takes the place of a flag that was registered with the same key path.
    /// - Throws: Where the flag has no key or a place already, or its key path collides with that of another flag.
    public func register<Value>(
        _ flag: Flag<Value>, in groups: [String] = [], organisedIn organisingGroups: [String] = [],
        forced: Bool = false
    ) throws {
        guard let key = flag.declared.fixedKey else {
            throw FlagError(.noKey)
        }
        let keyPath = source.keyPath(groups + [key])
        let placement = FlagPlacement(
            keyPath: keyPath, propertyName: key, groups: organisingGroups + groups, source: source,
            exclusion: flag.declared.exclusion)
        // A flag's computed value, default and providers may ask the manager, so none of them is asked while it is locked.
        _ = try state.withLock { state in
            var others = state.flags
            if forced {
                others.removeAll { $0.keyPath == keyPath }
                if state.loaders.contains(where: { $0.loader.featureFlags.contains { $0.keyPath == keyPath } }) {
                    throw FlagError(.declared(keyPath))
                }
            }
            if let other = others.first(where: { $0.keyPath.collides(with: keyPath) }) {
                throw FlagError(.keyCollision(keyPath, other: other.keyPath, place: other.place))
            }
            guard flag.declared.place(placement) else {
                throw FlagError(.placed(flag.keyPath))
            }
            defer { state.registered = state.registered.filter { $0.keyPath != keyPath } + [flag] }
            return state.registered
        }
        flag.rememberValue()
        if forced { checkFlags() }
    }

    /// Brings what is reported of flags in line with those that are there.
    private func checkFlags() {
        let flags = featureFlags
        diagnostics.update(flags: Set(flags.map(\.keyPath)), collisions: flags.collisions)
    }
}

extension FlagsManager.State {
    var flags: [any AnyFlag] { loaders.flatMap(\.loader.featureFlags) + registered }

    func loader<Collection>(_ type: Collection.Type) -> FlagsLoader<Collection>? {
        loaders.first { $0.id == ObjectIdentifier(type) }?.loader as? FlagsLoader<Collection>
    }
}

extension FlagKeyPath {
    /// Whether two flags can't have these paths at once: they are the same, or one is a group of the other.
    func collides(with other: FlagKeyPath) -> Bool { isInside(other) || other.isInside(self) }
}

extension FlagsManager {
    /// Makes all providers ready, at the same time.
    ///
    /// - Throws: The problem of the first provider that is not ready, after all have been tried.
    public func setUp() async throws { try await providers.attempt { try await $0.setUp() } }

    /// Has all providers read again what they get from elsewhere, at the same time.
    ///
    /// - Throws: The problem of the first provider that could not, after all have been tried; its values stay.
    public func refresh() async throws { try await providers.attempt { try await $0.refresh() } }

    /// Has all providers let go of what ``setUp()`` took, at the same time.
    public func tearDown() async { await providers.tearDown() }
}

extension [any FlagsProvider] {
    /// Does something with all providers at the same time.
    fileprivate func attempt(_ action: @escaping @Sendable (any FlagsProvider) async throws -> Void) async throws {
        let problems = await withTaskGroup(of: (Int, any Error)?.self) { group in
            for (index, provider) in enumerated() {
                group.addTask {
                    do { try await action(provider) } catch { return (index, error) }
                    return nil
                }
            }
            return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
        }
        if let (_, first) = problems.min(by: { $0.0 < $1.0 }) { throw first }
    }

    fileprivate func tearDown() async {
        await withDiscardingTaskGroup { group in
            for provider in self { group.addTask { await provider.tearDown() } }
        }
    }
}

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
