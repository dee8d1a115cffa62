import Foundation
import GRDB

/// A row as an archive holds it: a JSON object of its columns, texts as they are stored, hashes in hexadecimal.
///
/// It is read back without being understood, so that the hash of a row can be checked that no ``HistoryEvent`` can be made of.
struct ArchivedRow: Codable {
    let id: Int64
    let event: StoredEvent
    let previousHash, hash: Data

    /// The columns that are not the event's.
    private enum CodingKeys: String, CodingKey {
        case id
        case previousHash = "previous_hash"
        case hash
    }

    init(_ row: Row) throws {
        id = try row.sound(.id)
        event = try StoredEvent(row)
        previousHash = try row.sound(.previousHash)
        hash = try row.sound(.hash)
    }

    init(from decoder: any Decoder) throws {
        let columns = try decoder.container(keyedBy: CodingKeys.self)
        id = try columns.decode(Int64.self, forKey: .id)
        event = try StoredEvent(from: decoder)
        previousHash = try columns.decode(Data.self, forKey: .previousHash)
        hash = try columns.decode(Data.self, forKey: .hash)
    }

    func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var columns = encoder.container(keyedBy: CodingKeys.self)
        try columns.encode(id, forKey: .id)
        try columns.encode(previousHash, forKey: .previousHash)
        try columns.encode(hash, forKey: .hash)
    }
}
