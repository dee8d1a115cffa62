import Foundation

extension FlagSchema {
    /// The schema of a type's stored values.
    ///
    /// `samples` are stored values, of which the shape of `Codable` values is learnt. Without any, the type is decoded
    /// from placeholders.
    init(of type: any FlagProtocol.Type, samples: [FlagValue]) {
        self.init(declaredBy: type)
        complete(of: type, samples, asksType: true)
    }

    private init(declaredBy type: any FlagProtocol.Type) {
        self.init(
            type: type.flagType, constraints: type.flagConstraints, isOptional: type is any OptionalFlagValue.Type)
    }

    /// The schema of an element; `nil` if its type is unknown.
    init?(ofPart type: (some FlagProtocol).Type) {
        self.init(declaredBy: type)
        // The whole value's schema asks the type, if no sample has an element.
        complete(of: type, [], asksType: false)
        if self.type == nil { return nil }
    }

    /// Adds what the static constraints don't say: the shapes of `Codable` parts, and the format of a raw value.
    private mutating func complete(of type: any FlagProtocol.Type, _ samples: [FlagValue], asksType: Bool) {
        if let wrapped = (type as? any OptionalFlagValue.Type)?.wrappedType as? any FlagProtocol.Type {
            return complete(of: wrapped, samples, asksType: asksType)
        }
        if let raw = (type as? any RawRepresentable.Type)?.rawFlagType, self.type == raw.flagType {
            let all = FlagSchema(of: raw, samples: samples).constraints
            constraints.format = constraints.format ?? all.format
            constraints.items = constraints.items ?? all.items
        }
        if let element = (type as? any FlagContainer.Type)?.elementType, var items = constraints.items {
            items.complete(of: element, samples.flatMap(\.parts), asksType: asksType)
            constraints.items = items
        }
        if self.type == .json, !constraints.limitsParts, let type = type as? any (FlagProtocol & Decodable).Type {
            func placeholder(completing sample: FlagValue? = nil) -> FlagValue? {
                asksType ? Placeholder.sample(of: type, completing: sample) : nil
            }
            let samples = samples.isEmpty ? [placeholder()].compactMap(\.self) : samples
            constraints =
                samples.lazy.compactMap { sample in
                    CodableShape.constraints(of: type, sample: sample, other: placeholder(completing: sample))
                }.first ?? constraints
        }
    }
}

extension RawRepresentable {
    fileprivate static var rawFlagType: (any FlagProtocol.Type)? { RawValue.self as? any FlagProtocol.Type }
}

extension FlagValue {
    fileprivate var parts: [FlagValue] {
        switch self {
        case .array(let values): values
        case .dictionary(let entries): Array(entries.values)
        default: []
        }
    }
}
