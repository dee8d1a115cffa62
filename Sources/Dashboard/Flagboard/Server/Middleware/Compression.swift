import Foundation
import HTTPTypes
import Hummingbird

/// Compresses pages, style sheets, scripts and downloads with gzip (RFC 9110, 8.4 and 12.5.3).
///
/// Pages with secrets are never compressed: the length would reveal a secret's similarity to text that an attacker
/// placed beside it (BREACH).
struct Compression: DashboardMiddleware {

    /// Shorter responses, in bytes, are not worth compressing.
    private static let least = 1024

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var response = try await next(request, context)
        guard Self.isWorthIt(response), Route.reached(by: request.uri.path)?.mayShowSecrets != true else {
            return response
        }
        response.headers.append(HTTPField(name: .vary, value: "Accept-Encoding"))
        // A response to HEAD has no body.
        guard request.method != .head, Self.isGzipTaken(request.headers[values: .acceptEncoding]) else {
            return response
        }
        let body = response.body
        response.body = ResponseBody { writer in try await body.write(try GzipWriter(to: writer)) }
        response.headers[.contentLength] = nil
        response.headers[.contentEncoding] = "gzip"
        return response
    }

    /// A strong entity tag names these exact bytes, so such a response stays uncompressed.
    private static func isWorthIt(_ response: Response) -> Bool {
        guard response.status == .ok, response.headers[.contentEncoding] == nil,
            response.headers[.contentLength].flatMap({ Int($0) }).map({ $0 >= least }) != false,
            response.headers[.eTag]?.hasPrefix("W/") != false, let type = response.headers[.contentType]
        else { return false }
        return isText(type)
    }

    /// Excludes streams, whose single events compression would hold back.
    private static func isText(_ type: String) -> Bool {
        let type = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        if type == "text/event-stream" { return false }
        return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
            || ["application/javascript", "application/jsonl"].contains(type)
    }

    /// Accepts gzip, by name or by `*`, with a weight above 0.
    static func isGzipTaken(_ headers: [String]) -> Bool {
        var weights: [String: Double] = [:]
        for item in headers.joined(separator: ",").split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            weights[name] = weight
        }
        return weights["gzip"] ?? weights["*"] ?? 0 > 0
    }
}
