import Foundation
import HTTPTypes
import Hummingbird

extension MultipartForm {
    /// Reads the form that a request sends, where it is one of this kind.
    ///
    /// - Parameters:
    ///   - request: The request; its body is read.
    ///   - tooLarge: What to throw where it is larger.
    /// - Returns: `nil` where the request says to send something else; then its body is still to be read.
    /// - Throws: ``MultipartError`` that says what no browser would have sent, ``RequestError`` (415) where it is encoded
    ///   besides, or `tooLarge`.
    static func sent(
        with request: Request, file field: String, upTo maximumBytes: Int, else tooLarge: RequestError
    ) async throws -> MultipartForm? {
        guard isSent(with: request), let type = request.headers[.contentType] else { return nil }
        guard request.headers[.contentEncoding] == nil else { throw RequestError.notAForm }
        guard let boundary = boundary(in: type) else {
            throw MultipartError.malformed("its Content-Type names no boundary")
        }
        let form = try MultipartForm(
            try await body(of: request, upTo: maximumBytes, else: tooLarge), boundary: boundary)
        guard form.file == nil || form.file?.field == field else {
            throw MultipartError.malformed("a file is in the field of a text")
        }
        return form
    }

    /// Whether a request says to send a form of this kind.
    static func isSent(with request: Request) -> Bool {
        request.headers[.contentType]?.lowercased().hasPrefix("multipart/") ?? false
    }

    private static func body(
        of request: Request, upTo maximumBytes: Int, else tooLarge: RequestError
    ) async throws -> Data {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBytes { throw tooLarge }
        do {
            return Data(try await request.body.collect(upTo: maximumBytes).readableBytesView)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw tooLarge
        }
    }
}
