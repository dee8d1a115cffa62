import Foundation

/// The folder with the templates, style sheets and scripts that the pages are made of.
public enum DashboardResources {
    /// Looks in `FLAGBOARD_RESOURCES`, then in `../share/flagboard` beside the program's folder, in that folder itself, and in the
    /// package that Flagboard was compiled from.
    ///
    /// The current folder never counts: its author would decide over the pages.
    ///
    /// - Returns: The folder that holds `Templates` and `Public`.
    /// - Throws: ``EmbeddingError`` where there is none.
    public static func locate() throws(EmbeddingError) -> URL {
        try locate(
            named: ProcessInfo.processInfo.environment["FLAGBOARD_RESOURCES"], program: Bundle.main.executableURL)
    }

    static func locate(
        named: String?, program: URL?, sources: URL = Self.sources
    ) throws(EmbeddingError) -> URL {
        if let named {
            guard isComplete(URL(filePath: named)) else { throw .incompleteResources(named) }
            return URL(filePath: named)
        }
        let places = (program.map(places(beside:)) ?? []) + [sources]
        guard let found = places.first(where: isComplete) else { throw .noResources(places) }
        return found
    }

    /// The folders of an installed program, which may be reached by a link.
    private static func places(beside program: URL) -> [URL] {
        let folder = program.resolvingSymlinksInPath().standardizedFileURL.deletingLastPathComponent()
        return [folder.deletingLastPathComponent().appending(path: "share/flagboard"), folder]
    }

    /// The folder of the package that this was compiled from, which is there where an app is built.
    private static var sources: URL {
        (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    }

    /// Whether a folder holds Flagboard's files: an app may have folders of the same names.
    private static func isComplete(_ folder: URL) -> Bool {
        ["Templates/Parts/layout.mustache", "Public/Parts/addresses.js"].allSatisfy { path in
            FileManager.default.fileExists(atPath: folder.appending(path: path).path(percentEncoded: false))
        }
    }
}
