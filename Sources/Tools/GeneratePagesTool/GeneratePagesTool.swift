import Foundation

/// Writes the Swift source that the dashboard's pages need.
///
///     GeneratePagesTool embed SOURCE FOLDER...
///     GeneratePagesTool list SOURCE FOLDER
///
/// `embed` puts the text files of folders into the program. `list` lists the stored properties of page parts and JSON
/// documents, by which templates and the API find them.
@main
struct GeneratePagesTool {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        let files = arguments.dropFirst().map { URL(filePath: $0) }
        guard let verb = arguments.first, let source = files.first, files.count > 1 else { usage() }
        do {
            let text =
                switch verb {
                case "embed": try EmbeddedFiles.source(of: Array(files.dropFirst()))
                case "list": try PropertyTables.source(of: files[1])
                default: usage()
                }
            try write(text, to: source)
        } catch {
            fail("\(error)")
        }
    }

    /// Keeps a file with this text, so that nothing is compiled again.
    private static func write(_ text: String, to source: URL) throws {
        let path = source.path(percentEncoded: false)
        if FileManager.default.contents(atPath: path) == Data(text.utf8) { return }
        try Data(text.utf8).write(to: source, options: .atomic)
    }

    private static func usage() -> Never { fail("usage: GeneratePagesTool embed|list SOURCE FOLDER...") }

    private static func fail(_ reason: String) -> Never {
        FileHandle.standardError.write(Data("\(reason)\n".utf8))
        exit(1)
    }
}
