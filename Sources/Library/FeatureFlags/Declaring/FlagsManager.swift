import Synchronization

/// Loaded collections that share providers and key configuration; RealFlags' type of the same name.
///
/// ```swift
/// let manager = FlagsManager(providers: [EnvironmentProvider(prefix: "SHOP_"), local])
/// let flags = manager.addCollection(ShopFlags.self)
/// print(flags.delivery.fee, manager.flagsAwaitingRestart.count)
/// ```
public final class FlagsManager: Sendable {
    /// The naming rules of key paths.
    public let keyConfiguration: KeyConfiguration
    /// Problems with the flags, found by loading, reads and changes.
    public let diagnostics: FlagDiagnostics
    let source: FlagSource
    fileprivate let state = Mutex(State())

    fileprivate struct State {
        var loaders: [(id: ObjectIdentifier, loader: any AnyFlagsLoader)] = []
        /// Flags registered at run time, in that order.
        var registered: [any AnyFlag] = []
    }

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - providers: The providers, in order of precedence; duplicate names are reported in ``diagnostics``.
    ///   - keyConfiguration: The naming rules of key paths.
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
    ///   - index: Its place in the order of precedence, from 0; past the end, it is appended.
    /// - Throws: An error if a provider already has its name.
    public func insert(_ provider: any FlagsProvider, at index: Int = 0) throws {
        try source.changeProviders { providers in
            if providers.contains(where: { $0.name == provider.name }) {
                throw FlagError(.providerExists(provider.name))
            }
            providers.insert(provider, at: min(max(index, 0), providers.count))
        }
    }

    /// Removes a provider from the list of all collections.
    ///
    /// - Parameter name: The provider's name; an unknown one is ignored.
    public func removeProvider(named name: String) {
        source.changeProviders { $0.removeAll { $0.name == name } }
    }

    /// Loads a collection, unless it is already loaded.
    ///
    /// Flags whose key paths collide with those of loaded flags are reported (``diagnostics``, ``keyCollisions``).
    ///
    /// - Parameters:
    ///   - type: The type of the collection.
    ///   - description: The purpose of the collection, or its whole metadata, which its flags inherit; ignored if the
    ///     collection is already loaded.
    /// - Returns: The one loader of that type.
    @discardableResult
    public func addCollection<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, description: FlagMetadata? = nil
    ) -> FlagsLoader<Collection> {
        if let loader = loader(forType: type) { return loader }
        let loader = FlagsLoader<Collection>(description, source)
        let (winner, flags) = state.withLock { state in
            if let first = state.loader(type) { return (first, [any AnyFlag]()) }
            state.loaders.append((ObjectIdentifier(type), loader))
            return (loader, state.flags)
        }
        for collision in flags.collisions { diagnostics.report(collision) }
        return winner
    }

    /// Removes a collection, whose loader can still be used.
    ///
    /// - Parameter type: The type of the collection.
    public func removeCollection<Collection: FlagCollectionProtocol>(forType type: Collection.Type) {
        // Releasing a loader may run app code, which must not happen under the lock.
        _ = state.withLock { state in
            defer { state.loaders.removeAll { $0.id == ObjectIdentifier(type) } }
            return state.loaders
        }
        checkFlags()
    }

    /// Returns the loader of a collection.
    ///
    /// - Parameter type: The type of the collection.
    /// - Returns: The loader; `nil` if the collection is not loaded.
    public func loader<Collection: FlagCollectionProtocol>(forType type: Collection.Type) -> FlagsLoader<Collection>? {
        state.withLock { $0.loader(type) }
    }

    /// The loaders, in the order in which their collections were added.
    public var loaders: [any AnyFlagsLoader] { state.withLock { $0.loaders.map(\.loader) } }

    /// All flags: those of the collections in the order of declaration, then those registered at run time.
    public var featureFlags: [any AnyFlag] { state.withLock(\.flags) }

    /// The loaders, and the flags registered at run time, at one moment.
    package var contents: (loaders: [any AnyFlagsLoader], registered: [any AnyFlag]) {
        state.withLock { state in (state.loaders.map(\.loader), state.registered) }
    }

    /// The flags and groups of all collections, and the flags registered at run time.
    public var tree: [FlagTree] {
        state.withLock { state in state.loaders.flatMap(\.loader.tree) + state.registered.map(FlagTree.flag) }
    }

    /// Flags with equal key paths, and flags whose key path is a group of another flag.
    public var keyCollisions: [FlagDiagnostic] { featureFlags.collisions }

    /// Adds a flag that no collection declares.
    ///
    /// - Parameters:
    ///   - flag: A new flag, declared with a `key` or a `keyPath`.
    ///   - groups: The components of the key path above the flag's own, outermost first; a `keyPath` ignores them.
    ///   - organisingGroups: The names of groups that add nothing to the key path, outermost first: Override's
    ///     `FeatureGroup`. Descriptions and the dashboard show these before the others.
    ///   - forced: `true` to replace a flag registered with the same key path.
    /// - Throws: An error if the flag has no key or is already placed, or if its key path collides with another flag's.
    public func register<Value>(
        _ flag: Flag<Value>, in groups: [String] = [], organisedIn organisingGroups: [String] = [],
        forced: Bool = false
    ) throws {
        guard let key = flag.declared.fixedKey ?? flag.declared.fixedKeyPath?.leaf else { throw FlagError(.noKey) }
        let keyPath = flag.declared.fixedKeyPath.map { source.whole($0) } ?? source.keyPath(groups + [key])
        let placement = FlagPlacement(
            keyPath: keyPath, propertyName: key, groups: organisingGroups + groups,
            group: organisingGroups.isEmpty ? nil : source.keyPath(organisingGroups + groups), source: source,
            exclusion: flag.declared.exclusion)
        // A flag's computed value, default and providers may call the manager, so none of them runs under the lock.
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

    /// Reports the collisions of the current flags, and drops reports on removed ones.
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
    /// `true` if two flags can't have both paths: they are equal, or one is a group of the other.
    func collides(with other: FlagKeyPath) -> Bool { isInside(other) || other.isInside(self) }
}

extension FlagsManager {
    /// Sets up all providers concurrently.
    ///
    /// - Throws: The error of the first provider that is not ready, after all have been tried.
    public func setUp() async throws {
        defer { featureFlags.checkKeys() }
        try await providers.attempt { try await $0.setUp() }
    }

    /// Refreshes all providers concurrently.
    ///
    /// - Throws: The error of the first provider that failed, after all have been tried; its values stay.
    public func refresh() async throws {
        defer { featureFlags.checkKeys() }
        try await providers.attempt { try await $0.refresh() }
    }

    /// Tears down all providers concurrently, releasing what ``setUp()`` acquired.
    public func tearDown() async { await providers.tearDown() }
}

extension [any FlagsProvider] {
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

    /// The naming rules of key paths.
    var keyConfiguration: KeyConfiguration { get }

    /// The metadata of the collection.
    var metadata: FlagMetadata? { get }

    /// Problems with the flags, found by reads and changes.
    var diagnostics: FlagDiagnostics { get }
}

extension AnyFlagsLoader {
    /// All flags, including those of groups, in the order of declaration.
    public var featureFlags: [any AnyFlag] { tree.flatMap(\.flags) }

    /// Flags with equal key paths, and flags whose key path is a group of another flag.
    public var keyCollisions: [FlagDiagnostic] { featureFlags.collisions }
}

extension FlagsLoader {
    /// The name of the collection's type.
    public var collectionType: String { "\(Collection.self)" }
}
