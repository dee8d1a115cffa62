import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Which moment of the past to look at.
public enum HistoryInstant: Hashable, Sendable {
    /// What there was at a time, the changes of that very time included.
    case time(Date)
    /// What there was just before a change, and before those of its batch.
    case before(row: Int64)
}

/// Every flag that may be seen, as it was at a moment and as it is now.
///
/// The values of then are those of now less every change since, newest first: so a value that has not been changed since
/// is the one of now, whether the history ever heard of it or not. Values of an app's own providers have no history: those of now
/// stand for those of then (``providersWithoutPast``).
public struct PastState: Sendable {
    /// When it was: the time that was asked for, or the time of the change just before which it was.
    public let time: Date
    /// The moment's place in the history.
    public let moment: HistoryMoment
    /// The flags as they were, with the definitions of then; their revisions say nothing.
    public let then: FlagCatalogue
    /// The flags as they are.
    public let now: FlagCatalogue
    /// Each flag of either, in the order of now.
    public let flags: [PastFlag]
    /// Providers that the history knows changes of and that are not served now, so that their values can't be told.
    public let missingProviders: [String]
    /// Rows of the history that the flags of then follow from and that another program altered, oldest first.
    public let alteredRows: [HistoryRecord.ID]
    /// Providers of the app whose values of then are not known, in order of precedence: in ``then`` they hold what they hold now.
    public var providersWithoutPast: [String] { now.providers.filter { !$0.isFile }.map(\.name) }
    /// What each provider held, less what is internal, by the provider's name.
    let contents: [String: Result<ProviderContents, FileProblem>]
    /// The flags that may not be seen: left out of ``contents`` before anything of them is shown.
    let hidden: Set<FlagKeyPath>

    /// Makes them without what the providers' files held: ``values(of:)`` knows none of those.
    public init(
        time: Date, moment: HistoryMoment, then: FlagCatalogue, now: FlagCatalogue, flags: [PastFlag],
        missingProviders: [String], alteredRows: [HistoryRecord.ID] = []
    ) {
        self.init(
            time: time, moment: moment, then: then, now: now, flags: flags, missingProviders: missingProviders,
            alteredRows: alteredRows, contents: [:], hidden: [])
    }

    init(
        time: Date, moment: HistoryMoment, then: FlagCatalogue, now: FlagCatalogue, flags: [PastFlag],
        missingProviders: [String], alteredRows: [HistoryRecord.ID],
        contents: [String: Result<ProviderContents, FileProblem>], hidden: Set<FlagKeyPath>
    ) {
        self.time = time
        self.moment = moment
        self.then = then
        self.now = now
        self.flags = flags
        self.missingProviders = missingProviders
        self.alteredRows = alteredRows
        self.contents = contents
        self.hidden = hidden
    }

    /// What a provider held, as a property list.
    ///
    /// - Parameter provider: The provider's name.
    /// - Returns: The document; `nil` where there is no such provider.
    /// - Throws: ``ChangeError`` where what it held can't be told, as where it follows from a row that was altered.
    public func values(of provider: String) throws(ChangeError) -> PropertyListDocument? {
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
            throw Self.unavailable("\(provider): what it held can't be written: \(error)")
        }
        do {
            return try document.omitting(hidden)
        } catch {
            throw Self.unavailable("\(provider): the internal flags could not be left out of what it held.")
        }
    }

    private static func unavailable(_ cause: String) -> ChangeError {
        ChangeError(
            .unavailable, cause, remedy: "Repair the file; what it held can be told as soon as it is valid again.")
    }

    /// The same flags of another time between the same two rows.
    func at(_ time: Date, _ moment: HistoryMoment) -> PastState {
        PastState(
            time: time, moment: moment, then: then, now: now, flags: flags, missingProviders: missingProviders,
            alteredRows: alteredRows, contents: contents, hidden: hidden)
    }
}

/// One flag as it was at a moment and as it is now.
public struct PastFlag: Hashable, Sendable {
    /// What one provider held for the flag.
    public struct Value: Hashable, Sendable {
        /// The provider's name.
        public let provider: String
        /// Its answer then.
        public let then: FlagResolution.Answer
        /// Its answer now.
        public let now: FlagResolution.Answer

        /// Makes a value.
        public init(provider: String, then: FlagResolution.Answer, now: FlagResolution.Answer) {
            self.provider = provider
            self.then = then
            self.now = now
        }

        /// Whether it holds something else now.
        public var isDifferent: Bool { then.stored != now.stored }
    }

    /// The flag.
    public let key: FlagKeyPath
    /// The flag as it was; `nil` where there was none.
    public let then: FlagEntry?
    /// The flag as it is; `nil` where there is none.
    public let now: FlagEntry?
    /// What each provider held and holds, in order of precedence.
    public let values: [Value]

    /// What brings back its definition, where the manifest of now has none; else `nil`.
    public var lostDefinition: DefinitionEdit? {
        if case .edit(let edit) = lost { edit } else { nil }
    }

    /// Large, and hardly any flag has one: kept apart, since flags are filtered and counted by the thousand.
    private indirect enum LostDefinition: Hashable, Sendable {
        case edit(DefinitionEdit)
    }

    private let lost: LostDefinition?
    /// The row of the history that tells what the flag was and that another program altered; `nil` where none was.
    public let alteredRow: HistoryRecord.ID?

    /// Makes a flag.
    public init(
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

    /// Whether any provider holds something else now, a read returns something else, or the definition is gone.
    public var isDifferent: Bool {
        hasLostDefinition || values.contains(where: \.isDifferent)
            || then?.resolution.effectiveValue != now?.resolution.effectiveValue
    }

    /// Whether the manifest said then what the flag is, and says nothing of it now.
    public var hasLostDefinition: Bool { lost != nil }

    /// Whether there is anything to change to bring the flag of then back, as ``restoring(in:defines:)`` does.
    ///
    /// - Parameters:
    ///   - providers: The providers that may be changed, by name.
    ///   - defines: Whether a definition that is gone may be made again.
    /// - Returns: `false` where those changes are none.
    public func canBeRestored(in providers: Set<String>, defines: Bool) -> Bool {
        guard alteredRow == nil else { return false }
        if hasLostDefinition { return defines }
        return values.contains { $0.isDifferent && providers.contains($0.provider) }
    }

    /// The changes that bring the flag of then back.
    ///
    /// - Parameters:
    ///   - providers: The providers to change, by name.
    ///   - defines: Whether a definition that is gone may be made again. Where it may not, values that belong to one stay
    ///     gone too.
    /// - Returns: The definition where it is gone, then one change for each provider that holds something else, on the
    ///   revision that it has now, then the lock where there was one; none where what the flag was is not proven.
    public func restoring(in providers: Set<String>, defines: Bool) -> [Change] {
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
    /// What brings it back: what was valid then must be so now, if the flag has a definition now.
    fileprivate func restoring(isStillDefined: Bool) -> Change.Action {
        switch self {
        case .absent: .reset
        case .value(_, let stored): isStillDefined ? .setValue(stored) : .putBack(stored)
        case .broken(_, let stored): stored.map(Change.Action.putBack) ?? .reset
        }
    }
}
