import Foundation
import HTTPTypes
import Hummingbird

/// Compresses pages, style sheets, scripts and downloads for those who take gzip (RFC 9110, 8.4 and 12.5.3).
///
/// A page that holds a secret is never compressed: a person who had text of theirs put beside it would learn from the
/// length how much of the secret that text has in common with it (BREACH).
struct Compression: DashboardMiddleware {

    /// What is shorter, in bytes, is not worth the work.
    private static let least = 1024

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        var response = try await next(request, context)
        guard Self.isWorthIt(response), Route.reached(by: request.uri.path)?.mayShowSecrets != true else {
            return response
        }
        response.headers.append(HTTPField(name: .vary, value: "Accept-Encoding"))
        // The answer to HEAD has no body whose length could be told.
        guard request.method != .head, Self.isGzipTaken(request.headers[values: .acceptEncoding]) else {
            return response
        }
        let body = response.body
        response.body = ResponseBody { writer in try await body.write(try GzipWriter(to: writer)) }
        response.headers[.contentLength] = nil
        response.headers[.contentEncoding] = "gzip"
        return response
    }

    /// Whether a response is text of some length.
    ///
    /// One with a strong entity tag is left as it is: that names these very bytes.
    private static func isWorthIt(_ response: Response) -> Bool {
        guard response.status == .ok, response.headers[.contentEncoding] == nil,
            response.headers[.contentLength].flatMap({ Int($0) }).map({ $0 >= least }) != false,
            response.headers[.eTag]?.hasPrefix("W/") != false, let type = response.headers[.contentType]
        else { return false }
        return isText(type)
    }

    /// Events are to arrive one by one, which a compressed stream doesn't let them.
    private static func isText(_ type: String) -> Bool {
        let type = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        if type == "text/event-stream" { return false }
        return type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
            || ["application/javascript", "application/jsonl"].contains(type)
    }

    /// Whether `Accept-Encoding` has gzip, by its name or among any other, with a weight above 0.
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
