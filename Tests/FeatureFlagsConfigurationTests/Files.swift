import FeatureFlagsConfiguration
import Foundation

/// A values file and a manifest in a folder of their own.
final class Files {
    let folder: URL

    var values: URL { folder.appending(path: "flags.xml") }
    var manifest: URL { folder.appending(path: "flags.manifest.xml") }

    /// Writes the values' dictionary and, where there are any, the definitions.
    init(_ values: String, flags: [String] = []) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "configuration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(values)
        if !flags.isEmpty { try define(flags) }
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("\(folder.path) stays: \(error)")
        }
    }

    func write(_ values: String) throws { try replace(self.values, "<dict>\(values)</dict>") }

    func define(_ flags: [String]) throws {
        try replace(
            manifest,
            "<dict><key>version</key><integer>1</integer><key>flags</key><array>\(flags.joined())</array></dict>")
    }

    static func flag(_ key: String, _ type: String, _ more: String = "") -> String {
        "<dict><key>key</key><string>\(key)</string><key>type</key><string>\(type)</string>\(more)</dict>"
    }

    private func replace(_ file: URL, _ root: String) throws {
        try Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(root)</plist>\n".utf8)
            .write(to: file, options: .atomic)
    }
}
