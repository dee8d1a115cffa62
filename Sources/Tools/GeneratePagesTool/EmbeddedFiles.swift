import Foundation

/// A list of paths and texts for each folder.
enum EmbeddedFiles {
    static func source(of folders: [URL]) throws -> String {
        let lists = try folders.map(list)
        return "/// The files that the pages are made of, as they were when this was built.\n"
            + "enum BuiltPages {\n\(lists.joined())}\n"
    }

    private static func list(_ folder: URL) throws -> String {
        let path = folder.path(percentEncoded: false)
        let files = try FileManager.default.subpathsOfDirectory(atPath: path).sorted().filter {
            try isPageFile($0, in: folder)
        }
        let entries = try files.map { file in
            "        (\(literal(file)), \(literal(try text(of: folder.appending(path: file))))),\n"
        }
        let name = folder.lastPathComponent.lowercased()
        return "    static let `\(name)`: [(path: String, text: StaticString)] = [\n\(entries.joined())    ]\n"
    }

    /// Regular and not hidden: editors make hidden files.
    private static func isPageFile(_ file: String, in folder: URL) throws -> Bool {
        let url = folder.appending(path: file)
        return try !url.lastPathComponent.hasPrefix(".")
            && url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
    }

    private static func text(of file: URL) throws -> String {
        guard let text = String(data: try Data(contentsOf: file), encoding: .utf8) else {
            throw CocoaError(.fileReadInapplicableStringEncoding, userInfo: [NSFilePathErrorKey: file.path])
        }
        return text
    }

    /// Returns a literal of one line, with all but printable ASCII escaped.
    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            case " "..."~": literal.unicodeScalars.append(scalar)
            default: literal += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return literal + "\""
    }
}
