import AsyncHTTPClient
import Foundation
import NIOCore

/// What is asked for.
package struct RemoteRequest: Sendable {
    /// Where.
    let address: RemoteAddress
    /// What is sent along as JSON, by `POST`; `nil` for a `GET`.
    var content: Data?
    /// The media types of answers that can be read.
    var accepted: String

    /// Describes what is asked for.
    package init(address: RemoteAddress, content: Data? = nil, accepted: String) {
        (self.address, self.content, self.accepted) = (address, content, accepted)
    }
}

/// What a server answered.
package struct RemoteAnswer: Sendable {
    /// Its body, with nothing packed.
    package let body: Data
    /// Its `ETag`.
    package let version: String?
    /// Its media type, without parameters.
    let mediaType: String?
}

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
