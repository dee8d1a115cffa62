import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

package enum HistoryInstant: Hashable, Sendable {
    /// The state at a time, including changes at that very time.
    case time(Date)
    /// The state just before a change and the rest of its batch.
    case before(row: Int64)
}

/// All visible flags at a past moment and now.
///
/// Past values are the current ones with later changes undone, so values without recorded changes count as unchanged.
/// The app's own providers keep their current values (``providersWithoutPast``).
package struct PastState: Sendable {
    /// The requested time, or that of the change after the moment.
    package let time: Date
    package let moment: HistoryMoment
    /// The flags then, with their definitions then; their revisions are meaningless.
    package let then: FlagCatalogue
    package let now: FlagCatalogue
    /// Flags of either time, in the current order.
    package let flags: [PastFlag]
    /// Providers with recorded changes that are no longer served: their values are unknown.
    package let missingProviders: [String]
    /// Altered rows on which ``then`` depends, oldest first.
    package let alteredRows: [HistoryRecord.ID]
    /// The app's providers, whose past is unknown: ``then`` has their current values.
    package var providersWithoutPast: [String] { now.providers.filter { !$0.isFile }.map(\.name) }
    /// Content without internal flags, by provider.
    let contents: [String: Result<ProviderContents, FileProblem>]
    /// Removed from ``contents`` before anything is shown.
    let hidden: Set<FlagKeyPath>

    /// Returns a provider's past content; `nil` for an unknown provider.
    ///
    /// Throws if the content is unknown, for example because a row was altered.
    package func values(of provider: String) throws(ChangeError) -> PropertyListDocument? {
        if let row = alteredRows.first {
            throw ChangeError(
                .unavailable,
                "\(provider): its past values depend on change \(row), which was altered after it was recorded.",
                remedy: "Run flagboard history verify for details, then restore an earlier copy of the history.")
        }
        switch contents[provider] {
        case nil: return nil
        case .success(let held): return try visible(held, of: provider)
        case .failure(let fileProblem): throw Self.unavailable(fileProblem.description)
        }
    }

    private func visible(_ held: ProviderContents, of provider: String) throws(ChangeError) -> PropertyListDocument {
        let document: PropertyListDocument
        do {
            document = try held.document()
        } catch {
            throw Self.unavailable("\(provider): can't create a file of its past values: \(error)")
        }
        do {
            return try document.omitting(hidden)
        } catch {
            throw Self.unavailable("\(provider): internal flags can't be removed from its past values.")
        }
    }

    private static func unavailable(_ cause: String) -> ChangeError {
        ChangeError(
            .unavailable, cause, remedy: "Fix the file. Its past values are available when it is valid again.")
    }

    func at(_ time: Date, _ moment: HistoryMoment) -> PastState {
        PastState(
            time: time, moment: moment, then: then, now: now, flags: flags, missingProviders: missingProviders,
            alteredRows: alteredRows, contents: contents, hidden: hidden)
    }
}

extension PastState {
    /// Creates a state without file contents: ``values(of:)`` returns `nil`.
    package init(
        time: Date, moment: HistoryMoment, then: FlagCatalogue, now: FlagCatalogue, flags: [PastFlag],
        missingProviders: [String], alteredRows: [HistoryRecord.ID] = []
    ) {
        self.init(
            time: time, moment: moment, then: then, now: now, flags: flags, missingProviders: missingProviders,
            alteredRows: alteredRows, contents: [:], hidden: [])
    }
}

package struct PastFlag: Hashable, Sendable {
    package struct Value: Hashable, Sendable {
        package let provider: String
        package let then: FlagResolution.Answer
        package let now: FlagResolution.Answer

        package init(provider: String, then: FlagResolution.Answer, now: FlagResolution.Answer) {
            self.provider = provider
            self.then = then
            self.now = now
        }

        package var isDifferent: Bool { then.stored != now.stored }
    }

    package let key: FlagKeyPath
    package let then: FlagEntry?
    package let now: FlagEntry?
    /// Each file provider's values, in order of precedence.
    package let values: [Value]

    /// The edit that restores the definition; `nil` unless the manifest lost it.
    package var lostDefinition: DefinitionEdit? {
        if case .edit(let edit) = lost { edit } else { nil }
    }

    /// Boxed, since it is large and rare, and flags are filtered by the thousand.
    private indirect enum LostDefinition: Hashable, Sendable {
        case edit(DefinitionEdit)
    }

    private let lost: LostDefinition?
    /// The altered row on which the past value depends.
    package let alteredRow: HistoryRecord.ID?

    package init(
        key: FlagKeyPath, then: FlagEntry?, now: FlagEntry?, values: [Value], lostDefinition: DefinitionEdit? = nil,
        alteredRow: HistoryRecord.ID? = nil
    ) {
        self.key = key
        self.then = then
        self.now = now
        self.values = values
        lost = lostDefinition.map(LostDefinition.edit)
        self.alteredRow = alteredRow
    }

    package var isDifferent: Bool {
        hasLostDefinition || values.contains(where: \.isDifferent)
            || then?.resolution.effectiveValue != now?.resolution.effectiveValue
    }

    package var hasLostDefinition: Bool { lost != nil }

    package func canBeRestored(in providers: Set<String>, defines: Bool) -> Bool {
        guard alteredRow == nil else { return false }
        if hasLostDefinition { return defines }
        return values.contains { $0.isDifferent && providers.contains($0.provider) }
    }

    /// Returns the changes that restore the flag: the lost definition, differing values, then the lock.
    ///
    /// Values are changed on their current revisions. Without `defines`, a lost definition stays lost with its values.
    /// None if an altered row makes the past uncertain.
    package func restoring(in providers: Set<String>, defines: Bool) -> [Change] {
        guard alteredRow == nil else { return [] }
        guard let lostDefinition else { return restoringValues(in: providers) }
        guard defines else { return [] }
        let values = restoringValues(in: providers)
        guard lostDefinition.definition.metadata.isLocked, !values.isEmpty else {
            return [Change(key: key, action: .define(lostDefinition))] + values
        }
        return [Change(key: key, action: .define(lostDefinition.unlocked))] + values + [Change(key: key, action: .lock)]
    }

    private func restoringValues(in providers: Set<String>) -> [Change] {
        values.filter { $0.isDifferent && providers.contains($0.provider) }.map { value in
            let revision = now == nil ? FlagRevision(of: value.now.stored) : now?.revisions[value.provider]
            return Change(
                key: key, action: value.then.restoring(isStillDefined: now?.isDefined == true),
                provider: value.provider, revision: revision)
        }
    }
}

extension FlagResolution.Answer {
    fileprivate func restoring(isStillDefined: Bool) -> Change.Action {
        switch self {
        case .absent: .reset
        case .value(_, let stored): isStillDefined ? .setValue(stored) : .putBack(stored)
        case .broken(_, let stored): stored.map(Change.Action.putBack) ?? .reset
        }
    }
}
