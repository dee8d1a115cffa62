import FeatureFlags
import FeatureFlagsXML
import Foundation

struct FlagChecks {
    private let manifest: FlagManifest
    private let manifestURL: URL
    private let catalogue: FlagCatalogue
    private let places: [FlagKeyPath: Int]
    /// Without a document, values have no known place.
    private let files: [String: (url: URL, document: PropertyListDocument?)]
    private let isComplete: Bool
    private let now: Date

    init(
        _ manifest: FlagManifest, _ manifestURL: URL,
        _ values: [(provider: FlagFiles.Provider, document: PropertyListDocument?)],
        _ defaults: [(file: DefaultsFile, provider: AppProvider?)], showsInternal: Bool, now: Date
    ) {
        self.manifest = manifest
        self.manifestURL = manifestURL
        self.now = now
        let snapshots = values.compactMap { provider, document in
            document.map {
                ValuesSnapshot(
                    name: provider.name, shortDescription: provider.shortDescription,
                    isWritable: false, areOverrides: provider.isWritable, content: .success(.file($0)),
                    dictionaryKeys: manifest.dictionaryKeys,
                    isAsked: provider.isAsked)
            }
        }
        catalogue = FlagCatalogue(
            manifest: manifest.content,
            snapshots: defaults.compactMap(\.provider)
                .joined(with: snapshots, manifest.dictionaryKeys, isReadOnly: true, nil),
            showsInternal: showsInternal,
            unknownFields: manifest.unknownFields)
        files = Dictionary(
            values.compactMap { provider, document in document.map { (provider.name, (provider.url, $0)) } }
                + defaults.compactMap { file, provider in provider.map { ($0.name, (file.url, nil)) } },
            uniquingKeysWith: { first, _ in first })
        isComplete = files.count == values.count + defaults.count
        places = Dictionary(
            manifest.content.definitions.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func run(_ found: inout LintFindings) {
        for entry in catalogue.entries {
            checkValues(of: entry, &found)
            if entry.isDefined { checkDefinition(of: entry, &found) }
        }
        checkFields(&found)
    }

    private func checkValues(of entry: FlagEntry, _ found: inout LintFindings) {
        for reading in entry.resolution.readings {
            guard let (url, document) = files[reading.provider] else { continue }
            let key = entry.key
            // A repeated key is a finding of the file, with the lines of its entries.
            if case .broken(let problem, let stored) = reading.answer, stored?.isRepeatedKey != true {
                found.add(
                    rule(problem, stored, of: entry.definition, in: document), in: url,
                    at: place(of: key, in: document), of: key, problem.description)
            }
            guard reading.answer.stored != nil else { continue }
            if !entry.isDefined {
                found.add(
                    .undefinedValue, in: url, at: place(of: key, in: document), of: key,
                    "not defined in the manifest; define the flag or remove the value")
            } else if let reason = entry.definition.metadata.retired {
                found.add(
                    .retiredValue, in: url, at: place(of: key, in: document), of: key,
                    "the flag is deprecated (\(reason)) and still has a value here")
            }
        }
    }

    private func rule(
        _ problem: FlagValueError, _ stored: FlagValue?, of definition: FlagDefinition,
        in document: PropertyListDocument?
    ) -> LintRule {
        // Only a values file has groups, in whose place a value may be.
        guard let stored else { return document == nil ? .wrongType : .misplacedValue }
        if problem.isUnchecked { return .uncheckedValue }
        if definition.type == .choice { return .brokenConstraint }
        var unlimited = definition
        unlimited.constraints = FlagConstraints()
        if case .success = Result(catching: { try unlimited.interpret(stored) }) { return .brokenConstraint }
        return .wrongType
    }

    private func place(of key: FlagKeyPath, in document: PropertyListDocument?) -> SourceLocation? {
        document.flatMap { document in
            ([key] + key.ancestors.reversed()).lazy.compactMap { document.location(at: $0) }.first
        }
    }

    private func checkDefinition(of entry: FlagEntry, _ found: inout LintFindings) {
        let (key, metadata) = (entry.key, entry.definition.metadata)
        if let expires = metadata.expires, expires < now {
            found.add(
                .expiredFlag, in: manifestURL, at: place(of: key, .expires), of: key,
                "expired on \(Self.text(expires)); remove the flag or extend the date")
        }
        if isComplete, entry.resolution.readings.allSatisfy({ $0.answer == .absent }) {
            found.add(
                .unusedDefinition, in: manifestURL, at: place(of: key), of: key, "no file has a value for this flag")
        }
        let lacking: [(LintRule, Bool, String)] = [
            (
                .missingDescription, Self.isBlank(metadata.description),
                "no description; describe what the flag is for"
            ),
            (.missingOwner, Self.isBlank(metadata.owner ?? ""), "no owner; name a person or team"),
            (.missingExpiry, metadata.expires == nil, "no expiry date; set when the flag should be removed"),
            (.missingTags, metadata.tags.allSatisfy(Self.isBlank), "no tags; add at least one"),
        ]
        for (rule, isLacking, message) in lacking where isLacking {
            found.add(rule, in: manifestURL, at: place(of: key), of: key, message)
        }
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    private static func text(_ date: Date) -> String {
        let text = FlagDate.text(date)
        let day = text.prefix { $0 != "T" }
        return FlagDate.parse(String(day)) == date ? String(day) : text
    }

    private func place(of key: FlagKeyPath, _ field: ManifestField? = nil) -> SourceLocation? {
        places[key].flatMap { place in
            let entry: [PathStep] = [.key(ManifestField.flags.rawValue), .index(place)]
            return manifest.document.location(of: entry + (field.map { [.key($0.rawValue)] } ?? []))
        }
    }

    private func checkFields(_ found: inout LintFindings) {
        for field in manifest.unknownFields {
            let key: FlagKeyPath?
            switch field.owner {
            case .manifest: key = nil
            case .flag(let flag):
                guard catalogue[flag] != nil else { continue }
                key = flag
            case .collection(let group):
                guard catalogue.collections[group] != nil else { continue }
                key = group
            }
            found.add(
                field.intention == nil ? .unknownField : .misspelledField, in: manifestURL,
                at: manifest.location(of: field), of: key, field: field.name,
                "this field is unknown and has no effect\(field.advice.map { ": \($0)" } ?? "")")
        }
    }
}
