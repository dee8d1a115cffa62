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

    /// Reads a file that is there; `nil` where none is.
    static func read(_ url: URL) throws(FileAccessError) -> FileReading? {
        do throws(FileAccessError) {
            let contents = try AtomicFile.read(url)
            return FileReading(
                data: contents.data, hash: ContentHash.sha256(contents.data), signature: contents.signature)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Whether the file is still as it was read, by its inode, size and times.
    ///
    /// Times are too coarse to tell two writes within a moment apart, so a file changed less than two seconds ago never
    /// counts as current.
    func isCurrent(at url: URL) throws(FileAccessError) -> Bool {
        let age = Date().timeIntervalSince1970 - Double(signature.modified) / 1e9
        guard age > 2 else { return false }
        return try AtomicFile.signature(of: url) == signature
    }
}
