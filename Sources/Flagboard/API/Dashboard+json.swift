import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// A document as a response.
    ///
    /// - Parameters:
    ///   - document: What to tell.
    ///   - status: The status.
    ///   - revision: The revision that becomes its `ETag`.
    ///   - headers: What else its head says.
    /// - Returns: The response.
    /// - Throws: Where the document can't be encoded.
    func respond(
        json document: some Encodable, status: HTTPResponse.Status = .ok, revision: FlagRevision? = nil,
        headers: HTTPFields = [:]
    ) throws -> Response {
        var headers = headers
        let isProblem = document is ProblemDocument
        headers[.contentType] = isProblem ? "application/problem+json" : "application/json"
        headers[.cacheControl] = "no-store"
        if let revision { headers[.eTag] = revision.entityTag }
        let bytes = ByteBuffer(string: try JSONDocumentEncoder.text(of: document))
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}
