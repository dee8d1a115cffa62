import HTTPTypes
import Hummingbird

/// The token that a request holds in its head (RFC 6750).
enum BearerToken {
    /// Finds it.
    ///
    /// - Parameter request: The request.
    /// - Returns: The token; an empty one where it is missing or there are several, so that it lets no person in; `nil`
    ///   where the head holds none. What a browser adds by itself for another scheme, such as Basic, is none.
    static func find(in request: Request) -> String? {
        let headers = request.headers[values: .authorization]
        guard let header = headers.first else { return nil }
        guard headers.count == 1 else { return "" }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].lowercased() == "bearer" else { return nil }
        return parts.count == 2 ? String(parts[1]) : ""
    }
}
