/// An error of a flag or a provider, other than an invalid value (``FlagValueError``).
///
/// ```swift
/// do {
///     try flags.$paymentRetries.set(5, in: "Team")
/// } catch let error as FlagError where error.isUnknownProvider {
///     print(error)  // names the missing provider, and the existing ones
/// }
/// ```
///
/// The text names the flag, the provider and the cause, and gives a remedy.
public struct FlagError: Error, Hashable, Sendable {
    enum Cause: Hashable, Sendable {
        case unknownProvider(String, names: [String])
        case providerExists(String)
        case readOnly(provider: String)
        case noWritableProvider(FlagKeyPath)
        case notTaken(provider: String, value: String?)
        case noDelegate(provider: String)
        case noKey
        case keyCollision(FlagKeyPath, other: FlagKeyPath, place: String)
        case declared(FlagKeyPath)
        case placed(FlagKeyPath)
        case noFlag(collection: String, read: [FlagKeyPath])
        case badSuite(String)
        case unsavedDefaults
        case unreadDefaults
    }

    private let cause: Cause

    init(_ cause: Cause) {
        self.cause = cause
    }

    /// `true` if no provider has the given name.
    public var isUnknownProvider: Bool { if case .unknownProvider = cause { true } else { false } }

    /// `true` if another provider has the name.
    public var isProviderCollision: Bool { if case .providerExists = cause { true } else { false } }

    /// `true` if the provider, or every provider of the flag, is read-only.
    public var isReadOnly: Bool {
        switch cause {
        case .readOnly, .noWritableProvider: true
        default: false
        }
    }

    /// `true` if a provider refused the change without a reason, or has no delegate.
    public var isNotTaken: Bool {
        switch cause {
        case .notTaken, .noDelegate: true
        default: false
        }
    }

    /// `true` if a flag can't be registered: it has no key or is already placed, or its key path collides.
    public var isNotRegistered: Bool {
        switch cause {
        case .noKey, .keyCollision, .declared, .placed: true
        default: false
        }
    }

    /// `true` if the flag's key path collides with that of another flag.
    public var isKeyCollision: Bool {
        switch cause {
        case .keyCollision, .declared: true
        default: false
        }
    }

    /// `true` if a property that was to be set is not a flag.
    public var isNoFlag: Bool { if case .noFlag = cause { true } else { false } }

    /// `true` if a `UserDefaults` can't be created, saved or read.
    public var isUserDefaultsFailure: Bool {
        switch cause {
        case .badSuite, .unsavedDefaults, .unreadDefaults: true
        default: false
        }
    }
}

extension FlagError: CustomStringConvertible {
    /// The flag or the provider, the cause, and a remedy.
    public var description: String {
        switch cause {
        case .unknownProvider(let name, let names):
            names.isEmpty
                ? "no provider is named \(name); add one first"
                : "no provider is named \(name); use one of "
                    + names.joined(separator: ", ")
        case .providerExists(let name): "a provider named \(name) already exists; use another name"
        case .readOnly(let provider): "the provider \(provider) is read-only; change the value in another one"
        case .noWritableProvider(let key): "\(key.text) has no writable provider; add one"
        case .notTaken(let provider, let value):
            "the provider \(provider) rejected \(value ?? "the value"); check which values it allows"
        case .noDelegate(let provider): "the provider \(provider) has no delegate for changes; set one"
        case .noKey: "a flag registered at run time needs a key; declare it with a key or a keyPath"
        case .keyCollision(let key, let other, let place):
            "\(key.text) collides with the key path of \(place), \(other.text); use another key"
        case .declared(let key):
            "\(key.text) is declared by a collection, so it can't be replaced; use another key"
        case .placed(let key): "the flag is already in use as \(key.text); declare another flag"
        case .noFlag(let collection, let read):
            read.isEmpty
                ? "the property of \(collection) is not a flag, so it can't be set; declare a flag"
                : "the property of \(collection) is computed from \(read.map(\.text).joined(separator: ", ")); set "
                    + "that flag instead"
        case .badSuite(let name): "\(name) is not allowed as a UserDefaults suite name; use another one"
        case .unsavedDefaults: "can't save UserDefaults; check that its folder is writable"
        case .unreadDefaults: "can't reload UserDefaults; check that its folder is writable"
        }
    }
}
