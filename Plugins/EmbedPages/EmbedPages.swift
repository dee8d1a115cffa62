import Foundation
import PackagePlugin

/// Puts the templates, style sheets, scripts and icons of the pages into the program while it is built.
///
/// SwiftPM asks it for its files again where a folder of `Sources` has changed: after a template alone was removed, a build says that
/// its file is missing until `Package.swift` is touched.
@main
struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folders = ["Templates", "Public"].map { context.package.directoryURL.appending(path: $0) }
        let source = context.pluginWorkDirectoryURL.appending(path: "BuiltPages.swift")
        return [
            .buildCommand(
                displayName: "Putting the pages into the program",
                executable: try context.tool(named: "EmbedPagesTool").url,
                arguments: ([source] + folders).map { $0.path(percentEncoded: false) },
                inputFiles: try folders.flatMap(files), outputFiles: [source])
        ]
    }

    private func files(in folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
            .map { folder.appending(path: $0) }.filter { !$0.lastPathComponent.hasPrefix(".") && $0.isFile }
    }
}

extension URL {
    fileprivate var isFile: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path(percentEncoded: false), isDirectory: &isFolder)
            && !isFolder.boolValue
    }
}
