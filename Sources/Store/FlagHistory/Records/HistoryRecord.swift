import FeatureFlags
import Foundation

/// One row of the history: a change of one flag, or a refused attempt.
public struct HistoryRecord: Hashable, Sendable, Identifiable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case set
        /// The value was removed, so that the flag falls back to the next source.
        case reset
        case define
        case redefine
        case lock
        case unlock
        /// The flag was removed with its definition.
        case remove
        /// Another program changed the file: an editor, git, or the app itself.
        case external
        /// A crash interrupted the change, which did not take place.
        case aborted
        case denied
        /// The oldest rows were moved to an archive.
        case prune
        /// A history that differed from what was signed was accepted.
        case accept
        /// An earlier change got a reason; see ``HistoryEvent/notedRow``.
        case note
    }

    /// The origin of a change.
    public enum Origin: String, CaseIterable, Codable, Sendable {
        case form, api, cli, `import`, revert, external, code
    }

    /// The place in the history, from 1; newer rows have greater numbers.
    public let id: Int64
    package let event: HistoryEvent
    /// 32 bytes; zeros for the first row.
    package let previousHash: Data
    /// The SHA-256 over ``event``, ``id`` and ``previousHash``.
    package let hash: Data
    /// `true` if another program altered the row: its content or the next row doesn't match its hash.
    package let isAltered: Bool

    /// The ids that are searched; an altered file may hold others, to which nothing can be added.
    static let possibleIDs = (Int64.min + 2)...(Int64.max - 2)

    package init(id: Int64, event: HistoryEvent, previousHash: Data, hash: Data, isAltered: Bool = false) {
        self.id = id
        self.event = event
        self.previousHash = previousHash
        self.hash = hash
        self.isAltered = isAltered
    }
}

extension HistoryRecord.Kind {
    static let changingFlags = allCases.filter(\.changesFlags)

    package var changesFlags: Bool {
        switch self {
        case .set, .reset, .define, .redefine, .lock, .unlock, .remove, .external: true
        case .aborted, .denied, .prune, .accept, .note: false
        }
    }
}

extension HistoryRecord {
    /// Returns the hash of a row: a SHA-256 that anyone can check without this library.
    ///
    /// The first byte is 1, the version. Then follow these fields: `id`, `batch`, `at`, `actor`, `role`, `origin`,
    /// `kind`, `provider`, `key`, `type`, `before`, `after`, `reason`, `request_id`, `idempotency_key`,
    /// `file_hash_before`, `file_hash_after`, `previous_hash`. Each is
    ///
    /// - if absent (`NULL`): one byte, 0;
    /// - else: one byte, 1; the number of bytes that follow, as 8 bytes, big-endian; and those bytes.
    ///
    /// A column that came after the first release follows them as two fields, its name and its value; not at all if
    /// absent.
    ///
    /// The bytes are a text's stored UTF-8; an integer's two's complement as 8 bytes, big-endian (`id`, `at`); or the
    /// blob itself (the hashes).
    ///
    /// `batch` is the UUID in capital letters; `at` counts microseconds since 1970-01-01 00:00 UTC (negative before);
    /// `key` is `FlagKeyPath.text`; `before` and `after` are `FlagValue.encodedText()`; `origin`, `kind` and `type` are
    /// raw values. `previous_hash` is 32 zero bytes in the first row.
    package static func hash(id: Int64, event: HistoryEvent, previousHash: Data) throws -> Data {
        try StoredEvent(event).hash(id: id, previousHash: previousHash)
    }
}

extension HistoryRecord {
    /// Returns `true` if this row and a removal are a renaming: adjacent in a batch, and equal except for the key path.
    package func isRenaming(of removed: HistoryRecord) -> Bool {
        guard removed.event.kind == .remove, event.kind == .define, event.batch == removed.event.batch,
            id == removed.id &+ 1,
            case .dictionary(var before)? = removed.event.before, case .dictionary(var after)? = event.after
        else { return false }
        before["key"] = nil
        after["key"] = nil
        return before == after
    }
}
