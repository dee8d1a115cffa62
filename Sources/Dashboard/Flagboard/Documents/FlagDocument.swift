import FeatureFlags
import FeatureFlagsXML
import FlagChanges
import FlagHistory
import Foundation

/// A flag, its effective value and source, and each provider's value.
///
/// Lists hold all flags, so each is written directly, members sorted by name, without a document in between.
struct FlagDocument {
    private let entry: FlagEntry

    init(_ entry: FlagEntry) {
        self.entry = entry
    }
}

extension FlagDocument: JSONRecord {
    static var sample: FlagDocument { FlagDocument(.sample) }

    func tell(_ json: inout some JSONMemberSink) {
        let (definition, resolution, fields) = (entry.definition, entry.resolution, entry.unknownFields)
        let (type, constraints, metadata) = (definition.type, definition.constraints, definition.metadata)
        let broken = resolution.brokenSources.map(\.provider)
        // The value's source, and those of higher precedence, if they are broken.
        json.add("brokenSources", broken.isEmpty ? nil : broken)
        json.add("choices", type.rules.form == .choice ? constraints.choices.map { PlainValue($0, of: type) } : nil)
        // The app computes it, so that only the app knows it.
        json.add("computed", definition.computed)
        json.add("default", definition.defaultValue.map { PlainValue($0, of: type) })
        json.add("description", metadata.description)
        json.add("excludedProviders", definition.excludedProviders.isEmpty ? nil : definition.excludedProviders)
        json.add("expires", metadata.expires.map(FlagDate.text))
        json.add("format", constraints.format)
        json.add("group", definition.isInOwnGroup ? definition.group?.text : nil)
        json.add("icon", metadata.uiIcon)
        json.add("isDefined", entry.isDefined)
        json.add("isLocked", metadata.isLocked)
        json.add("isOptional", definition.isOptional ? true : nil)
        // The value is the last good one of a broken source.
        json.add("isStale", resolution.isStale ? true : nil)
        json.add("items", (constraints.items?.manifestEntry).map { PlainValue(.dictionary($0), of: nil) })
        json.add("key", definition.key.text)
        json.add("maximum", (constraints.maximum?.value).map { PlainValue($0, of: nil) })
        json.add("minimum", (constraints.minimum?.value).map { PlainValue($0, of: nil) })
        json.add("name", definition.displayName)
        json.add("owner", metadata.owner)
        json.add("pattern", constraints.pattern)
        json.add(
            "properties",
            constraints.properties.isEmpty ? nil : PlainValue(constraints.properties.manifestEntry, of: nil))
        json.add("providers", Providers(readings: resolution.readings, type: type, revisions: entry.revisions))
        json.add("requiresRestart", metadata.requiresRestart)
        json.add("retired", metadata.retired)
        json.add("source", resolution.source.documentName)
        json.add("state", FlagState(resolution))
        json.add("storage", definition.storage)
        json.add("tags", metadata.tags)
        json.add("type", type)
        json.add("unknownFields", fields.isEmpty ? nil : fields.map(UnknownFieldDocument.init))
        json.add("value", resolution.effectiveValue.map { PlainValue($0, of: type) })
    }
}

private struct Providers: JSONContent {
    let readings: [FlagResolution.Reading]
    let type: FlagType
    let revisions: [String: FlagRevision]

    static var shape: JSONShape { .array(ReadingDocument.shape) }
    var isAbsent: Bool { false }

    func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "["))
        for place in readings.indices {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            let reading = readings[place]
            ReadingDocument(
                provider: reading.provider, isAsked: reading.isAsked, reading: reading.answer,
                lastGood: reading.lastGood, type: type, revision: revisions[reading.provider]
            ).write(to: &json)
        }
        json.append(UInt8(ascii: "]"))
    }
}

struct ReadingDocument: JSONRecord {
    let provider: String
    let isAsked: Bool
    let reading: FlagResolution.Answer
    var lastGood: FlagValue?
    let type: FlagType
    let revision: FlagRevision?

    private enum Answer: String, JSONWord {
        case absent, value, broken
    }

    static var sample: ReadingDocument {
        ReadingDocument(provider: "", isAsked: true, reading: .absent, type: .bool, revision: nil)
    }

    func tell(_ json: inout some JSONMemberSink) {
        let (answer, value, problem): (Answer, PlainValue?, String?) =
            switch reading {
            case .absent: (.absent, nil, nil)
            case .value(let found, _): (.value, PlainValue(found, of: type), nil)
            case .broken(let fault, _): (.broken, nil, fault.description)
            }
        json.add("answer", answer)
        // Omitted when `true`.
        json.add("isAsked", isAsked ? nil : false)
        // The value in use while the answer is broken.
        json.add("lastGood", lastGood.map { PlainValue($0, of: type) })
        json.add("name", provider)
        json.add("problem", problem)
        // The revision for `If-Match`; none if this provider can't be changed.
        json.add("revision", revision?.rawValue)
        json.add("value", value)
    }
}

struct UnknownFieldDocument: JSONDocument {
    let name: String
    /// The field that was likely meant; `nil` for a field of the author's own.
    let likely: String?

    init(_ field: UnknownField) {
        name = field.name
        likely = field.intention?.name
    }
}

extension FlagResolution.Source {
    fileprivate var documentName: String {
        switch self {
        case .provider(let name): name
        case .computed: "computed"
        case .defaultValue: "default"
        case .none: "none"
        }
    }
}

extension FlagEntry {
    static var sample: FlagEntry {
        let definition = FlagDefinition(key: FlagKeyPath(components: ["sample"]), type: .bool)
        return FlagEntry(
            definition: definition, isDefined: true, resolution: definition.resolve(in: []), writable: [])
    }
}
