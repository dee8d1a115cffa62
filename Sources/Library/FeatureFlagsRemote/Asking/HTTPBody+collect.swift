import AsyncHTTPClient
import NIOCore

extension HTTPClientResponse.Body {
    /// All bytes, where they come in time: the deadline that a request is sent with is one for the head of the answer alone.
    ///
    /// - Parameters:
    ///   - limit: The most bytes.
    ///   - deadline: When all of them must be there.
    /// - Returns: The bytes.
    /// - Throws: `HTTPClientError.deadlineExceeded` where they are not, and what keeps them from being read.
    func collect(upTo limit: Int, before deadline: NIODeadline) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.collect(upTo: limit) }
            group.addTask {
                try await Task.sleep(for: .nanoseconds((deadline - .now()).nanoseconds))
                throw HTTPClientError.deadlineExceeded
            }
            guard let bytes = try await group.next() else { throw HTTPClientError.deadlineExceeded }
            return bytes
        }
    }
}
