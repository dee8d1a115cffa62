import HTTPTypes
import Hummingbird

/// The token that a request holds in its head (RFC 6750), or in `X-API-Key`, which clients of OpenFeature send.
enum BearerToken {
    /// Finds it.
    ///
    /// - Returns: The token; an empty one where it is missing or there are several, so that it lets no person in; `nil`
    ///   where the head holds none. What a browser adds by itself for another scheme, such as Basic, is none.
    static func find(in request: Request) -> String? {
        let headers = request.headers[values: .authorization]
        guard let header = headers.first else {
            let keys = request.headers[values: .apiKey]
            return keys.first.map { keys.count == 1 ? $0 : "" }
        }
        guard headers.count == 1 else { return "" }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].lowercased() == "bearer" else { return nil }
        return parts.count == 2 ? String(parts[1]) : ""
    }
}
