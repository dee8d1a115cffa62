import Foundation

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
