import HTTPTypes
import Hummingbird
import NIOCore

/// The documents of many flags, written while they are sent: the answer takes no more memory than a piece of it.
struct FlagDocuments: Sendable {
    private let entries: ListedFlags

    /// How much is written at a time, in bytes, or little more.
    private static let piece = 65_536

    /// Tells of flags, in their order.
    init(_ entries: ListedFlags) {
        self.entries = entries
    }

    /// `{"flags":[…]}`.
    var body: ResponseBody {
        ResponseBody { [entries] writer in
            var json: [UInt8] = []
            json.reserveCapacity(Self.piece * 2)
            json.append(contentsOf: "{\"flags\":[".utf8)
            for place in entries.indices {
                if place > 0 { json.append(UInt8(ascii: ",")) }
                FlagDocument(entries[place]).write(to: &json)
                guard json.count >= Self.piece else { continue }
                try await writer.write(ByteBuffer(bytes: json))
                json.removeAll(keepingCapacity: true)
            }
            json.append(contentsOf: "]}".utf8)
            try await writer.write(ByteBuffer(bytes: json))
            try await writer.finish(nil)
        }
    }
}

extension Dashboard {
    /// The documents of flags as a response.
    func respond(_ flags: FlagDocuments) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"], body: flags.body)
    }
}
