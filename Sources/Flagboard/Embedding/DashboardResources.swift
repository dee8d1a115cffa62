import Foundation

/// The folder with the templates, style sheets and scripts that the pages are made of.
public enum DashboardResources {
    /// Looks in `FLAGBOARD_RESOURCES`, then in each folder above the program, then in the current folder, then where Flagboard was
    /// compiled.
    ///
    /// - Returns: The folder that holds `Templates` and `Public`.
    /// - Throws: ``EmbeddingError`` where there is none.
    public static func locate() throws(EmbeddingError) -> URL {
        if let named = ProcessInfo.processInfo.environment["FLAGBOARD_RESOURCES"] {
            guard isComplete(URL(filePath: named)) else { throw .incompleteResources(named) }
            return URL(filePath: named)
        }
        var program = URL(filePath: CommandLine.arguments[0])
        if let executable = Bundle.main.executableURL { program = executable }
        var above: [URL] = []
        var folder = program.resolvingSymlinksInPath().standardizedFileURL
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            above.append(folder)
        }
        let others = [URL(filePath: FileManager.default.currentDirectoryPath), sources]
        if let found = (above + others).first(where: isComplete) { return found }
        throw .noResources([program.deletingLastPathComponent()] + others)
    }

    /// The folder of the package that this was compiled from, which is there where an app is built.
    private static var sources: URL {
        (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    }

    /// Whether a folder holds Flagboard's files: an app may have folders of the same names.
    private static func isComplete(_ folder: URL) -> Bool {
        ["Templates/Parts/layout.mustache", "Public/Parts/addresses.js"].allSatisfy { path in
            FileManager.default.fileExists(atPath: folder.appending(path: path).path(percentEncoded: false))
        }
    }
}
