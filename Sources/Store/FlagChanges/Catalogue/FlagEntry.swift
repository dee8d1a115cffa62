import FeatureFlags
import FeatureFlagsXML
import Synchronization

/// One flag as the pages, the API and the command line see it.
public struct FlagEntry: Sendable {
    /// Catalogues are filtered, sorted and compared as lists of entries: each is large and never changes, so copies share it.
    private final class Facts: Sendable {
        let definition: FlagDefinition
        let isDefined: Bool
        let resolution: FlagResolution
        let writable: [String]
        let unknownFields: [UnknownField]
        private let knownRevisions = Mutex<[String: FlagRevision]?>(nil)

        init(
            _ definition: FlagDefinition, _ isDefined: Bool, _ resolution: FlagResolution, _ writable: [String],
            _ unknownFields: [UnknownField]
        ) {
            self.definition = definition
            self.isDefined = isDefined
            self.resolution = resolution
            self.writable = writable
            self.unknownFields = unknownFields
        }

        /// Each takes a hash, and most are never asked for: they are made at the first time, and kept.
        var revisions: [String: FlagRevision] {
            knownRevisions.withLock { known in
                if let known { return known }
                var made: [String: FlagRevision] = [:]
                for reading in resolution.readings where writable.contains(reading.provider) {
                    made[reading.provider] = FlagRevision(of: reading.answer)
                }
                known = made
                return made
            }
        }
    }

    private let facts: Facts

    /// Whether another entry is a copy of this one.
    func isShared(with other: FlagEntry) -> Bool { facts === other.facts }

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - definition: What the flag is.
    ///   - isDefined: Whether the manifest defines it.
    ///   - resolution: What a read returns, and why.
    ///   - writable: The names of the providers in which changes can be made.
    ///   - unknownFields: The fields of its definition that have no effect.
    public init(
        definition: FlagDefinition, isDefined: Bool, resolution: FlagResolution, writable: [String],
        unknownFields: [UnknownField] = []
    ) {
        facts = Facts(definition, isDefined, resolution, writable, unknownFields)
    }

    /// What the flag is.
    public var definition: FlagDefinition { facts.definition }
    /// Whether the manifest defines it; otherwise it was inferred from a value in the file.
    public var isDefined: Bool { facts.isDefined }
    /// What a read returns, and why.
    public var resolution: FlagResolution { facts.resolution }
    /// The version of each writable provider's value, by the provider's name: what an edit states it was based on.
    public var revisions: [String: FlagRevision] { facts.revisions }
    /// The fields of its definition that have no effect.
    public var unknownFields: [UnknownField] { facts.unknownFields }
    /// Where it stands.
    public var key: FlagKeyPath { definition.key }
    /// Whether a provider that a read asks could not be asked for it.
    var isBlocked: Bool {
        resolution.asked.contains { if case .broken(_, stored: nil) = $0.answer { true } else { false } }
    }
    /// Whether only other environments hold a value of it, and nothing defines it here.
    public var isOnlyElsewhere: Bool {
        // Of a flag without a definition, what can't be read says nothing but that it held none of it.
        !isDefined && resolution.asked.allSatisfy { $0.valueInForce == nil && $0.answer.stored == nil }
    }
    /// Why nothing is known of it, as a sentence: it has no value, since a source is broken that never held a good one; `nil` where
    /// it has a value, and where it has none though all sources are well.
    public var ignorance: String? {
        guard resolution.effectiveValue == nil, let broken = resolution.brokenSources.first,
            let problem = broken.problem
        else { return nil }
        return "The value of \(key) is not known: \(broken.provider) is broken and never held a good value: \(problem)"
    }
    /// Its state at a glance.
    public var state: FlagState { FlagState(resolution) }
}

extension FlagEntry: Hashable {
    /// Whether two entries say the same.
    public static func == (left: FlagEntry, right: FlagEntry) -> Bool {
        left.isShared(with: right)
            || left.definition == right.definition && left.isDefined == right.isDefined
                && left.resolution == right.resolution && left.facts.writable == right.facts.writable
                && left.unknownFields == right.unknownFields
    }

    /// Feeds what the entry says into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(definition)
        hasher.combine(resolution)
    }
}

extension FlagRevision {
    /// The revision of what a provider answered; `nil` where it could not be asked.
    fileprivate init?(of answer: FlagResolution.Answer) {
        if case .broken(_, stored: nil) = answer { return nil }
        self.init(of: answer.stored)
    }
}
