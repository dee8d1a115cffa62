import FlagChanges
import HTTPTypes
import Hummingbird

/// Serves style sheets, scripts and icons at `/` and `/assets/VERSION/`.
///
/// Browsers revalidate a file without a version, and keep one with a version for good, so that a page loads without
/// requests for its thirty or so files.
struct PublicFiles: DashboardMiddleware {
    /// A year, the usual maximum (RFC 9111, 5.2.2; RFC 8246).
    private static let forGood = "public, max-age=31536000, immutable"

    let pages: DashboardPages

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        guard request.method == .get || request.method == .head, let place = Self.place(request.uri.path) else {
            return try await next(request, context)
        }
        let assets = pages.current.assets
        guard let asset = assets[place.name] else { return try await next(request, context) }
        context.coreContext.endpointPath.value = RequestTimers.files
        let revision = FlagRevision(rawValue: asset.hash)
        // A page rendered before a restart may request an older version; it gets the current file.
        var headers: HTTPFields = [
            .eTag: revision.weakEntityTag, .cacheControl: place.version == assets.version ? Self.forGood : "no-cache",
        ]
        if EntityTags(knownBy: request)?.includes(revision) == true {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = asset.mediaType
        headers[.contentLength] = String(asset.bytes.readableBytes)
        return Response(
            status: .ok, headers: headers,
            body: request.method == .head ? ResponseBody() : .init(byteBuffer: asset.bytes))
    }

    /// Returns the name and the version in a file's address (``PageAssets/path``), if it may be one.
    private static func place(_ path: String) -> (version: String?, name: String)? {
        // Fast: every request passes here, and most are for no file.
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.first?.isEmpty == true, let name = parts.last, !name.isEmpty else { return nil }
        switch parts.count {
        case 2: return (nil, String(name))
        case 4 where parts[1] == "assets" && !parts[2].isEmpty && parts[2].utf8.allSatisfy(isHexadecimal):
            return (String(parts[2]), String(name))
        default: return nil
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
}
