import CZlib
import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses bytes as gzip (RFC 1952), piece by piece.
final class GzipStream {
    /// More than this costs time that no local network gives back.
    private static let level: Int32 = 4
    /// How much of the result is made at a time, in bytes.
    private static let piece = 65_536

    private let stream: UnsafeMutablePointer<z_stream>

    /// Begins a stream.
    ///
    /// - Throws: ``GzipError`` where there is no memory for it.
    init() throws(GzipError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = flagboard_gzip_init(stream, Self.level)
        guard code == Z_OK else { throw GzipError(code: code) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Takes bytes in, and gives what is ready; that may be nothing yet.
    ///
    /// - Returns: The compressed bytes.
    /// - Throws: ``GzipError`` where the stream has ended already.
    func compress(_ bytes: ByteBuffer) throws -> ByteBuffer {
        try bytes.withUnsafeReadableBytes { input in
            // zlib reads from there and never writes, though its interface doesn't say so.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return try output(Z_NO_FLUSH)
        }
    }

    /// Ends the stream, and gives the rest.
    ///
    /// - Returns: The compressed bytes.
    /// - Throws: ``GzipError`` where the stream has ended already.
    func finish() throws -> ByteBuffer {
        stream.pointee.next_in = nil
        stream.pointee.avail_in = 0
        return try output(Z_FINISH)
    }

    private func output(_ flush: Int32) throws -> ByteBuffer {
        var output = ByteBuffer()
        var isDone = false
        while !isDone {
            try output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.piece) { space in
                stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(space.count)
                let code = deflate(stream, flush)
                // Where there is neither input nor anything left to give, zlib calls that a full buffer.
                guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw GzipError(code: code) }
                isDone = stream.pointee.avail_out > 0
                return space.count - Int(stream.pointee.avail_out)
            }
        }
        return output
    }
}

/// Why zlib could not compress.
struct GzipError: Error, CustomStringConvertible {
    /// What zlib returned.
    let code: Int32

    var description: String { "zlib could not compress a response: it returned \(code)" }
}

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
