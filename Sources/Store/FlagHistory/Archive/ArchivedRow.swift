import Foundation
import GRDB

/// A row of an archive as JSON.
///
/// Columns stay uninterpreted: a row that makes no ``HistoryEvent`` can be checked too.
struct ArchivedRow: Codable {
    let id: Int64
    let event: StoredEvent
    let previousHash, hash: Data

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
