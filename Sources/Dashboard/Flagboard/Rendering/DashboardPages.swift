import Foundation

/// The templates of pages, and the style sheets, scripts and icons that these name.
struct DashboardPages: Sendable {
    let templates: TemplateLibrary
    let publicFolder: URL
    let assets: AssetFolder

    /// Reads the files of a folder.
    ///
    /// - Parameters:
    ///   - resources: The folder that holds `Templates/` and `Public/`.
    ///   - mount: The path below which an app serves the dashboard.
    /// - Throws: Which template is wrong or missing, or which public file can't be read.
    init(_ resources: URL, below mount: MountPath) throws {
        publicFolder = resources.appending(path: "Public")
        assets = try AssetFolder(publicFolder)
        templates = try TemplateLibrary(
            directory: resources.appending(path: "Templates"), assets: assets.path, below: mount)
    }
}
