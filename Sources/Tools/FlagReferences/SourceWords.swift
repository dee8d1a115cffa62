import FeatureFlags

/// Flattens nested values, because coders allow only a few hundred levels.
package struct SourceWords {
    private var words: ArraySlice<String>
    private let coder: any Decoder

    init(from coder: any Decoder) throws {
        self.coder = coder
        words = try coder.singleValueContainer().decode([String].self)[...]
    }

    mutating func next() throws -> String {
        guard let word = words.popFirst() else { throw broken }
        return word
    }

    mutating func list<Item>(_ item: (inout Self) throws -> Item) throws -> [Item] {
        guard let count = Int(try next()), count >= 0, count <= words.count else { throw broken }
        return try (0..<count).map { _ in try item(&self) }
    }

    var broken: DecodingError {
        .dataCorrupted(
            .init(codingPath: coder.codingPath, debugDescription: "The content doesn't match what was written."))
    }
}

package protocol WordCodable: Codable {
    init(_ words: inout SourceWords) throws
    func append(to words: inout [String])
}

extension WordCodable {
    package init(from decoder: any Decoder) throws {
        var words = try SourceWords(from: decoder)
        try self.init(&words)
    }

    package func encode(to encoder: any Encoder) throws {
        var words: [String] = []
        append(to: &words)
        var container = encoder.singleValueContainer()
        try container.encode(words)
    }
}

extension SourceTypeName: WordCodable {
    package init(_ words: inout SourceWords) throws {
        path = try words.list { try $0.next() }
        arguments = try words.list { try SourceTypeName(&$0) }
    }

    package func append(to words: inout [String]) {
        words += ["\(path.count)"] + path + ["\(arguments.count)"]
        for argument in arguments { argument.append(to: &words) }
    }
}

extension SourceExpression: WordCodable {
    package init(_ words: inout SourceWords) throws {
        switch try words.next() {
        case "unknown": self = .unknown
        case "literal": self = .literal
        case "current": self = .current
        case "name": self = .name(try words.next())
        case "type": self = .type(try SourceTypeName(&words))
        case "value": self = .value(try SourceTypeName(&words))
        case "member":
            let name = try words.next()
            self = .member(try SourceExpression(&words), name)
        case "call":
            let given = try words.list { try SourceExpression(&$0) }
            self = .call(try SourceExpression(&words), given)
        case "first": self = .first(try words.list { try SourceExpression(&$0) })
        case "guess": self = .guess(try words.list { try SourceExpression(&$0) })
        default: throw words.broken
        }
    }

    package func append(to words: inout [String]) {
        switch self {
        case .unknown: words.append("unknown")
        case .literal: words.append("literal")
        case .current: words.append("current")
        case .name(let name): words += ["name", name]
        case .type(let name):
            words.append("type")
            name.append(to: &words)
        case .value(let name):
            words.append("value")
            name.append(to: &words)
        case .member(let base, let name):
            words += ["member", name]
            base.append(to: &words)
        case .call(let callee, let given):
            words += ["call", "\(given.count)"]
            for type in given { type.append(to: &words) }
            callee.append(to: &words)
        case .first(let choices):
            words += ["first", "\(choices.count)"]
            for choice in choices { choice.append(to: &words) }
        case .guess(let choices):
            words += ["guess", "\(choices.count)"]
            for choice in choices { choice.append(to: &words) }
        }
    }
}

extension KeyConfiguration.Transform: Codable {
    /// Reads a transform that ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        var words = try SourceWords(from: decoder)
        switch try words.next() {
        case "none": self = .none
        case "kebab": self = .kebabCase
        case "snake": self = .snakeCase
        case "custom": self = .custom(try words.next())
        default: throw words.broken
        }
    }

    /// Writes the transform as words.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let words: [String] =
            switch self {
            case .none: ["none"]
            case .kebabCase: ["kebab"]
            case .snakeCase: ["snake"]
            case .custom(let text): ["custom", text]
            }
        try container.encode(words)
    }
}

extension KeyConfiguration: Codable {
    private enum CodingKeys: String, CodingKey { case prefix, separator, transform }

    /// Reads a configuration that ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            prefix: try values.decodeIfPresent(String.self, forKey: .prefix),
            pathSeparator: try values.decode(String.self, forKey: .separator),
            keyTransform: try values.decode(Transform.self, forKey: .transform))
    }

    /// Writes the configuration.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(prefix, forKey: .prefix)
        try values.encode(pathSeparator, forKey: .separator)
        try values.encode(keyTransform, forKey: .transform)
    }
}
