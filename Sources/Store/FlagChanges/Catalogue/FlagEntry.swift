import FeatureFlags
import FeatureFlagsXML
import Synchronization

package struct FlagEntry: Sendable {
    /// Shared storage, since entries are large and immutable.
    @usableFromInline
    final class Facts: Sendable {
        @usableFromInline let definition: FlagDefinition
        let isDefined: Bool
        @usableFromInline let resolution: FlagResolution
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

        /// Made on first use, since each takes a hash.
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

    @usableFromInline let facts: Facts

    func isShared(with other: FlagEntry) -> Bool { facts === other.facts }

    package init(
        definition: FlagDefinition, isDefined: Bool, resolution: FlagResolution, writable: [String],
        unknownFields: [UnknownField] = []
    ) {
        facts = Facts(definition, isDefined, resolution, writable, unknownFields)
    }

    // Yielded, so that one field is read without a copy of all.
    @inlinable package var definition: FlagDefinition { _read { yield facts.definition } }
    /// False if inferred from a value in a file.
    package var isDefined: Bool { facts.isDefined }
    @inlinable package var resolution: FlagResolution { _read { yield facts.resolution } }
    /// Of writable providers' values, by provider name.
    package var revisions: [String: FlagRevision] { facts.revisions }
    package var unknownFields: [UnknownField] { facts.unknownFields }
    @inlinable package var key: FlagKeyPath { facts.definition.key }
    /// True if another value is in its place in a provider that reads ask.
    var isBlocked: Bool {
        resolution.asked.contains { if case .broken(_, stored: nil) = $0.answer { true } else { false } }
    }
    /// True if only other environments hold a value, and nothing defines the flag here.
    package var isOnlyElsewhere: Bool {
        // Without a definition, a value that can't be read counts only if one is stored.
        !isDefined && resolution.asked.allSatisfy { $0.valueInForce == nil && $0.answer.stored == nil }
    }
    /// Explains a missing value: a broken source never held a good one.
    ///
    /// `nil` if the flag has a value, or all sources are sound.
    package var ignorance: String? {
        guard resolution.effectiveValue == nil, let broken = resolution.brokenSources.first,
            let problem = broken.problem
        else { return nil }
        return "The value of \(key) is unavailable: \(broken.provider) is broken and has no last good value: \(problem)"
    }
    package var state: FlagState { FlagState(resolution) }
}

extension FlagEntry: Hashable {
    package static func == (left: FlagEntry, right: FlagEntry) -> Bool {
        left.isShared(with: right)
            || left.definition == right.definition && left.isDefined == right.isDefined
                && left.resolution == right.resolution && left.facts.writable == right.facts.writable
                && left.unknownFields == right.unknownFields
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(definition)
        hasher.combine(resolution)
    }
}

extension FlagRevision {
    fileprivate init?(of answer: FlagResolution.Answer) {
        if case .broken(_, stored: nil) = answer { return nil }
        self.init(of: answer.stored)
    }
}
