import CZlib
import DurableFiles
import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses data in pieces (RFC 1952).
final class GzipStream {
    /// Higher levels cost more time than a local network saves.
    private static let level: Int32 = 5
    /// Bytes of output at a time.
    private static let piece = 65_536

    private let stream: UnsafeMutablePointer<z_stream>

    /// - Throws: ``PlainError`` if memory is short.
    init() throws(PlainError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = flagboard_gzip_init(stream, Self.level)
        guard code == Z_OK else { throw Self.failure(code) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func compress(_ bytes: ByteBuffer) throws -> ByteBuffer {
        try bytes.withUnsafeReadableBytes { input in
            // zlib never writes there, although its pointer is mutable.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return try output(Z_NO_FLUSH)
        }
    }

    func finish() throws -> ByteBuffer {
        stream.pointee.next_in = nil
        stream.pointee.avail_in = 0
        return try output(Z_FINISH)
    }

    private static func failure(_ code: Int32) -> PlainError {
        PlainError("zlib could not compress a response: it returned \(code)")
    }

    private func output(_ flush: Int32) throws -> ByteBuffer {
        var output = ByteBuffer()
        var isDone = false
        while !isDone {
            try output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.piece) { space in
                stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(space.count)
                let code = deflate(stream, flush)
                // Without input or output left, zlib reports a full buffer.
                guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw Self.failure(code) }
                isDone = stream.pointee.avail_out > 0
                return space.count - Int(stream.pointee.avail_out)
            }
        }
        return output
    }
}

struct GzipWriter: ResponseBodyWriter {
    private var target: any ResponseBodyWriter
    private let gzip: GzipStream

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
