import Foundation

/// `Codable` types: stored as data that holds JSON with sorted keys, as RealFlags stores them.
extension FlagProtocol where Self: Codable {
    /// Decodes JSON, whether it is stored as data or as a dictionary, an array or a scalar of its own.
    public init?(encoded value: EncodedFlagValue) {
        let json: Data =
            if case .data(let data) = value { data } else { Data(FlagJSON.text(value).utf8) }
        guard case .success(let decoded) = Result(catching: { try JSONDecoder().decode(Self.self, from: json) }) else {
            return nil
        }
        self = decoded
    }

    /// Data that holds JSON with sorted keys.
    public func encoded() throws(FlagValueError) -> EncodedFlagValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return .data(try encoder.encode(self))
        } catch {
            throw FlagValueError("a value of the type \(Self.self) can't be written as JSON: \(error)")
        }
    }

    /// JSON; a type with an ``FlagProtocol/encoded()`` of its own says what that gives instead.
    public static var flagType: FlagType? { .json }

    /// Data, where the type is JSON: RealFlags reads nothing else.
    public static var flagStorage: FlagStorage? { flagType == .json ? .data : nil }
}
