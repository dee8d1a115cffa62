import FlagHistory
import Foundation

/// What the style sheets, scripts and icons of the pages are, in one word: pages name them by it, so that a browser may keep
/// them for good, and asks for others as soon as any of them is another.
struct AssetVersion: Hashable, Sendable {
    /// The first 64 bits of a SHA-256 over the names and contents of all files, in hexadecimal.
    let text: String

    /// The folder of an address that names this version: `/assets/` and the version.
    var path: String { "/assets/\(text)" }

    /// Reads the files of a folder.
    ///
    /// - Parameter folder: The folder; what lies in folders in it does not count, as it isn't served.
    /// - Throws: Which file can't be read.
    init(folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey]
        )
        .filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
        .sorted { $0.lastPathComponent.utf8.lexicographicallyPrecedes($1.lastPathComponent.utf8) }
        let hashes = try files.map { file in
            ContentHash.sha256(Data(file.lastPathComponent.utf8)) + ContentHash.sha256(try Data(contentsOf: file))
        }
        text = Data(ContentHash.sha256(hashes.reduce(Data(), +)).prefix(8)).hexadecimal
    }
}
