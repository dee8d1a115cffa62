import HTTPTypes
import Hummingbird

/// The token that a request holds in its head (RFC 6750).
enum BearerToken {
    /// The token; empty where the head is of another sort, `nil` where there is none at all.
    static func find(in request: Request) -> String? {
        let headers = request.headers[values: .authorization]
        guard let header = headers.first else { return nil }
        let scheme = "bearer "
        guard headers.count == 1, header.utf8.count > scheme.utf8.count,
            header.prefix(scheme.count).lowercased() == scheme
        else { return "" }
        return String(header.dropFirst(scheme.count))
    }
}
