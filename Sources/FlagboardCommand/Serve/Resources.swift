import Foundation

/// The folder with the templates and the style sheet that the pages are made of.
enum Resources {
    /// Looks in `FLAGBOARD_RESOURCES`, then in each folder above the program, then in the current folder.
    static func locate() throws -> URL {
        if let named = ProcessInfo.processInfo.environment["FLAGBOARD_RESOURCES"] {
            guard isComplete(URL(filePath: named)) else {
                throw StartError("FLAGBOARD_RESOURCES is \(named), which holds no Templates and Public folders.")
            }
            return URL(filePath: named)
        }
        var folder = URL(filePath: CommandLine.arguments[0])
        if let executable = Bundle.main.executableURL { folder = executable }
        folder = folder.resolvingSymlinksInPath().standardizedFileURL
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            if isComplete(folder) { return folder }
        }
        let current = URL(filePath: FileManager.default.currentDirectoryPath)
        if isComplete(current) { return current }
        throw StartError(
            "the folders Templates and Public are not beside the program.\n"
                + "Set FLAGBOARD_RESOURCES to the folder that holds them.")
    }

    private static func isComplete(_ folder: URL) -> Bool {
        ["Templates", "Public"].allSatisfy { name in
            var isFolder: ObjCBool = false
            let path = folder.appending(path: name).path(percentEncoded: false)
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
    }
}
