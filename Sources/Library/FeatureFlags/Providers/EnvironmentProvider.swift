import Foundation
import Synchronization

/// Flags in environment variables, read-only, as they were when the provider was made.
///
/// ```swift
/// let environment = EnvironmentProvider(prefix: "SHOP_", environment: ["SHOP_DELIVERY__FEE": "3.5"])
/// let flags = FlagsLoader(ShopFlags.self, providers: [environment])
/// print(flags.delivery.fee)  // 3.5
/// ```
///
/// The variable of a key path is the prefix and the components, joined by `__`. In a component, ASCII letters become upper
/// case, digits stay, and every other Unicode scalar becomes `_`: with the prefix `SHOP_`, `ui/blue-text` is read from
/// `SHOP_UI__BLUE_TEXT`. A name that would begin with a digit, which no shell can set, has a `_` before it.
///
/// Two key paths may so have one variable (``collisions(among:)``); where it is set and both are asked for, both are
/// *broken*, and the message names them.
///
/// A variable is text. It is read as the flag's type: `true`, `off` or `1` as a Boolean, numbers, ISO 8601 dates and URLs as
/// what they say, base64 as data, JSON as an array, a dictionary, ``JSONData`` or any other `Codable` type.
public final class EnvironmentProvider: FlagsProvider {
    /// The name that tells this provider from the others.
    public let name: String
    /// What every variable's name begins with, taken literally.
    public let prefix: String
    private let environment: [String: String]
    /// Up to two key paths that were asked for, by the variable that is set for them.
    private let asked = Mutex<[String: [FlagKeyPath]]>([:])

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: The name that tells it from the other providers.
    ///   - prefix: What every variable's name begins with, taken literally: end it with `_`.
    ///   - environment: Texts by the name of their variable; the process's own where there is none.
    public init(
        name: String = "Environment", prefix: String = "",
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.name = name
        self.prefix = prefix
        self.environment = environment
    }

    /// Environment variables, and what their names begin with.
    public var shortDescription: String? {
        prefix.isEmpty ? "Environment variables" : "Environment variables that begin with \(prefix)"
    }

    /// Never: a process's environment is set by the program that starts it.
    public var isWritable: Bool { false }

    /// The variable that a flag is read from.
    ///
    /// - Parameter key: The flag's key path.
    /// - Returns: The variable's name.
    public func variable(for key: FlagKeyPath) -> String {
        let name = prefix + key.components.map(Self.mapped).joined(separator: "__")
        return name.first.map { ("0"..."9").contains($0) } == true ? "_" + name : name
    }

    /// The variables that more than one of some key paths is read from.
    ///
    /// - Parameter keys: The key paths, such as those of ``FlagsLoader/featureFlags``.
    /// - Returns: The key paths in question, sorted, by the variable's name.
    public func collisions(among keys: [FlagKeyPath]) -> [String: [FlagKeyPath]] {
        Dictionary(grouping: Set(keys), by: variable).filter { $0.value.count > 1 }.mapValues { $0.sorted() }
    }

    /// The variable's text.
    ///
    /// - Parameter key: Where the flag stands.
    /// - Returns: `nil` where the variable is not set.
    /// - Throws: Where another key path is read from the same variable.
    public func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        try text(at: key).map { .string($0.text) }
    }

    /// The variable's text, read as the flag's type.
    ///
    /// - Parameters:
    ///   - type: The type of the flag's value.
    ///   - key: Where the flag stands.
    /// - Returns: `nil` where the variable is not set.
    /// - Throws: What was found in which variable and what is wanted, or that another key path is read from it.
    public func value<Value: FlagProtocol>(of type: Value.Type, at key: FlagKeyPath) throws(FlagValueError)
        -> Value?
    {
        guard let (variable, text) = try text(at: key) else { return nil }
        let stored: Result<FlagValue, FlagValueError> = Result { () throws(FlagValueError) in
            switch type.flagType {
            case .data: Data(base64Encoded: text).map(FlagValue.data) ?? .string(text)
            case .array, .dictionary: try FlagJSON.value(text)
            case .json: .data(Data(text.utf8))
            default: .string(text)
            }
        }
        guard case .success(let stored) = stored, let value = Value(encoded: stored) else {
            let found = FlagValue.string(text).briefDescription
            throw FlagValueError("the variable \(variable) is \(found), wanted \(Value.flagExpectation)")
        }
        return value
    }

    /// Refuses.
    ///
    /// - Parameters:
    ///   - value: Any value, or `nil`.
    ///   - key: Any key path.
    /// - Throws: That the provider is read-only.
    public func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        try checkWritable()
    }

    private func text(at key: FlagKeyPath) throws(FlagValueError) -> (variable: String, text: String)? {
        let variable = variable(for: key)
        guard let text = environment[variable] else { return nil }
        let keys = asked.withLock { asked in
            let keys = asked[variable, default: []]
            if !keys.contains(key), keys.count < 2 { asked[variable] = keys + [key] }
            return asked[variable, default: []]
        }
        guard let other = keys.first(where: { $0 != key }) else { return (variable, text) }
        throw FlagValueError(
            "the variable \(variable) stands for both \(key.text) and \(other.text); give one of them another key")
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
