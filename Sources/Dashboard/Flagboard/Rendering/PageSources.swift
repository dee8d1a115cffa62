import Foundation

/// The files that pages are made of: templates, and the style sheets, scripts and icons that these name.
struct PageSources: Sendable {
    /// A file, known by its name alone, in whichever folder it is.
    struct File: Sendable {
        /// Where it is below `Templates/` or `Public/`.
        let path: String
        let bytes: [UInt8]

        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    let templates: [File]
    let assets: [File]
}

extension PageSources {
    /// The files inside the program.
    static var built: PageSources {
        PageSources(templates: BuiltPages.templates.map(File.init), assets: BuiltPages.public.map(File.init))
    }

    /// Reads the files of a folder.
    ///
    /// - Throws: ``TemplateError`` where one can't be read.
    init(_ folder: URL) throws(TemplateError) {
        templates = try Self.files(in: folder.appending(path: "Templates"))
        assets = try Self.files(in: folder.appending(path: "Public"))
    }

    /// Returns the regular files of a folder and its subfolders.
    ///
    /// Hidden files, which editors make, and symbolic links are left out.
    static func files(in folder: URL) throws(TemplateError) -> [File] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
                .compactMap { path in
                    let file = folder.appending(path: path)
                    guard !file.lastPathComponent.hasPrefix("."),
                        try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
                    else { return nil }
                    return File(path: path, bytes: Array(try Data(contentsOf: file)))
                }
        } catch {
            throw .unreadable(folder, reason: error.localizedDescription)
        }
    }
}

extension PageSources.File {
    fileprivate init(_ built: (path: String, text: StaticString)) {
        self.init(path: built.path, bytes: built.text.withUTF8Buffer(Array.init))
    }
}
