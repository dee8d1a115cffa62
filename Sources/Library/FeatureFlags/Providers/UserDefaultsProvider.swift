import Foundation

/// Flags in `UserDefaults`, each under one flat key: the prefix and ``FlagKeyPath/flatKey``, as in RealFlags.
///
/// ```swift
/// let defaults = UserDefaultsProvider(keyPrefix: "shop/")
/// let flags = FlagsLoader(ShopFlags.self, providers: [defaults])
/// try flags.$quickCheckout.set(true, in: defaults.name)
/// ```
///
/// A flat key has no component boundaries: `["a/b"]` and `["a", "b"]` have the same key. A ``Form/dictionary(_:)``
/// nests its values as a file does, and is converted as a whole at each read.
///
/// A value that other code in the process sets is read at once. Observers of flags receive the provider's own changes,
/// what ``refresh()`` finds, and what Foundation notifies of: on Apple's systems, each change in the process; on Linux,
/// only a replaced domain. So flags ask the provider at each read, unless it is created as steady. On Linux, a date loses its fractions of a second, and `-0.0` becomes `0.0` in the next
/// process.
public final class UserDefaultsProvider: FlagsProvider, @unchecked Sendable {
    /// A form of stored values.
    ///
    /// ```swift
    /// let overrides = UserDefaultsProvider(keyPrefix: "Override_", form: .override)
    /// ```
    public enum Form: Hashable, Sendable {
        /// Property list values.
        case values
        /// The values of Override's feature store, with the prefix `Override_`.
        ///
        /// A Boolean is `ON` or `OFF`. `Default` counts as absent.
        case override
        /// Property list values, nested by key path in the dictionary that the defaults hold under a key.
        ///
        /// ToggleUI keeps its values in `toggles`, and SwiftFeatureConfigs in `MyConfigs_defaults_key_` for a class
        /// `MyConfigs`. The provider's ``keyPrefix`` comes before the dictionary's key.
        case dictionary(String)
    }

    /// The provider's unique name.
    public let name: String
    /// The start of every key.
    public let keyPrefix: String
    /// The form of stored values.
    public let form: Form
    /// `true` if changes are allowed.
    public let isWritable: Bool
    /// `true` if only this provider changes the values, so that flags remember them; see ``FlagsProvider/isSteady``.
    public let isSteady: Bool
    // `@unchecked`: Foundation documents the class as thread-safe, and doesn't mark it only because of subclasses.
    private let userDefaults: UserDefaults
    private let changes = FlagValueStore()
    private let observation: any NSObjectProtocol

    /// Creates a provider of the values in a `UserDefaults`.
    ///
    /// - Parameters:
    ///   - userDefaults: The defaults; a subclass must be as thread-safe as the class.
    ///   - name: The provider's unique name.
    ///   - keyPrefix: The start of every key.
    ///   - form: The form of stored values.
    ///   - isWritable: `true` to allow changes.
    ///   - isSteady: `true` if no other code in the process changes the values. Reads then take nanoseconds, and a value
    ///     that other code sets anyway is found at the next ``refresh()``.
    public init(
        _ userDefaults: UserDefaults = .standard, name: String = "UserDefaults", keyPrefix: String = "",
        form: Form = .values, isWritable: Bool = true, isSteady: Bool = false
    ) {
        self.userDefaults = userDefaults
        self.name = name
        self.keyPrefix = keyPrefix
        self.form = form
        self.isWritable = isWritable
        self.isSteady = isSteady
        observation = NotificationCenter.default.addObserver(
            forName: UserDefaults.didChangeNotification, object: userDefaults, queue: nil
        ) { [changes] _ in changes.notify(of: []) }
    }

    deinit { NotificationCenter.default.removeObserver(observation) }

    /// Creates a provider of the values in a suite.
    ///
    /// - Parameters:
    ///   - suiteName: The suite; on Linux, the file `~/.config/<suite>.plist`.
    ///   - name: The provider's unique name; by default the suite's.
    ///   - keyPrefix: The start of every key.
    ///   - form: The form of stored values.
    ///   - isWritable: `true` to allow changes.
    ///   - isSteady: `true` if no other code in the process changes the values.
    /// - Throws: An error if Foundation rejects the suite's name.
    public convenience init(
        suiteName: String, name: String? = nil, keyPrefix: String = "", form: Form = .values, isWritable: Bool = true,
        isSteady: Bool = false
    ) throws(FlagError) {
        guard let suite = UserDefaults(suiteName: suiteName) else {
            throw FlagError(.badSuite(suiteName))
        }
        self.init(
            suite, name: name ?? suiteName, keyPrefix: keyPrefix, form: form, isWritable: isWritable,
            isSteady: isSteady)
    }

    /// A description of the defaults.
    public var shortDescription: String? {
        userDefaults === UserDefaults.standard ? "The standard UserDefaults" : "A UserDefaults suite"
    }

    /// Returns the held value.
    ///
    /// - Throws: An error if the stored object can't be a flag's value.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        guard let object = userDefaults.object(forKey: defaultsKey(of: key)) else { return nil }
        return try form.value(FlagValue(foundation: object), at: key)
    }

    /// Stores or removes a value, and saves.
    ///
    /// - Throws: An error if the provider is read-only, a property list can't hold the value or the key, or saving
    ///   fails. Nothing changes then.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        let defaultsKey = defaultsKey(of: key)
        try FlagValue.checkStorable(defaultsKey)
        try Self.turn.withLock {
            let before = userDefaults.object(forKey: defaultsKey)
            if before == nil, value == nil { return }
            put(try form.stored(value, at: key, in: before)?.foundationObject, at: defaultsKey)
            // Required on Linux to write anything.
            guard userDefaults.synchronize() else {
                put(try before.map { try FlagValue(foundation: $0).foundationObject }, at: defaultsKey)
                throw FlagError(.unsavedDefaults)
            }
        }
        changes.notify(of: [key])
    }

    /// Held while a dictionary is read, changed and stored as a whole.
    ///
    /// Recursive, since Foundation may notify of the change at once, and an observer may change a flag too.
    private static let turn = NSRecursiveLock()

    /// Reads what other processes have saved.
    ///
    /// - Throws: An error if that fails.
    public func refresh() async throws {
        guard userDefaults.synchronize() else {
            throw FlagError(.unreadDefaults)
        }
        changes.notify(of: [])
    }

    var notices: [FlagValueStore] { [changes] }

    var userDefaultsType: Any.Type { type(of: userDefaults) }

    private func defaultsKey(of key: FlagKeyPath) -> String {
        if case .dictionary(let name) = form { keyPrefix + name } else { keyPrefix + key.flatKey }
    }

    private func put(_ object: Any?, at defaultsKey: String) {
        if let object {
            userDefaults.set(object, forKey: defaultsKey)
        } else {
            userDefaults.removeObject(forKey: defaultsKey)
        }
    }
}

extension UserDefaultsProvider.Form {
    package func value(_ held: FlagValue, at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        switch (self, held) {
        case (.values, _): return held
        case (.override, .string("ON")): return .bool(true)
        case (.override, .string("OFF")): return .bool(false)
        case (.override, .string("Default")): return nil
        case (.override, _):
            throw FlagValueError("found \(held.briefDescription), expected \"ON\", \"OFF\" or \"Default\"")
        case (.dictionary(let name), _): return try Self.store(of: held, in: name).value(at: key)
        }
    }

    /// Returns what the defaults hold after a change; `held` is what they hold before.
    package func stored(
        _ value: FlagValue?, at key: FlagKeyPath, in held: Any?
    ) throws(FlagValueError) -> FlagValue? {
        switch (self, value) {
        case (.dictionary(let name), _):
            let store = try Self.store(of: FlagValue(foundation: held ?? [String: Any]()), in: name)
            try store.set(value, at: key)
            return .dictionary(try store.values)
        case (_, nil), (.values, _): return value
        case (.override, .bool(let isOn)): return .string(isOn ? "ON" : "OFF")
        case (.override, .some(let value)):
            throw FlagValueError(
                "found \(value.briefDescription), expected a boolean, the only type that Override stores")
        }
    }

    private static func store(of held: FlagValue, in name: String) throws(FlagValueError) -> FlagValueStore {
        guard case .dictionary(let values) = held else {
            throw FlagValueError("\(name) is \(held.briefDescription), expected a dictionary of values")
        }
        return FlagValueStore(values)
    }
}

/// `UserDefaults` in lists of providers, as in RealFlags.
extension UserDefaults: FlagsProviderConvertible {
    /// A provider of these defaults, named `UserDefaults` as in RealFlags.
    public var flagsProvider: any FlagsProvider { UserDefaultsProvider(self) }
}
