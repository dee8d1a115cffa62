import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension FormFields {
    /// Reads the fields of a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    /// - Throws: ``RequestError`` (415) where it says to be no form, ``FormFieldsError``, or what says that the body is too
    ///   large (413).
    init(_ request: Request, upTo maximumBytes: Int) async throws {
        try self.init(bytes: try await Self.bytes(of: request, upTo: maximumBytes))
    }

    /// The body of a form that was sent.
    ///
    /// - Parameter request: The request; its body is read.
    /// - Returns: Its bytes.
    /// - Throws: ``RequestError`` (415) where it says to be no form, or what says that the body is too large (413).
    static func bytes(of request: Request, upTo maximumBytes: Int) async throws -> ByteBufferView {
        guard isForm(request.headers) else { throw RequestError.notAForm }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBytes {
            throw HTTPError(.contentTooLarge)
        }
        return try await request.body.collect(upTo: maximumBytes).readableBytesView
    }

    private static func isForm(_ headers: HTTPFields) -> Bool {
        guard headers[.contentEncoding] == nil, let type = headers[.contentType] else { return false }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard parts[0] == "application/x-www-form-urlencoded" else { return false }
        return parts.dropFirst().allSatisfy { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    }
}
