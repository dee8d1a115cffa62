import Foundation
import PackagePlugin

/// Puts the files of the dashboard's pages and the demonstration into the program while it is built, and lists the properties that
/// the pages and the API show.
///
/// SwiftPM plans again only when `Package.swift` or a folder of `Sources` changes. After only a template was added or removed, build with
/// `--disable-build-manifest-caching`, as `script/server` and `script/test` do.
@main
struct GeneratePages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        guard let tool = try tool(of: context) else { return [] }
        func command(_ title: String, _ verb: String, _ name: String, _ folders: [URL], _ inputs: [URL]) -> Command {
            let source = context.pluginWorkDirectoryURL.appending(path: name)
            return .buildCommand(
                displayName: title, executable: tool,
                arguments: [verb] + ([source] + folders).map { $0.path(percentEncoded: false) },
                inputFiles: inputs, outputFiles: [source])
        }
        let folders = ["Templates", "Public", "Demo"].map { context.package.directoryURL.appending(path: $0) }
        let sources = module.sourceFiles.map(\.url).filter { $0.pathExtension == "swift" }
        return [
            command(
                "Putting the pages into the program", "embed", "BuiltPages.swift", folders, try folders.flatMap(files)),
            command(
                "Listing what pages and the API show", "list", "PropertyTables.swift", [module.directoryURL], sources),
        ]
    }

    /// `nil` in a package without the trait `Server`, which builds no pages and so doesn't need to build the tool.
    private func tool(of context: PluginContext) throws -> URL? {
        do {
            return try context.tool(named: "GeneratePagesTool").url
        } catch PluginContextError.toolNotFound {
            return nil
        }
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
