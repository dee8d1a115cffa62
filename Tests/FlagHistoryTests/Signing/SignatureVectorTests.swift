import DurableFiles
import Foundation
import Testing

@testable import FlagHistory

/// Signed statements as they were published, made by a program that shares no code with this one.
@Suite("Published signatures")
struct SignatureVectorTests {
    struct Vectors: Decodable {
        struct Point: Decodable { let line, signed: String }
        struct Anchor: Decodable {
            let first, last, at: Int64
            let hash, archive, archive_hash, actor, signature, signed: String
        }
        struct Archive: Decodable { let text, sha256: String }
        let private_key, public_key, fingerprint: String
        let checkpoints: [Point]
        let anchors: [Anchor]
        let archives: [Archive]
    }

    private let vectors: Vectors
    private let key: SigningKey

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Vectors/history-signatures.json")
        vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        key = try #require(SigningKey(pem: vectors.private_key))
    }

    @Test("The key is read, named and written as published")
    func keys() {
        #expect(key.publicKey.bytes.hexadecimal == vectors.public_key)
        #expect(key.publicKey.fingerprint.hexadecimal == vectors.fingerprint)
        #expect(key.pem == vectors.private_key)
    }

    @Test("Checkpoints have their published bytes, and their signatures hold")
    func checkpoints() throws {
        #expect(vectors.checkpoints.count == 6)
        for vector in vectors.checkpoints {
            let padded = vector.line.padding(toLength: Checkpoint.width - 1, withPad: " ", startingAt: 0) + "\n"
            let checkpoint = try #require(Checkpoint(line: Data(padded.utf8)))
            #expect(checkpoint.signedBytes.data.hexadecimal == vector.signed)
            #expect(checkpoint.isSigned(by: key.publicKey))
            #expect(!checkpoint.isSigned(by: SigningKey().publicKey))
        }
    }

    @Test("Anchors have their published bytes, and their signatures hold")
    func anchors() throws {
        #expect(vectors.anchors.count == 2)
        for vector in vectors.anchors {
            let last = ChainHead(id: vector.last, hash: try #require(Data(hexadecimal: vector.hash)))
            let anchor = try HistoryAnchor(
                first: vector.first, last: last, archive: vector.archive,
                archiveHash: try #require(Data(hexadecimal: vector.archive_hash)), at: HistoryTime.date(vector.at),
                actor: vector.actor, with: key)
            let signed = anchor.signedBytes(key.publicKey)
            #expect(signed.data.hexadecimal == vector.signed)
            #expect(key.publicKey.isValid(try #require(Data(hexadecimal: vector.signature)), of: signed))
        }
    }

    @Test("Archives are sound, and have their published rows")
    func archives() throws {
        let history = try TemporaryHistory()
        for (vector, ids) in zip(vectors.archives, [1...20, 4...6] as [ClosedRange<Int64>]) {
            let file = history.folder.appending(path: "archive.jsonl")
            try Data(vector.text.utf8).write(to: file)
            let archive = try HistoryArchive(contentsOf: file)
            #expect(archive.first == ids.lowerBound && archive.last.id == ids.upperBound)
            #expect(archive.fileHash.hexadecimal == vector.sha256 && archive.key == key.publicKey.fingerprint)
            try Data(vector.text.replacing("\"ada\"", with: "\"eve\"", maxReplacements: 1).utf8).write(to: file)
            #expect(throws: PlainError.self) { try HistoryArchive(contentsOf: file) }
        }
    }
}
