import Foundation

/// The shape of a `Codable` type's JSON, learnt by decoding a sample and recording what is asked for.
///
/// A part that is read in several ways, or by keys not known before, may be of any kind. A type that reads JSON in its
/// own way gives its ``FlagProtocol/flagConstraints``.
final class CodableShape {
    private var schema: FlagSchema?
    private var isOptional = false
    /// `true` if the part may be of any kind.
    private var isUnclear = false
    private var members: [String: CodableShape] = [:]
    private var element: CodableShape?

    /// Returns the constraints on a flag's JSON; `nil` if the sample isn't JSON data of the type, or shows no parts.
    ///
    /// A sample in another form means that the type has its own `encoded()`. Parts that the sample lacks, such as the
    /// elements of an empty array, are those of `other`, a further sample.
    static func constraints(
        of type: any Decodable.Type, sample: FlagValue, other: @autoclosure () -> FlagValue?
    ) -> FlagConstraints? {
        guard let shape = CodableShape(of: type, sample: sample) else { return nil }
        if shape.lacksParts(0), let other = other().flatMap({ CodableShape(of: type, sample: $0) }) {
            shape.complete(from: other)
        }
        let schema = shape.found(0)
        return schema.constraints.limitsParts ? schema.constraints : nil
    }

    private init() {}

    private convenience init?(of type: any Decodable.Type, sample: FlagValue) {
        guard let json = FlagJSON.structure(in: sample) else { return nil }
        self.init()
        guard case .success = Result(catching: { try decode(type, from: json, at: []) }) else { return nil }
        loosen(json, 0) { Self.isRead($0, as: type) }
    }

    /// Marks parts that the type does without, or reads as another kind than the sample's.
    ///
    /// `isRead` decodes the whole sample with another value in place of this part.
    private func loosen(_ json: JSONValue, _ depth: Int, isRead: (JSONValue) -> Bool) {
        guard depth < Self.deepest else { return }
        switch json {
        case .object(let values):
            for (name, member) in members where !member.isUnclear {
                guard let value = values[name] else { continue }
                var others = values
                others[name] = nil
                if !member.isOptional, isRead(.object(others)) { member.noteOptional() }
                member.loosenPart(value, depth) { isRead(.object(values.merging([name: $0]) { $1 })) }
            }
            guard let element, !element.isUnclear, let (name, value) = values.min(by: { $0.key < $1.key }) else {
                return
            }
            element.loosenPart(value, depth) { isRead(.object(values.merging([name: $0]) { $1 })) }
        case .array(let values):
            guard let element, !element.isUnclear, let value = values.first else { return }
            element.loosenPart(value, depth) { isRead(.array([$0] + values.dropFirst())) }
        default: break
        }
    }

    private func loosenPart(_ json: JSONValue, _ depth: Int, isRead: (JSONValue) -> Bool) {
        let other: JSONValue = if case .scalar(.string) = json { .scalar(.integer(0)) } else { .scalar(.string("")) }
        if isRead(other) { return noteUnclear() }
        loosen(json, depth + 1, isRead: isRead)
    }

    /// `true` if the sample has no value of a part.
    private func lacksParts(_ depth: Int) -> Bool {
        guard !isUnclear, depth < Self.deepest else { return false }
        guard let schema else { return true }
        switch schema.type {
        case .json: return members.values.contains { $0.lacksParts(depth + 1) }
        case .array, .dictionary: return element?.lacksParts(depth + 1) ?? true
        default: return false
        }
    }

    /// Adds the shapes of parts that are unknown here.
    private func complete(from other: CodableShape) {
        guard !isUnclear, !other.isUnclear else { return }
        guard let schema else {
            (schema, members, element) = (other.schema, other.members, other.element)
            isOptional = isOptional || other.isOptional
            return
        }
        guard schema.type == other.schema?.type else { return }
        for (name, member) in members { other.members[name].map(member.complete) }
        if let element { other.element.map(element.complete) } else { element = other.element }
    }

    private static func isRead(_ json: JSONValue, as type: any Decodable.Type) -> Bool {
        let decoded = Result { try JSONDecoder().decode(type, from: Data(json.text(indent: nil).utf8)) }
        return if case .success = decoded { true } else { false }
    }

    /// The limit of shapes inside one another, since a recursive type has a sample of any depth.
    private static let deepest = 8

    private func found(_ depth: Int) -> FlagSchema {
        guard depth < Self.deepest else { return FlagSchema(type: nil, isOptional: true) }
        var schema = isUnclear ? FlagSchema(type: nil) : schema ?? FlagSchema(type: nil)
        schema.isOptional = isOptional
        guard !isUnclear else { return schema }
        switch schema.type {
        case .json: schema.constraints.properties = members.mapValues { $0.found(depth + 1) }
        case .array, .dictionary:
            guard let element else { break }
            schema.constraints.items = element.found(depth + 1)
        default: break
        }
        return schema
    }

    /// Records the kind of the part; two different ones make it unclear.
    func note(_ new: FlagSchema) {
        if let schema, schema.type != new.type || schema.constraints.format != new.constraints.format {
            isUnclear = true
        } else if schema == nil {
            schema = new
        }
    }

    func noteUnclear() { isUnclear = true }

    func noteOptional() { isOptional = true }

    func member(_ name: String) -> CodableShape {
        if let known = members[name] { return known }
        let new = CodableShape()
        members[name] = new
        return new
    }

    var elements: CodableShape {
        if let element { return element }
        let new = CodableShape()
        element = new
        return new
    }

    /// Records a type without a value of it.
    func note(missing type: any Decodable.Type) {
        if let schema = FlagSchema(inJSON: type) { note(schema) }
    }

    /// Decodes as `JSONDecoder` does, and records the type.
    func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue, at path: [any CodingKey]) throws -> Value {
        do {
            if let optional = type as? any OptionalFlagValue.Type,
                let wrapped = optional.wrappedType as? any Decodable.Type
            {
                noteOptional()
                if json != .null, let value = try decode(wrapped, from: json, at: path) as? Value { return value }
                note(missing: wrapped)
                return try JSONDecoder().decode(Value.self, from: Data(json.text(indent: nil).utf8))
            }
            guard let schema = FlagSchema(inJSON: type) else {
                return try Value(from: ShapeDecoder(shape: self, json: json, codingPath: path))
            }
            note(schema)
            try decodeParts(of: type, json, at: path)
            return try JSONDecoder().decode(Value.self, from: Data(json.text(indent: nil).utf8))
        } catch {
            // The type may try something else next.
            noteUnclear()
            throw error
        }
    }

    private func decodeParts(of type: any Decodable.Type, _ json: JSONValue, at path: [any CodingKey]) throws {
        guard let part = (type as? any DecodableContainer.Type)?.partType else { return }
        let values: [JSONValue] =
            switch json {
            case .array(let values): values
            case .object(let members): Array(members.values)
            default: []
            }
        if values.isEmpty { elements.note(missing: part) }
        for value in values { _ = try elements.decode(part, from: value, at: path) }
    }
}

/// An array, or a dictionary by name, that `Codable` types hold.
private protocol DecodableContainer {
    static var partType: any Decodable.Type { get }
    static var jsonType: FlagType { get }
}

extension Array: DecodableContainer where Element: Decodable {
    fileprivate static var partType: any Decodable.Type { Element.self }
    fileprivate static var jsonType: FlagType { .array }
}

extension Set: DecodableContainer where Element: Decodable {
    fileprivate static var partType: any Decodable.Type { Element.self }
    fileprivate static var jsonType: FlagType { .array }
}

extension Dictionary: DecodableContainer where Key == String, Value: Decodable {
    fileprivate static var partType: any Decodable.Type { Value.self }
    fileprivate static var jsonType: FlagType { .dictionary }
}

extension FlagSchema {
    /// `JSONDecoder` doesn't read 1e128 as a `Decimal`.
    private static let largestDecimal = 1e128.nextDown
    private static let uuidPattern = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

    /// The schema of a type as `JSONDecoder` reads it; `nil` for a type that must be decoded to be known.
    ///
    /// That of an array's elements is included if they need no sample.
    fileprivate init?(inJSON type: any Decodable.Type) {
        switch type {
        case is Bool.Type: self.init(type: .bool)
        case is String.Type: self.init(type: .string)
        case is URL.Type: self.init(type: .url)
        case is Data.Type: self.init(type: .data)
        case is UUID.Type: self.init(type: .string, constraints: FlagConstraints(pattern: Self.uuidPattern))
        case is Double.Type, is Date.Type: self.init(type: .double)
        case is Decimal.Type:
            let most = FlagLimit(Self.largestDecimal)
            self.init(
                type: .double, constraints: FlagConstraints(minimum: FlagLimit(-Self.largestDecimal), maximum: most))
        case is Float.Type: self.init(type: .double, constraints: Float.flagConstraints)
        case let integer as any (FixedWidthInteger & Decodable).Type:
            self.init(type: .integer, constraints: FlagConstraints(format: integer.flagFormat))
        case let choice as any (RawRepresentable & CaseIterable & Decodable).Type:
            guard let schema = choice.schemaOfCases else { return nil }
            self = schema
        case let optional as any OptionalFlagValue.Type:
            guard let wrapped = optional.wrappedType as? any Decodable.Type, let schema = FlagSchema(inJSON: wrapped)
            else { return nil }
            self = schema
            isOptional = true
        case let container as any DecodableContainer.Type:
            self.init(
                type: container.jsonType, constraints: FlagConstraints(items: FlagSchema(inJSON: container.partType)))
        default: return nil
        }
    }
}

extension RawRepresentable where Self: CaseIterable & Decodable {
    /// `nil` unless the raw values are texts or integers and only those of the cases are read.
    fileprivate static var schemaOfCases: FlagSchema? {
        let choices = allCases.compactMap { choice -> FlagValue? in
            switch choice.rawValue {
            case let text as String: .string(text)
            case let number as any BinaryInteger: Int128(exactly: number).map(FlagValue.integer)
            default: nil
            }
        }
        guard choices.count == allCases.count, let first = choices.first else { return nil }
        let other: FlagValue? =
            if case .string = first { .string("\(choices)") } else {
                (0...Int128(choices.count)).lazy.map(FlagValue.integer).first { !choices.contains($0) }
            }
        guard let other else { return nil }
        let read = Result { try JSONDecoder().decode(Self.self, from: Data(FlagJSON.line(other).utf8)) }
        if case .success = read { return nil }
        return FlagSchema(type: .choice, constraints: FlagConstraints(choices: choices))
    }
}

extension FixedWidthInteger {
    fileprivate static var flagFormat: FlagFormat? { FlagFormat(Self.self) }
}
