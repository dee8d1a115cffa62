import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses what is written of a response on its way.
struct GzipWriter: ResponseBodyWriter {
    private var target: any ResponseBodyWriter
    private let gzip: GzipStream

    /// - Parameter target: What takes the compressed bytes.
    /// - Throws: ``GzipError`` where there is no memory to compress in.
    init(to target: any ResponseBodyWriter) throws {
        self.target = target
        gzip = try GzipStream()
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        let compressed = try gzip.compress(buffer)
        if compressed.readableBytes > 0 { try await target.write(compressed) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await target.write(try gzip.finish())
        try await target.finish(trailingHeaders)
    }
}
