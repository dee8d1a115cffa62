import Hummingbird
import Logging

/// Serves the files of a folder by their bare names, and nothing else that a path may be taken for.
struct PublicFiles: RouterMiddleware {
    typealias Context = DashboardContext
    private let files: FileMiddleware<DashboardContext, LocalFileSystem>

    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - logger: Where faults of the file system go.
    init(folder: String, logger: Logger) {
        files = FileMiddleware(
            folder, cacheControl: CacheControl([(MediaType(type: .any), [.noCache])]), searchForIndexHtml: false,
            logger: logger)
    }

    func handle(
        _ request: Request, context: DashboardContext,
        next: (Request, DashboardContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isFileName(request.uri.path) else { return try await next(request, context) }
        do {
            // The middleware looks for a file where there is no route; what comes next is for those who have signed in.
            return try await files.handle(request, context: context) { _, _ in throw HTTPError(.notFound) }
        } catch let error as HTTPError where error.status == .notFound {
            return try await next(request, context)
        }
    }

    /// Whether a path is `/` and a name with an ending, in letters, digits, `-` and `_`.
    private static func isFileName(_ path: String) -> Bool {
        path.wholeMatch(of: /\/[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)+/) != nil
    }
}
