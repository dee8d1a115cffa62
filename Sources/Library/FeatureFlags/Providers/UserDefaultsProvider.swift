import Foundation

/// Flags in `UserDefaults`, each under one flat key: the prefix and ``FlagKeyPath/fullPath``, as RealFlags keeps them.
///
/// ```swift
/// let defaults = UserDefaultsProvider(keyPrefix: "shop/")
/// let flags = FlagsLoader(ShopFlags.self, providers: [defaults])
/// try flags.$quickCheckout.set(true, in: defaults.name)
/// ```
///
/// A flat key doesn't tell where components end: `["a/b"]` and `["a", "b"]` are the same. On Linux, a date loses its
/// fractions of a second, and `-0.0` reads as `0.0` in the next process. Values set elsewhere in the process are seen at
/// once, but there is no telling of changes.
public final class UserDefaultsProvider: FlagsProvider, @unchecked Sendable {
    /// How values are stored.
    ///
    /// ```swift
    /// let overrides = UserDefaultsProvider(keyPrefix: "Override_", form: .override)
    /// ```
    public enum Form: Hashable, Sendable {
        /// As property list values.
        case values
        /// As Override's feature store has them, where the prefix is `Override_`: a boolean is `ON` or `OFF`, and
        /// `Default` is no value.
        case override
    }

    /// The name that tells this provider from the others.
    public let name: String
    /// What every key begins with.
    public let keyPrefix: String
    /// How values are stored.
    public let form: Form
    /// Whether changes are allowed.
    public let isWritable: Bool
    // The reason for `@unchecked`: Foundation documents the class as thread-safe, and leaves it unmarked only since it can
    // be subclassed.
    private let userDefaults: UserDefaults

    /// Makes a provider of the values in a `UserDefaults`.
    ///
    /// - Parameters:
    ///   - userDefaults: Where the values are; a subclass must be as safe to use from several threads as the class is.
    ///   - name: The name that tells it from the other providers.
    ///   - keyPrefix: What every key begins with.
    ///   - form: How values are stored.
    ///   - isWritable: Whether changes are allowed.
    public init(
        _ userDefaults: UserDefaults = .standard, name: String = "UserDefaults", keyPrefix: String = "",
        form: Form = .values, isWritable: Bool = true
    ) {
        self.userDefaults = userDefaults
        self.name = name
        self.keyPrefix = keyPrefix
        self.form = form
        self.isWritable = isWritable
    }

    /// Makes a provider of the values in a suite.
    ///
    /// - Parameters:
    ///   - suiteName: The suite; on Linux, the file `~/.config/<suite>.plist`.
    ///   - name: The name that tells it from the other providers; the suite's where `nil`.
    ///   - keyPrefix: What every key begins with.
    ///   - form: How values are stored.
    ///   - isWritable: Whether changes are allowed.
    /// - Throws: Where Foundation gives no suite of the name.
    public convenience init(
        suiteName: String, name: String? = nil, keyPrefix: String = "", form: Form = .values, isWritable: Bool = true
    ) throws(FlagError) {
        guard let suite = UserDefaults(suiteName: suiteName) else {
            throw FlagError(.badSuite(suiteName))
        }
        self.init(suite, name: name ?? suiteName, keyPrefix: keyPrefix, form: form, isWritable: isWritable)
    }

    /// What kind of store the values are in.
    public var shortDescription: String? {
        userDefaults === UserDefaults.standard ? "The standard UserDefaults" : "A UserDefaults suite"
    }

    /// The value that is held.
    ///
    /// - Parameter key: The key path of the flag.
    /// - Returns: `nil` where there is none.
    /// - Throws: Where what is held is none that a flag can have.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        guard let object = userDefaults.object(forKey: flatKey(key)) else { return nil }
        return try form.value(FlagValue(foundation: object))
    }

    /// Stores or removes a value, and saves.
    ///
    /// - Parameters:
    ///   - value: The new value; `nil` removes the one that is held.
    ///   - key: The key path of the flag.
    /// - Throws: Where the provider is not writable, no property list can hold the value or the key, or it could not be
    ///   saved; nothing changed then.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
        let flatKey = flatKey(key)
        try FlagValue.checkStorable(flatKey)
        let object = try value.map { try form.stored($0).foundationObject }
        let before = userDefaults.object(forKey: flatKey)
        put(object, at: flatKey)
        // Without this, Linux writes nothing.
        guard userDefaults.synchronize() else {
            put(try before.map { try FlagValue(foundation: $0).foundationObject }, at: flatKey)
            throw FlagError(.unsavedDefaults)
        }
    }

    /// Reads what other processes have saved.
    ///
    /// - Throws: Where that can't be read.
    public func refresh() async throws {
        guard userDefaults.synchronize() else {
            throw FlagError(.unreadDefaults)
        }
    }

    /// The type of the `UserDefaults`, which may be a subclass.
    var userDefaultsType: Any.Type { type(of: userDefaults) }

    private func flatKey(_ key: FlagKeyPath) -> String { keyPrefix + key.fullPath }

    private func put(_ object: Any?, at flatKey: String) {
        if let object {
            userDefaults.set(object, forKey: flatKey)
        } else {
            userDefaults.removeObject(forKey: flatKey)
        }
    }
}

extension UserDefaultsProvider.Form {
    fileprivate func value(_ stored: FlagValue) throws(FlagValueError) -> FlagValue? {
        switch (self, stored) {
        case (.values, _): return stored
        case (.override, .string("ON")): return .bool(true)
        case (.override, .string("OFF")): return .bool(false)
        case (.override, .string("Default")): return nil
        case (.override, _):
            throw FlagValueError("found \(stored.briefDescription), wanted \"ON\", \"OFF\" or \"Default\"")
        }
    }

    fileprivate func stored(_ value: FlagValue) throws(FlagValueError) -> FlagValue {
        switch (self, value) {
        case (.values, _): return value
        case (.override, .bool(let isOn)): return .string(isOn ? "ON" : "OFF")
        case (.override, _):
            throw FlagValueError("found \(value.briefDescription), wanted a boolean: Override stores nothing else")
        }
    }
}

/// Any `UserDefaults` stands in a list of providers, as with RealFlags.
extension UserDefaults: FlagsProviderConvertible {
    /// A provider of its values, with RealFlags' name for it, `UserDefaults`.
    public var flagsProvider: any FlagsProvider { UserDefaultsProvider(self) }
}
