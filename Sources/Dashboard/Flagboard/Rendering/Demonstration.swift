import Foundation

/// The flags of the demonstration, in `Demo/`, as they were when this was built.
package enum Demonstration {
    package static var values: Data { file("flags.xml") }
    package static var manifest: Data { file("flags.manifest.xml") }

    private static func file(_ path: String) -> Data {
        guard let file = BuiltPages.demo.first(where: { $0.path == path }) else {
            preconditionFailure("\(path) isn't in Demo")
        }
        return file.text.withUTF8Buffer { Data($0) }
    }
}
