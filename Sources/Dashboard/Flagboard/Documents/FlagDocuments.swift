import FeatureFlags
import HTTPTypes
import Hummingbird
import NIOCore

/// The documents of many flags, `{"after":"…","flags":[…]}`, written while they are sent: the answer takes no more memory than a
/// piece of it.
struct FlagDocuments: Sendable {
    private let entries: ListedFlags
    /// What to ask for the next flags with; `nil` with the last ones.
    private let next: FlagKeyPath?
    private var place = 0
    private var isEnded = false

    /// How much is written at a time, in bytes, or little more.
    private static let piece = 262_144

    /// Tells of flags, in their order.
    ///
    /// - Parameter next: What to ask for the next flags with; `nil` with the last ones.
    init(_ entries: ListedFlags, next: FlagKeyPath?) {
        self.entries = entries
        self.next = next
    }

    /// The next piece; `nil` where all is written.
    mutating func nextPiece() -> ByteBuffer? {
        guard !isEnded else { return nil }
        var json: [UInt8] = []
        json.reserveCapacity(Self.piece + Self.piece / 4)
        if place == 0 {
            json.append(UInt8(ascii: "{"))
            json.add("after", next?.text)
            json.append(contentsOf: "\(next == nil ? "" : ",")\"flags\":[".utf8)
        }
        while place < entries.count, json.count < Self.piece {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            FlagDocument(entries[place]).write(to: &json)
            place += 1
        }
        if place == entries.count {
            json.append(contentsOf: "]}".utf8)
            isEnded = true
        }
        return ByteBuffer(bytes: json)
    }
}

extension Dashboard {
    /// The documents of flags as a response, which tells its length where they make one piece, and in answer to HEAD.
    func respond(_ documents: FlagDocuments, to request: Request) -> Response {
        var documents = documents
        let first = documents.nextPiece() ?? ByteBuffer()
        let second = documents.nextPiece()
        var response = Response(status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"])
        guard let second else {
            response.body = ResponseBody(byteBuffer: first)
            return response
        }
        if request.method == .head {
            // The framework would take the length for 0.
            var length = first.readableBytes + second.readableBytes
            while let piece = documents.nextPiece() { length += piece.readableBytes }
            response.headers[.contentLength] = String(length)
            return response
        }
        response.body = ResponseBody { [documents] writer in
            var documents = documents
            try await writer.write(first)
            try await writer.write(second)
            while let piece = documents.nextPiece() { try await writer.write(piece) }
            try await writer.finish(nil)
        }
        return response
    }
}
