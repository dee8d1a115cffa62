/// The reason why a provider has no value of a type; the errors of ToggleUI's `DictionaryToggleDecoder`.
///
/// ```swift
/// do {
///     let fee: Double = try local.decode(at: flags.delivery.$fee.keyPath)
///     print(fee)
/// } catch {
///     print(error.isKeyNotFound ? "The file holds no fee." : "\(error)")
/// }
/// ```
public struct FlagDecodingError: Error, Hashable, Sendable {
    private enum Cause: Hashable {
        case keyNotFound
        case typeMismatch
    }

    private let cause: Cause
    /// The requested key path.
    public let key: FlagKeyPath
    /// The provider's name.
    public let provider: String
    /// The value found and the one expected, in words.
    public let problem: FlagValueError

    /// `true` if there is no value: an entry is missing, or an array has no such index.
    public var isKeyNotFound: Bool { cause == .keyNotFound }

    /// `true` if the value is not of the requested type or can't be read.
    public var isTypeMismatch: Bool { cause == .typeMismatch }

    fileprivate static func keyNotFound(
        _ key: FlagKeyPath, in provider: String, _ problem: FlagValueError
    ) -> FlagDecodingError {
        FlagDecodingError(cause: .keyNotFound, key: key, provider: provider, problem: problem)
    }

    fileprivate static func typeMismatch(
        _ key: FlagKeyPath, in provider: String, _ problem: FlagValueError
    ) -> FlagDecodingError {
        FlagDecodingError(cause: .typeMismatch, key: key, provider: provider, problem: problem)
    }
}

extension FlagDecodingError: CustomStringConvertible {
    /// The key path, the provider and the cause.
    public var description: String { "\(key.text) in \(provider): \(problem)" }
}

extension FlagsProvider {
    /// Returns the value of a type at a key path.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - key: The flag's key path.
    /// - Returns: The value.
    /// - Throws: An error if there is no value, or it is not of the type.
    public func decode<Value: FlagProtocol>(_ type: Value.Type = Value.self, at key: FlagKeyPath)
        throws(FlagDecodingError) -> Value
    {
        let found: Value?
        do throws(FlagValueError) {
            found = try value(of: type, at: key)
        } catch {
            throw .typeMismatch(key, in: name, error)
        }
        guard let found else {
            throw .keyNotFound(key, in: name, FlagValueError("no value found, expected \(Value.flagExpectation)"))
        }
        return found
    }
}
