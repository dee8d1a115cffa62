import Foundation
import Synchronization

/// A read-only provider of flags in environment variables, as they were when it was created.
///
/// ```swift
/// let environment = EnvironmentProvider(prefix: "SHOP_", environment: ["SHOP_DELIVERY__FEE": "3.5"])
/// let flags = FlagsLoader(ShopFlags.self, providers: [environment])
/// print(flags.delivery.fee)  // 3.5
/// ```
///
/// A key path's variable is the prefix and the components, joined by `__`. In a component, ASCII letters become upper
/// case, digits stay, and any other Unicode scalar becomes `_`: with the prefix `SHOP_`, `ui/blue-text` is
/// `SHOP_UI__BLUE_TEXT`. A name that would begin with a digit, which no shell can set, gets a leading `_`.
///
/// Two key paths may share a variable (``collisions(among:)``). If it is set and both are read, both are *broken*, and
/// the message names them.
///
/// The text is read as the flag's type: `true`, `off` or `1` as a Boolean; base64 as data; JSON as an array, a
/// dictionary, ``JSONData`` or another `Codable` type; likewise numbers, ISO 8601 dates and URLs.
public final class EnvironmentProvider: FlagsProvider {
    /// The provider's unique name.
    public let name: String
    /// The start of every variable's name, taken literally.
    public let prefix: String
    private let environment: [String: String]
    /// Up to two key paths that were read from each variable that is set.
    private let asked = Mutex<[String: [FlagKeyPath]]>([:])

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's unique name.
    ///   - prefix: The start of every variable's name, taken literally: end it with `_`.
    ///   - environment: Texts by variable name; by default the process's environment.
    public init(
        name: String = "Environment", prefix: String = "",
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.name = name
        self.prefix = prefix
        self.environment = environment
    }

    /// A description with the prefix of the variables.
    public var shortDescription: String? {
        prefix.isEmpty ? "Environment variables" : "Environment variables starting with \(prefix)"
    }

    /// Always `false`: the program that starts a process sets its environment.
    public var isWritable: Bool { false }

    /// Always `true`: the provider keeps the variables that it found when it was created.
    public var isSteady: Bool { true }

    /// Returns the name of a flag's variable.
    public func variable(for key: FlagKeyPath) -> String {
        let name = prefix + key.components.map(Self.mapped).joined(separator: "__")
        return name.first.map { ("0"..."9").contains($0) } == true ? "_" + name : name
    }

    /// Returns the variables that several of the given key paths share.
    ///
    /// - Parameter keys: The key paths, such as those of ``FlagsLoader/featureFlags``.
    /// - Returns: The colliding key paths, sorted, by variable name.
    public func collisions(among keys: [FlagKeyPath]) -> [String: [FlagKeyPath]] {
        Dictionary(grouping: Set(keys), by: variable).filter { $0.value.count > 1 }.mapValues { $0.sorted() }
    }

    /// Returns the variable's text; `nil` if it is not set.
    ///
    /// - Throws: An error if another key path was read from the same variable.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try text(at: key).map { .string($0.text) }
    }

    /// Returns the variable's text, read as the flag's type; `nil` if it is not set.
    ///
    /// - Throws: An error if the text is not of the type, or another key path was read from the same variable.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        guard let (variable, text) = try text(at: key) else { return nil }
        let stored: Result<FlagValue, FlagValueError> = Result { () throws(FlagValueError) in
            try type.flagType?.rules.stored(text) ?? .string(text)
        }
        guard case .success(let stored) = stored, let value = Value(encoded: stored) else {
            let found = FlagValue.string(text).briefDescription
            throw FlagValueError("the variable \(variable) is \(found), expected \(Value.flagExpectation)")
        }
        return value
    }

    /// Always throws, as the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
    }

    private func text(at key: FlagKeyPath) throws(FlagValueError) -> (variable: String, text: String)? {
        let variable = variable(for: key)
        guard let text = environment[variable] else { return nil }
        let (keys, isNew) = asked.withLock { asked in
            let keys = asked[variable, default: []]
            let isNew = !keys.contains(key) && keys.count < 2
            if isNew { asked[variable] = keys + [key] }
            return (asked[variable, default: []], isNew)
        }
        // The other key path's value, which may be remembered, is broken from now on.
        if isNew, keys.count > 1 { FlagGeneration.advance() }
        guard let other = keys.first(where: { $0 != key }) else { return (variable, text) }
        throw FlagValueError(
            "the variable \(variable) is used for both \(key.text) and \(other.text); change one of the keys")
    }

    private static func mapped(_ component: String) -> String {
        let mapped = component.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "a"..."z": Unicode.Scalar(UInt8(scalar.value) - 32)
            case "A"..."Z", "0"..."9": scalar
            default: "_"
            }
        }
        return String(String.UnicodeScalarView(mapped))
    }
}
