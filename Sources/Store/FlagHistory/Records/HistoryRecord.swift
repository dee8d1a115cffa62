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

extension HistoryRecord {
    /// The hash of a row: SHA-256 over the bytes below, so that anyone can check a history without this library.
    ///
    /// First comes one byte, 1: the version of this format. Then come these fields:
    /// `id`, `batch`, `at`, `actor`, `role`, `origin`, `kind`, `provider`, `key`, `type`, `before`, `after`, `reason`,
    /// `request_id`, `idempotency_key`, `file_hash_before`, `file_hash_after`, `previous_hash`. Each is
    ///
    /// - where it is absent (`NULL`): one byte, 0;
    /// - else: one byte, 1; the number of bytes that follow, as 8 bytes, most significant first; and those bytes.
    ///
    /// The bytes of a text are its UTF-8 form exactly as the column holds it; those of an integer (`id`, `at`) its
    /// two's complement as 8 bytes, most significant first; those of a blob (the hashes) the blob itself.
    ///
    /// `batch` is the UUID in capital letters; `at` counts microseconds since 1970-01-01 00:00 UTC and is negative
    /// before; `key` is `FlagKeyPath.text`; `before` and `after` are `FlagValue.encodedText()`; `origin`, `kind` and
    /// `type` are the raw values of their types. `previous_hash` is 32 zero bytes in the first row.
    ///
    /// - Parameters:
    ///   - id: The place in the history, from 1.
    ///   - event: What the row says.
    ///   - previousHash: The hash of the row before, 32 bytes.
    /// - Returns: 32 bytes.
    /// - Throws: Where a value of the event can't be stored.
    public static func hash(id: Int64, event: HistoryEvent, previousHash: Data) throws -> Data {
        try StoredEvent(event).hash(id: id, previousHash: previousHash)
    }
}

extension StoredEvent {
    func hash(id: Int64, previousHash: Data) -> Data {
        var hasher = ChainHasher()
        hasher.add(id)
        hasher.add(batch)
        hasher.add(at)
        for text in [
            actor, role, origin, kind, provider, key, type, before, after, reason, requestID, idempotencyKey,
        ] {
            hasher.add(text)
        }
        hasher.add(fileHashBefore)
        hasher.add(fileHashAfter)
        hasher.add(previousHash)
        return hasher.finish()
    }
}

extension HistoryRecord {
    /// Whether it tells where a flag went that another row tells was removed: both are of one batch, one behind the other, and
    /// what was removed and what was defined differ in nothing but their key path.
    ///
    /// - Parameter removed: The other row.
    /// - Returns: Whether they tell of a renaming.
    public func isRenaming(of removed: HistoryRecord) -> Bool {
        guard removed.event.kind == .remove, event.kind == .define, event.batch == removed.event.batch,
            id == removed.id + 1,
            case .dictionary(var before)? = removed.event.before, case .dictionary(var after)? = event.after
        else { return false }
        before["key"] = nil
        after["key"] = nil
        return before == after
    }
}
