import ArgumentParser
import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import Flagboard
import Foundation

struct GitTextconv: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "textconv",
        abstract: "Print a file for Git diffs, one flag per line. Called by Git.",
        discussion: """
            Lines are sorted by key path, so moving a flag within the file makes no difference. A file that isn't a \
            property list is printed unchanged.
            """)

    @Argument(help: "A values file or manifest.", completion: .file())
    var file: String

    func run() async throws {
        try Git.reporting {
            let contents = try AtomicFile.read(
                URL(filePath: file), maximumSize: PropertyListDocument.largestMaximumSize)
            try CommandOutput.print(part: Self.text(of: contents.data))
        }
    }

    private static func text(of source: Data) -> String {
        do throws(PropertyListError) {
            return try PropertyListDocument(source: source).statements
                .map { "\(ValueWords.text($0.place.text)) = \(ValueWords.line($0.value))\n" }.joined()
        } catch {
            guard let text = String(validating: source, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
                return "\(ValueWords.line(.data(source)))\n\(error.reason)\n"
            }
            return text
        }
    }
}
