import FlagHistory
import Foundation

/// What the style sheets, scripts and icons of the pages are, in one word: pages name them by it, so that a browser may keep
/// them for good, and asks for others as soon as any of them is another.
struct AssetVersion: Sendable {
    /// The first 64 bits of a SHA-256 over the names and contents of all files, in hexadecimal.
    let text: String
    /// What each file was when it was read, by its name.
    private let stamps: [String: FileStamp]

    /// When a file was last written, and its size: what changes with its content.
    private struct FileStamp: Hashable {
        let modified: Date?
        let size: Int?
    }

    /// The folder of an address that names this version: `/assets/` and the version.
    var path: String { "/assets/\(text)" }

    /// Reads the files of a folder.
    ///
    /// - Parameter folder: The folder; what ``PublicFiles`` doesn't serve of it doesn't count.
    /// - Throws: ``AssetError`` where one can't be read.
    init(folder: URL) throws(AssetError) {
        var stamps: [String: FileStamp] = [:]
        var all = Data()
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
            for name in names.filter(PublicFiles.isFileName).sorted() {
                let file = folder.appending(path: name)
                guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
                stamps[name] = try Self.stamp(of: file)
                all += ContentHash.sha256(Data(name.utf8)) + ContentHash.sha256(try Data(contentsOf: file))
            }
        } catch {
            throw AssetError(folder: folder, reason: error.localizedDescription)
        }
        self.stamps = stamps
        text = Data(ContentHash.sha256(all).prefix(8)).hexadecimal
    }

    /// Whether a file is still the one that this version is of: it may be written while the server runs.
    ///
    /// - Parameter file: The file in the folder.
    /// - Returns: `false` also where that can't be told.
    func isCurrent(_ file: URL) -> Bool {
        guard let known = stamps[file.lastPathComponent],
            case .success(let stamp) = Result(catching: { try Self.stamp(of: file) })
        else { return false }
        return stamp == known
    }

    private static func stamp(of file: URL) throws -> FileStamp {
        // A URL keeps what it was once asked for.
        var file = file
        file.removeAllCachedResourceValues()
        let values = try file.resourceValues(forKeys: [.contentModificationDateKey, .fileSizeKey])
        return FileStamp(modified: values.contentModificationDate, size: values.fileSize)
    }
}

/// Why the style sheets and scripts can't be used; the server doesn't start without them.
public struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
    let folder: URL
    let reason: String

    /// The folder, what is wrong, and what to do.
    public var description: String {
        "The style sheets and scripts in \(folder.path(percentEncoded: false)) can't be read: \(reason) "
            + "Make them readable, or put back those that came with Flagboard."
    }
}
