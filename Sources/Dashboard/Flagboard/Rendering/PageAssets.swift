import FlagHistory
import Foundation
import Hummingbird
import NIOCore

/// The style sheets, scripts and icons of the pages.
///
/// Their versioned path lets browsers keep files for good, and request others once any file changes.
struct PageAssets: Sendable {
    struct Asset: Sendable {
        let bytes: ByteBuffer
        let mediaType: String
        /// The first 64 bits of SHA-256, in hexadecimal.
        let hash: String
    }

    /// The first 32 bits of SHA-256 over all names and contents, in hexadecimal: each icon of a list repeats them.
    let version: String
    private let assets: [String: Asset]

    var path: String { "/assets/\(version)" }

    /// Ignores files without a known ending, such as editors' backups.
    ///
    /// - Parameter styles: The style sheets, without `.css`, that `pages.css` joins in this order: one request for them all.
    /// - Throws: ``TemplateError`` if two files have one name, or a style sheet is missing.
    init(_ files: [PageSources.File], joining styles: [String] = []) throws(TemplateError) {
        var assets: [String: Asset] = [:]
        var all = Data()
        let joined = styles.isEmpty ? [] : [try Self.joined(styles, of: files)]
        for file in files + joined {
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
        version = ContentHash.sha256(all).prefix(4).hexadecimal
    }

    subscript(name: String) -> Asset? { assets[name] }

    private static func joined(
        _ styles: [String], of files: [PageSources.File]
    ) throws(TemplateError) -> PageSources.File {
        var bytes: [UInt8] = []
        for style in styles {
            guard let file = files.first(where: { $0.name == "\(style).css" }) else { throw .noStyle(style) }
            bytes += file.bytes
        }
        return PageSources.File(path: "pages.css", bytes: bytes)
    }
}

/// Templates, style sheets, scripts and icons.
struct PageSources: Sendable {
    struct File: Sendable {
        /// Relative to `Templates/` or `Public/`.
        let path: String
        let bytes: [UInt8]

        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    let templates: [File]
    let assets: [File]
}

extension PageSources {
    static var built: PageSources {
        PageSources(templates: BuiltPages.templates.map(File.init), assets: BuiltPages.public.map(File.init))
    }

    init(_ folder: URL) throws(TemplateError) {
        templates = try Self.files(in: folder.appending(path: "Templates"))
        assets = try Self.files(in: folder.appending(path: "Public"))
    }

    /// Returns the regular files of a folder and its subfolders.
    ///
    /// Hidden files, which editors make, and symbolic links are skipped.
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
