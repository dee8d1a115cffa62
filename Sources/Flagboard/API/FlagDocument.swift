import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import Foundation

/// A flag as the API tells it: what it is, what a read returns and why, and what each provider holds.
struct FlagDocument {
    let key: String
    let name: String
    let description: String
    let type: String
    let isDefined: Bool
    let isLocked: Bool
    let requiresRestart: Bool
    let tags: [String]
    let owner: String?
    let expires: String?
    let choices: [PlainValue]?
    let minimum: PlainValue?
    let maximum: PlainValue?
    let pattern: String?
    /// The layout that the definition says; left out where it says none.
    let storage: String?
    let defaultValue: PlainValue?
    let state: String
    let value: PlainValue?
    let source: String
    let providers: [Provider]
    /// The fields of the definition that have no effect; `nil` where there are none.
    let unknownFields: [UnknownFieldDocument]?

    /// A field of the definition that has no effect.
    struct UnknownFieldDocument {
        let name: String
        /// The field that was likely meant; `nil` where it is the author's own.
        let likely: String?
    }

    /// What one provider says of the flag.
    struct Provider {
        let name: String
        /// `value`, `absent` or `broken`.
        let answer: String
        /// What it holds, where that is a value of the flag's type.
        let value: PlainValue?
        /// Why it is broken.
        let problem: String?
        /// What a change of this flag in this provider states in `If-Match`; `nil` where it can't be changed.
        let revision: String?
    }

    /// Tells of a flag.
    init(_ entry: FlagEntry) {
        let definition = entry.definition
        let metadata = definition.metadata
        key = entry.key.text
        name = metadata.name ?? entry.key.readableName
        description = metadata.description
        type = definition.type.rawValue
        isDefined = entry.isDefined
        isLocked = metadata.isLocked
        requiresRestart = metadata.requiresRestart
        tags = metadata.tags
        owner = metadata.owner
        expires = metadata.expires.map(FlagDate.text)
        choices = definition.type == .choice ? definition.constraints.choices.map { PlainValue($0, of: .choice) } : nil
        minimum = (definition.constraints.minimum?.value).map { PlainValue($0, of: nil) }
        maximum = (definition.constraints.maximum?.value).map { PlainValue($0, of: nil) }
        pattern = definition.constraints.pattern
        storage = definition.storage?.rawValue
        defaultValue = definition.defaultValue.map { PlainValue($0, of: definition.type) }
        state = entry.state.rawValue
        value = entry.resolution.effectiveValue.map { PlainValue($0, of: definition.type) }
        source =
            switch entry.resolution.source {
            case .provider(let name): name
            case .computed: "computed"
            case .defaultValue: "default"
            case .none: "none"
            }
        providers = entry.resolution.readings.map { reading in
            Provider(reading, of: definition.type, revision: entry.revisions[reading.provider])
        }
        let fields = entry.unknownFields.map { UnknownFieldDocument(name: $0.name, likely: $0.intention?.name) }
        unknownFields = fields.isEmpty ? nil : fields
    }
}

extension FlagDocument.Provider {
    fileprivate init(_ reading: FlagResolution.Reading, of type: FlagType, revision: FlagRevision?) {
        name = reading.provider
        self.revision = revision?.rawValue
        switch reading.answer {
        case .absent: (answer, value, problem) = ("absent", nil, nil)
        case .value(let found, _): (answer, value, problem) = ("value", PlainValue(found, of: type), nil)
        case .broken(let fault, _): (answer, value, problem) = ("broken", nil, fault.description)
        }
    }
}

extension FlagDocument: JSONDocument {
    static let members: JSONMembers<Self> = [
        "key": .of(\.key), "name": .of(\.name), "description": .of(\.description), "type": .of(\.type),
        "isDefined": .of(\.isDefined), "isLocked": .of(\.isLocked), "requiresRestart": .of(\.requiresRestart),
        "tags": .of(\.tags), "owner": .of(\.owner), "expires": .of(\.expires), "choices": .of(\.choices),
        "minimum": .of(\.minimum), "maximum": .of(\.maximum), "pattern": .of(\.pattern), "storage": .of(\.storage),
        "default": .of(\.defaultValue), "state": .of(\.state), "value": .of(\.value), "source": .of(\.source),
        "providers": .of(\.providers), "unknownFields": .of(\.unknownFields),
    ]
}

extension FlagDocument.UnknownFieldDocument: JSONDocument {
    static let members: JSONMembers<Self> = ["name": .of(\.name), "likely": .of(\.likely)]
}

extension FlagDocument.Provider: JSONDocument {
    static let members: JSONMembers<Self> = [
        "name": .of(\.name), "answer": .of(\.answer), "value": .of(\.value), "problem": .of(\.problem),
        "revision": .of(\.revision),
    ]
}
