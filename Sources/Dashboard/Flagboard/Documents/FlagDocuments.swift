import FeatureFlags
import HTTPTypes
import Hummingbird
import NIOCore

/// The document `{"after":"…","flags":[…]}`, written in pieces while it is sent, to limit memory.
struct FlagDocuments: Sendable {
    private let entries: ListedFlags
    private let next: FlagKeyPath?
    private var place = 0
    private var isEnded = false

    /// The approximate size of a piece in bytes.
    private static let piece = 262_144

    init(_ entries: ListedFlags, next: FlagKeyPath?) {
        self.entries = entries
        self.next = next
    }

    /// `nil` at the end.
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
    /// Responds with a known length if the documents fit one piece, and for HEAD.
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
            // Otherwise Hummingbird sends a length of 0.
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
