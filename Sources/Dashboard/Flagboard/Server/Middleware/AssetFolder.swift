import FlagHistory
import Foundation

/// The style sheets, scripts and icons of the pages: files in a folder and in the folders in it, known by their names alone.
///
/// Pages name them by a version, so that a browser may keep them for good, and asks for others as soon as any of them is
/// another.
struct AssetFolder: Sendable {
    /// The first 64 bits of a SHA-256 over the names and contents of all files, in hexadecimal.
    let version: String
    /// Where each file is below the folder, and what it was when it was read, by its name.
    private let files: [String: AssetFile]
    private let folder: URL

    private struct AssetFile {
        let path: String
        let stamp: FileStamp
    }

    /// When a file was last written, and its size: what changes with its content.
    private struct FileStamp: Hashable {
        let modified: Date?
        let size: Int?
    }

    /// The folder of an address that names this version: `/assets/` and the version.
    var path: String { "/assets/\(version)" }

    /// Reads the files of a folder and of those in it, but for folders behind symbolic links.
    ///
    /// - Parameter folder: The folder; what ``PublicFiles`` doesn't serve of it doesn't count.
    /// - Throws: ``AssetError`` where a file can't be read, or where two have one name.
    init(_ folder: URL) throws(AssetError) {
        self.folder = folder.resolvingSymlinksInPath()
        var files: [String: AssetFile] = [:]
        var all = Data()
        do {
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
            {
                let file = folder.appending(path: path)
                let name = file.lastPathComponent
                guard PublicFiles.isFileName(name), try Self.isRegular(file) else { continue }
                if let other = files[name] {
                    throw AssetError(folder: folder, reason: "\(other.path) and \(path) have the same name.")
                }
                files[name] = AssetFile(path: path, stamp: try Self.stamp(of: file))
                all += ContentHash.sha256(Data(name.utf8)) + ContentHash.sha256(try Data(contentsOf: file))
            }
        } catch let error as AssetError {
            throw error
        } catch {
            throw AssetError(folder: folder, reason: error.localizedDescription)
        }
        self.files = files
        version = Data(ContentHash.sha256(all).prefix(8)).hexadecimal
    }

    /// The path of a file below the folder.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: `nil` for a name that no file had, and where the file's place leads out of the folder by now.
    func path(ofFile name: String) -> String? {
        guard let file = files[name] else { return nil }
        let target = folder.appending(path: file.path).resolvingSymlinksInPath()
        return target.pathComponents.starts(with: folder.pathComponents) ? file.path : nil
    }

    /// Whether a file is still the one that this version is of: it may be written while the server runs.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: `false` also where that can't be told.
    func isCurrent(_ name: String) -> Bool {
        guard let known = files[name],
            case .success(let stamp) = Result(catching: { try Self.stamp(of: folder.appending(path: known.path)) })
        else { return false }
        return stamp == known.stamp
    }

    /// Whether a path leads to a regular file, by symbolic links or not.
    private static func isRegular(_ file: URL) throws -> Bool {
        let target = file.resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) else { return false }
        return try target.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
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
        "The style sheets and scripts in \(folder.path(percentEncoded: false)) can't be used: \(reason) "
            + "Make them readable, or put back those that came with Flagboard."
    }
}
