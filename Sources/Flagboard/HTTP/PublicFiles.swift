import Foundation
import Hummingbird
import Logging

/// Serves the files of a folder by their bare names, and nothing else that a path may be taken for.
struct PublicFiles: RouterMiddleware {
    typealias Context = DashboardContext
    private let folder: URL
    private let files: FileMiddleware<DashboardContext, LocalFileSystem>

    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - logger: Where faults of the file system go.
    init(folder: String, logger: Logger) {
        self.folder = URL(filePath: folder).resolvingSymlinksInPath()
        files = FileMiddleware(
            folder, cacheControl: CacheControl([(MediaType(type: .any), [.noCache])]), searchForIndexHtml: false,
            logger: logger)
    }

    func handle(
        _ request: Request, context: DashboardContext,
        next: (Request, DashboardContext) async throws -> Response
    ) async throws -> Response {
        guard Self.isFileName(request.uri.path), isInside(request.uri.path) else {
            return try await next(request, context)
        }
        do {
            // The middleware looks for a file where there is no route; what comes next is for those who have signed in.
            return try await files.handle(request, context: context) { _, _ in throw HTTPError(.notFound) }
        } catch let error as HTTPError where error.status == .notFound {
            return try await next(request, context)
        }
    }

    /// Whether a path leads to a file that lies in the folder itself, not to a folder, nor by a link to elsewhere.
    private func isInside(_ path: String) -> Bool {
        let file = folder.appending(path: path.dropFirst()).resolvingSymlinksInPath()
        var isFolder: ObjCBool = false
        return file.deletingLastPathComponent().pathComponents == folder.pathComponents
            && FileManager.default.fileExists(atPath: file.path(percentEncoded: false), isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// Whether a path is `/` and a name with an ending, in letters, digits, `-` and `_`.
    private static func isFileName(_ path: String) -> Bool {
        path.wholeMatch(of: /\/[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)+/) != nil
    }
}
