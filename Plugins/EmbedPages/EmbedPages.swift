import Foundation
import PackagePlugin

/// Puts the templates, style sheets, scripts and icons of the pages into the program while it is built.
///
/// SwiftPM plans again only when `Package.swift` or a folder of `Sources` changes. After only a template was added or removed, build with
/// `--disable-build-manifest-caching`, as `script/server` and `script/test` do.
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
            .map { folder.appending(path: $0) }
            .filter { file in
                try !file.lastPathComponent.hasPrefix(".")
                    && file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            }
    }
}
