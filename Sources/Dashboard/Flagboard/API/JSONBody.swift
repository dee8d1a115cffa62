import FeatureFlags
import FlagChanges
import Foundation
import HTTPTypes
import Hummingbird

struct JSONBody: Sendable {
    private let members: [String: JSONValue]

    /// Throws if the body is larger than a form's, or has members not in `names`.
    init(_ request: Request, members names: [String]) async throws {
        try Self.checkType(of: request)
        try self.init(try await Self.buffer(of: request), members: names)
    }

    private static func checkType(of request: Request) throws(RequestError) {
        guard let type = request.headers[.contentType], MediaType(from: type)?.isType(.applicationJson) == true else {
            throw RequestError(
                .unsupportedMediaType, title: "Not JSON",
                message: "Content-Type must be application/json.",
                remedy: "Send a JSON object with Content-Type: application/json.")
        }
        if request.headers[.contentEncoding] != nil {
            throw RequestError(
                .unsupportedMediaType, title: "Unsupported encoding",
                message: "Content-Encoding is not supported. Nothing was changed.",
                remedy: "Send the JSON without Content-Encoding.")
        }
    }

    /// Throws unless the body is missing or an empty object.
    ///
    /// A request cut short, or sent to the wrong address, must not take effect.
    static func checkEmpty(_ request: Request) async throws {
        let buffer = try await buffer(of: request)
        guard buffer.readableBytes > 0 else { return }
        try checkType(of: request)
        _ = try JSONBody(buffer, members: [])
    }

    private static func buffer(of request: Request) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: FormFields.maximumBytes)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            let most = FormFields.maximumBytes / 1024 / 1024
            throw RequestError(
                .contentTooLarge, title: "Too large",
                message: "The body is larger than \(most) MB. Nothing was changed.",
                remedy: "Send less at once.")
        }
    }

    private init(_ buffer: ByteBuffer, members names: [String]) throws(RequestError) {
        guard let text = String(validating: buffer.readableBytesView, as: UTF8.self) else {
            throw Self.malformed("it is not UTF-8", names)
        }
        let value: JSONValue
        do {
            value = try FlagJSON.document(text)
        } catch {
            throw Self.malformed(error.description, names)
        }
        try self.init(value, members: names)
    }

    init(_ value: JSONValue, members names: [String]) throws(RequestError) {
        guard case .object(let members) = value else {
            throw Self.malformed("found \(value.briefDescription), expected an object", names)
        }
        if let unknown = members.keys.sorted().first(where: { !names.contains($0) }) {
            let fault = names.isEmpty ? "this address takes no body" : "unknown member \"\(unknown)\""
            throw Self.malformed(fault, names)
        }
        self.members = members
    }

    var all: [String: JSONValue] { members }

    subscript(name: String) -> JSONValue? { members[name] }

    /// `nil` if the member is missing.
    func text(_ name: String) throws(RequestError) -> String? {
        switch members[name] {
        case nil: return nil
        case .scalar(.string(let text))?: return text
        case .some(let value):
            throw Self.malformed("\"\(name)\" is \(value.briefDescription), expected text", [])
        }
    }

    /// `nil` if the member is missing.
    func bool(_ name: String) throws(RequestError) -> Bool? {
        switch members[name] {
        case nil: return nil
        case .scalar(.bool(let value))?: return value
        case .some(let value):
            throw Self.malformed("\"\(name)\" is \(value.briefDescription), expected true or false", [])
        }
    }

    static func malformed(_ fault: String, _ names: [String]) -> RequestError {
        let members = names.isEmpty ? "" : " Supported members: \(names.joined(separator: ", "))."
        return RequestError(
            .badRequest, .unreadableBody, title: "Invalid body", message: "Can’t read the body: \(fault).",
            remedy: "Correct the JSON and send it again. Nothing was changed.\(members)")
    }
}

extension Dashboard {
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
