import DurableFiles
import FeatureFlagsXML
import FlagCode
import Foundation

/// The tool of the plugin `GenerateFlags`: `GenerateFlagsTool MANIFEST SOURCE` writes Swift source.
@main
enum GenerateFlagsTool {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let manifest = arguments.first, let source = arguments.last, arguments.count == 2 else {
            fail("GenerateFlagsTool takes a manifest, and the Swift file to write")
        }
        do {
            try generate(source, of: URL(filePath: manifest))
        } catch {
            fail("\(manifest): error: \(error)")
        }
    }

    private static func generate(_ path: String, of manifest: URL) throws {
        let name = SwiftNames.collection(ofFile: manifest.lastPathComponent)
        guard SwiftNames.isTypeName(name) else {
            fail("\(manifest.path): error: the file's name makes \(name), which is no name of a Swift type; rename it")
        }
        let size = PropertyListDocument.largestMaximumSize
        let contents = try AtomicFile.read(AtomicFile.target(of: manifest), maximumSize: size)
        // A build's output must not depend on the day.
        let source = SwiftSource(
            try FlagManifest(source: contents.data, maximumSize: size), typeName: name, access: "internal", date: nil,
            remark: "Made by the plugin GenerateFlags from \(manifest.lastPathComponent): change that.")
        for note in source.notes { say("\(manifest.path): warning: \(note)") }
        let file = try FileDraft(of: URL(filePath: path))
        try file.write(Data(source.text.utf8))
        _ = try file.install(replacing: true)
    }

    private static func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    private static func fail(_ text: String) -> Never {
        say(text)
        exit(1)
    }
}
