import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird

extension Dashboard {
    /// A document as a response.
    func respond(
        json document: some JSONContent, status: HTTPResponse.Status = .ok, revision: FlagRevision? = nil,
        headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        let isProblem = document is ProblemDocument
        headers[.contentType] = isProblem ? "application/problem+json" : "application/json"
        headers[.cacheControl] = "no-store"
        if let revision { headers[.eTag] = revision.entityTag }
        let bytes = ByteBuffer(bytes: document.json)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}
