import FeatureFlags
import FlagChanges
import Foundation

/// A flag as the API tells it: what it is, what a read returns and why, and what each provider holds.
struct FlagDocument: Encodable {
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
    let defaultValue: PlainValue?
    let state: String
    let value: PlainValue?
    let source: String
    let providers: [Provider]

    private enum CodingKeys: String, CodingKey {
        case key, name, description, type, isDefined, isLocked, requiresRestart, tags, owner, expires, choices
        case minimum, maximum, pattern, state, value, source, providers
        case defaultValue = "default"
    }

    /// What one provider says of the flag.
    struct Provider: Encodable {
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
        choices = definition.type == .choice ? definition.constraints.choices.map(PlainValue.init) : nil
        minimum = (definition.constraints.minimum?.value).map(PlainValue.init)
        maximum = (definition.constraints.maximum?.value).map(PlainValue.init)
        pattern = definition.constraints.pattern
        defaultValue = definition.defaultValue.map(PlainValue.init)
        state = entry.state.rawValue
        value = entry.resolution.effectiveValue.map(PlainValue.init)
        source =
            switch entry.resolution.source {
            case .provider(let name): name
            case .computed: "computed"
            case .defaultValue: "default"
            case .none: "none"
            }
        providers = entry.resolution.readings.map { reading in
            Provider(reading, revision: entry.revisions[reading.provider])
        }
    }
}

extension FlagDocument.Provider {
    fileprivate init(_ reading: FlagResolution.Reading, revision: FlagRevision?) {
        name = reading.provider
        self.revision = revision?.rawValue
        switch reading.answer {
        case .absent: (answer, value, problem) = ("absent", nil, nil)
        case .value(let found, _): (answer, value, problem) = ("value", PlainValue(found), nil)
        case .broken(let fault, _): (answer, value, problem) = ("broken", nil, fault.description)
        }
    }
}
