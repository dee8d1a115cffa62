import PackagePlugin

/// Declares the flags of a module's manifests while the module is built: of each file that ends in `.manifest.xml`.
@main
struct GenerateFlags: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let tool = try context.tool(named: "GenerateFlagsTool").url
        let manifests = module.sourceFiles.map(\.url).filter { $0.lastPathComponent.hasSuffix(".manifest.xml") }
        let names = Dictionary(grouping: manifests, by: \.lastPathComponent)
        if let (name, files) = names.filter({ $0.value.count > 1 }).min(by: { $0.key < $1.key }) {
            let paths = files.map { $0.path(percentEncoded: false) }.sorted().joined(separator: " and ")
            Diagnostics.error("Both \(paths) would declare the flags of \(name): give each a name of its own.")
            return []
        }
        return manifests.map { manifest in
            let name = manifest.lastPathComponent.dropLast(".manifest.xml".count)
            let source = context.pluginWorkDirectoryURL.appending(path: "\(name)Flags.swift")
            return .buildCommand(
                displayName: "Declaring the flags of \(manifest.lastPathComponent)", executable: tool,
                arguments: [manifest.path(percentEncoded: false), source.path(percentEncoded: false)],
                inputFiles: [manifest], outputFiles: [source])
        }
    }
}
