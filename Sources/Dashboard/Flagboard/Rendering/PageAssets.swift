import FlagHistory
import Foundation
import Hummingbird
import NIOCore

/// The style sheets, scripts and icons of the pages, by their names.
///
/// Pages name them by a version, so that a browser may keep them for good, and asks for others as soon as any of them is
/// another.
struct PageAssets: Sendable {
    /// A file as it is sent.
    struct Asset: Sendable {
        let bytes: ByteBuffer
        let mediaType: String
        /// The first 64 bits of a SHA-256 over the content, in hexadecimal.
        let hash: String
    }

    /// The first 64 bits of a SHA-256 over the names and contents of all files, in hexadecimal.
    let version: String
    private let assets: [String: Asset]

    /// The folder of an address that names this version: `/assets/` and the version.
    var path: String { "/assets/\(version)" }

    /// Takes files.
    ///
    /// - Parameter files: The files; those whose ending is none of a style sheet, script or icon, such as the copies that editors keep,
    ///   are left out.
    /// - Throws: ``TemplateError`` where two have one name.
    init(_ files: [PageSources.File]) throws(TemplateError) {
        var assets: [String: Asset] = [:]
        var all = Data()
        for file in files {
            guard let ending = file.name.split(separator: ".").last,
                let type = MediaType.getMediaType(forExtension: String(ending))
            else { continue }
            guard assets[file.name] == nil else { throw .sameName(file.name) }
            let hash = ContentHash.sha256(Data(file.bytes))
            assets[file.name] = Asset(
                bytes: ByteBuffer(bytes: file.bytes), mediaType: type.description, hash: hash.prefix(8).hexadecimal)
            all += ContentHash.sha256(Data(file.name.utf8)) + hash
        }
        self.assets = assets
        version = ContentHash.sha256(all).prefix(8).hexadecimal
    }

    subscript(name: String) -> Asset? { assets[name] }
}

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
