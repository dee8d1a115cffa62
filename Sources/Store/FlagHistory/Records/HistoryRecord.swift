import FeatureFlags
import Foundation

/// One row of the history: one change of one flag, or one attempt that was refused.
public struct HistoryRecord: Hashable, Sendable, Identifiable {
    /// What happened to the flag.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// A provider got a value.
        case set
        /// A provider's value was removed, so that the flag falls back to the next source.
        case reset
        /// A definition was added.
        case define
        /// A definition was changed.
        case redefine
        /// The flag was locked.
        case lock
        /// The flag was unlocked.
        case unlock
        /// The flag was removed with its definition.
        case remove
        /// The file was changed from outside: by an editor, git, or the app itself.
        case external
        /// A change that a crash interrupted, and that did not take place.
        case aborted
        /// An attempt that was refused.
        case denied
        /// The oldest rows were moved to an archive.
        case prune
        /// A history that was not what had been signed was accepted as it is.
        case accept
        /// A change that is in the history already was given a reason; see ``HistoryEvent/notedRow``.
        case note
    }

    /// Which way a change came in.
    public enum Origin: String, CaseIterable, Codable, Sendable {
        case form, api, cli, `import`, revert, external, code
    }

    /// The place in the history, from 1; newer rows have greater numbers.
    public let id: Int64
    /// What the row says.
    public let event: HistoryEvent
    /// The hash of the row before, 32 bytes; zeros for the first row.
    public let previousHash: Data
    /// SHA-256 over ``event``, ``id`` and ``previousHash``, 32 bytes.
    public let hash: Data
    /// Whether another program altered the row after it was written: its hash does not follow from what it says, or the row
    /// behind it names another.
    public let isAltered: Bool

    /// Makes a record as read from the store.
    public init(id: Int64, event: HistoryEvent, previousHash: Data, hash: Data, isAltered: Bool = false) {
        self.id = id
        self.event = event
        self.previousHash = previousHash
        self.hash = hash
        self.isAltered = isAltered
    }
}

extension HistoryRecord.Kind {
    /// The kinds after which a flag is no longer what it was: those of ``changesFlags``.
    static let changingFlags = allCases.filter(\.changesFlags)

    /// Whether a flag is no longer what it was before a row of this kind.
    package var changesFlags: Bool {
        switch self {
        case .set, .reset, .define, .redefine, .lock, .unlock, .remove, .external: true
        case .aborted, .denied, .prune, .accept, .note: false
        }
    }
}
