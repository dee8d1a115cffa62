import FeatureFlags
import FlagHistory
import Foundation
import Testing

/// Rows with their hashes as they were published, computed by a program that shares no code with this one.
@Suite("Published rows of a chain")
struct VectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let id, at: Int64
        let batch, actor, role, origin, kind, key, reason: String
        let provider, type, before, after, request_id, idempotency_key, file_hash_before, file_hash_after: String?
        let previous_hash, hash: String

        var testDescription: String { "row \(id)" }
    }

    static let vectors: [Vector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Vectors/history-chain.json")
        do {
            return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
        } catch {
            fatalError("the vectors can't be read: \(error)")
        }
    }()

    private func bytes(_ text: String) throws -> Data {
        let digits = try text.map { try #require($0.hexDigitValue) }
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    @Test("A row has its published hash", arguments: vectors)
    func hash(vector: Vector) throws {
        let event = HistoryEvent(
            batch: try #require(UUID(uuidString: vector.batch)),
            at: Date(timeIntervalSince1970: Double(vector.at) / 1e6), actor: vector.actor, role: vector.role,
            origin: try #require(HistoryRecord.Origin(rawValue: vector.origin)),
            kind: try #require(HistoryRecord.Kind(rawValue: vector.kind)), provider: vector.provider,
            key: try #require(FlagKeyPath(text: vector.key)), type: vector.type.flatMap(FlagType.init),
            before: try vector.before.map { try FlagValue(encodedText: $0) },
            after: try vector.after.map { try FlagValue(encodedText: $0) }, reason: vector.reason,
            requestID: vector.request_id, idempotencyKey: vector.idempotency_key,
            fileHashBefore: try vector.file_hash_before.map(bytes), fileHashAfter: try vector.file_hash_after.map(bytes)
        )
        let hash = try HistoryRecord.hash(id: vector.id, event: event, previousHash: bytes(vector.previous_hash))
        #expect(hash == (try bytes(vector.hash)))
    }

    @Test("There are twenty, and each follows from the one before")
    func chain() {
        #expect(Self.vectors.count == 20)
        for (row, next) in zip(Self.vectors, Self.vectors.dropFirst()) { #expect(next.previous_hash == row.hash) }
    }
}
