import Foundation
import Hummingbird
import Logging

/// Serves the files of a folder by `/` and their names, or by `/assets/`, a version and their names; and nothing else that a
/// path may be taken for.
///
/// By its name alone, a file is asked for again at each use, and sent where it has changed. Below its version, a browser keeps
/// it for good: a page loads without asking for any of some thirty files.
struct PublicFiles: RouterMiddleware {
    typealias Context = DashboardContext
    /// A year, the longest that is usual (RFC 9111, 5.2.2; RFC 8246).
    private static let forGood = "public, max-age=31536000, immutable"

    private let folder: URL
    private let version: AssetVersion
    private let files: FileMiddleware<DashboardContext, LocalFileSystem>

    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - version: What the folder's files are.
    ///   - logger: Where faults of the file system go.
    init(folder: String, version: AssetVersion, logger: Logger) {
        self.version = version
        self.folder = URL(filePath: folder).resolvingSymlinksInPath()
        files = FileMiddleware(
            folder, cacheControl: CacheControl([(MediaType(type: .any), [.noCache])]), searchForIndexHtml: false,
            logger: logger)
    }

    func handle(
        _ request: Request, context: DashboardContext,
        next: (Request, DashboardContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        guard let place = path.wholeMatch(of: /(\/assets\/[0-9a-f]+)?\/([^\/]+)/), Self.isFileName(String(place.2)),
            let file = file(named: String(place.2))
        else { return try await next(request, context) }
        var head = request.head
        head.path = "/\(place.2)"
        do {
            // The middleware looks for a file where there is no route; what comes next is for those who have signed in.
            var response = try await files.handle(Request(head: head, body: request.body), context: context) { _, _ in
                throw HTTPError(.notFound)
            }
            // A page from before the last start of the server may ask for another version, and gets what there is.
            if let folder = place.1, folder == version.path, version.isCurrent(file) {
                response.headers[.cacheControl] = Self.forGood
            }
            return response
        } catch let error as HTTPError where error.status == .notFound {
            return try await next(request, context)
        }
    }

    /// A file that lies in the folder itself; `nil` for a folder, or a link to elsewhere.
    private func file(named name: String) -> URL? {
        let file = folder.appending(path: name)
        let target = file.resolvingSymlinksInPath()
        var isFolder: ObjCBool = false
        guard target.deletingLastPathComponent().pathComponents == folder.pathComponents,
            FileManager.default.fileExists(atPath: target.path(percentEncoded: false), isDirectory: &isFolder),
            !isFolder.boolValue
        else { return nil }
        return file
    }

    /// Whether a text is a name with an ending, in letters, digits, `-` and `_`.
    static func isFileName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)+/) != nil
    }
}
