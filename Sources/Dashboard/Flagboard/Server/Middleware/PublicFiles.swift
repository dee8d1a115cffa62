import Foundation
import Hummingbird
import Logging

/// Serves the files of a folder by `/` and their names, or by `/assets/`, a version and their names, in whichever of its
/// folders they are; and nothing else that a path may be taken for.
///
/// By its name alone, a file is asked for again at each use, and sent where it has changed. Below its version, a browser keeps
/// it for good: a page loads without asking for any of some thirty files.
struct PublicFiles: DashboardMiddleware {
    /// A year, the longest that is usual (RFC 9111, 5.2.2; RFC 8246).
    private static let forGood = "public, max-age=31536000, immutable"

    private let assets: AssetFolder
    private let files: FileMiddleware<DashboardContext, LocalFileSystem>

    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - assets: The folder's files.
    ///   - logger: Where faults of the file system go.
    init(folder: String, assets: AssetFolder, logger: Logger) {
        self.assets = assets
        // It logs its folder each time that it is made, once for each socket.
        var logger = logger
        logger.logLevel = max(logger.logLevel, .notice)
        files = FileMiddleware(
            folder, cacheControl: CacheControl([(MediaType(type: .any), [.noCache])]), searchForIndexHtml: false,
            logger: logger)
    }

    func handle(_ request: Request, context: DashboardContext, next: Next) async throws -> Response {
        guard let place = Self.place(request.uri.path), let path = assets.path(ofFile: place.name) else {
            return try await next(request, context)
        }
        var head = request.head
        head.path = "/\(path)"
        do {
            // The middleware looks for a file where there is no route; what comes next is for those who have signed in.
            var response = try await files.handle(Request(head: head, body: request.body), context: context) { _, _ in
                throw HTTPError(.notFound)
            }
            // A page from before the last start of the server may ask for another version, and gets what there is.
            if place.version == assets.version, assets.isCurrent(place.name) {
                response.headers[.cacheControl] = Self.forGood
            }
            return response
        } catch let error as HTTPError where error.status == .notFound {
            return try await next(request, context)
        }
    }

    /// The parts of an address that may be a file's: its name, and the version that is in front of it in an address of
    /// ``AssetFolder/path``.
    private static func place(_ path: String) -> (version: String?, name: String)? {
        // Every request comes by here, and most are for no file.
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

    /// Whether a text is a name with an ending, in letters, digits, `-` and `_`.
    static func isFileName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)+/) != nil
    }
}
