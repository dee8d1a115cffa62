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
    let fingerprint: FileFingerprint

    /// Reads a file that is there; `nil` where none is.
    static func read(_ url: URL) throws(FileAccessError) -> FileReading? {
        do {
            let contents = try AtomicFile.read(url)
            return FileReading(
                data: contents.data, hash: ContentHash.sha256(contents.data), fingerprint: contents.fingerprint)
        } catch where error.isMissing {
            return nil
        }
    }
}
