import FeatureFlagsXML
import FlagHistory
import Foundation

/// A file as it was when it was last read.
struct FileReading: Sendable {
    /// The bytes.
    let data: Data
    /// SHA-256 of ``data``.
    let hash: Data
    /// What tells, without reading it again, whether the file may have changed.
    let signature: AtomicFile.Signature
    /// Whether any later change must show in ``signature``.
    ///
    /// Times are too coarse to tell two writes within a moment apart, so the file's last change must have been well before
    /// the reading. Its attributes' time counts too: unlike that of its contents, no program can set it back.
    let isSettled: Bool

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - maximumSize: The most bytes to read.
    ///   - now: The time.
    /// - Returns: `nil` where there is none.
    /// - Throws: Where it can't be read.
    static func read(
        _ url: URL, maximumSize: Int = .max, at now: Date = Date()
    ) throws(FileAccessError) -> FileReading? {
        do throws(FileAccessError) {
            let contents = try AtomicFile.read(url, maximumSize: maximumSize)
            let lastChange = max(contents.signature.modified, contents.signature.changed)
            return FileReading(
                data: contents.data, hash: ContentHash.sha256(contents.data), signature: contents.signature,
                isSettled: now.timeIntervalSince1970 - Double(lastChange) / 1e9 > 2)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Whether the file is still as it was read, by its inode, size and times.
    func isCurrent(at url: URL) throws(FileAccessError) -> Bool {
        guard isSettled else { return false }
        return try AtomicFile.signature(of: url) == signature
    }
}
