/// Why a provider gives no value of a type; the errors of ToggleUI's `DictionaryToggleDecoder`.
public struct FlagDecodingError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// No value is held at the key path: an entry is missing, or an array has no such index.
        case keyNotFound
        /// The value is none of the type asked for, or can't be read.
        case typeMismatch
    }

    /// What is wrong.
    public let kind: Kind
    /// The key path asked for.
    public let key: FlagKeyPath
    /// The provider's name.
    public let provider: String
    /// The cause in words: what was found, and what is wanted.
    public let problem: FlagValueProblem
}

extension FlagDecodingError: CustomStringConvertible {
    /// The key path, the provider and the cause.
    public var description: String { "\(key.text) in \(provider): \(problem)" }
}

extension FlagsProvider {
    /// The value of a type at a key path, or exactly why there is none.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - key: Where it stands.
    /// - Returns: The value.
    /// - Throws: That the key path holds none, or what was found and what is wanted.
    public func decode<Value: FlagProtocol>(_ type: Value.Type = Value.self, at key: FlagKeyPath)
        throws(FlagDecodingError) -> Value
    {
        let found: Value?
        do throws(FlagValueProblem) {
            found = try value(of: type, at: key)
        } catch {
            throw FlagDecodingError(kind: .typeMismatch, key: key, provider: name, problem: error)
        }
        guard let found else {
            let problem = FlagValueProblem("no value is held, wanted \(Value.flagExpectation)")
            throw FlagDecodingError(kind: .keyNotFound, key: key, provider: name, problem: problem)
        }
        return found
    }
}
