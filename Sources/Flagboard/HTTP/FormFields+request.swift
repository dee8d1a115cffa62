import Foundation
import HTTPTypes
import Hummingbird

extension FormFields {
    /// Reads the fields of a form that was sent.
    ///
    /// - Parameters:
    ///   - request: The request; its body is read.
    ///   - maximumBytes: How large the body may be.
    /// - Throws: ``RequestRefusal`` (415) where it says to be no form, ``FormFieldsError``, or what says that the body is too
    ///   large (413).
    init(_ request: Request, upTo maximumBytes: Int) async throws {
        try self.init(bytes: try await Self.body(of: request, upTo: maximumBytes).readableBytesView)
    }

    /// Reads the fields of a form in which one may be there any number of times.
    ///
    /// - Parameters:
    ///   - name: That field.
    ///   - request: The request; its body is read.
    ///   - maximumBytes: How large the body may be.
    /// - Returns: The other fields, and the values of that one in their order.
    /// - Throws: As where there is no such field.
    static func gathering(
        _ name: String, in request: Request, upTo maximumBytes: Int
    ) async throws -> (fields: FormFields, gathered: [String]) {
        let body = try await body(of: request, upTo: maximumBytes)
        var gathered: [String] = []
        let fields = try FormFields(bytes: body.readableBytesView, gathering: name, into: &gathered)
        return (fields, gathered)
    }

    private static func body(of request: Request, upTo maximumBytes: Int) async throws -> ByteBuffer {
        guard isForm(request.headers) else {
            throw RequestRefusal(
                .unsupportedMediaType, title: "Not a form",
                message: "What was sent is not marked as a form’s fields, so nothing was changed.",
                remedy: "Send it as application/x-www-form-urlencoded in UTF-8, as the dashboard’s own forms do.",
                isBare: true)
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximumBytes {
            throw HTTPError(.contentTooLarge)
        }
        return try await request.body.collect(upTo: maximumBytes)
    }

    private static func isForm(_ headers: HTTPFields) -> Bool {
        guard headers[.contentEncoding] == nil, let type = headers[.contentType] else { return false }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard parts[0] == "application/x-www-form-urlencoded" else { return false }
        return parts.dropFirst().allSatisfy { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    }
}
