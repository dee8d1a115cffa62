import DurableFiles
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
    let isSettled: Bool

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - maximumSize: The most bytes to read.
    ///   - known: What the file held before: where it holds that still, its bytes are kept and not hashed again.
    /// - Returns: `nil` where there is none.
    static func read(
        _ url: URL, maximumSize: Int = PropertyListDocument.largestMaximumSize, known: [FileReading] = [],
        at now: Date = Date()
    ) throws(FileAccessError) -> FileReading? {
        try AtomicFile.readIfThere(url, maximumSize: maximumSize, known: known.map(\.data), at: now).map { contents in
            FileReading(
                data: contents.data, hash: contents.known.map { known[$0].hash } ?? ContentHash.sha256(contents.data),
                signature: contents.signature, isSettled: contents.isSettled)
        }
    }

    /// Whether a file holds these bytes.
    func isHeld(by url: URL) throws(FileAccessError) -> Bool {
        guard let signature = try AtomicFile.signature(of: url), signature.size == data.count else { return false }
        do throws(FileAccessError) {
            return try AtomicFile.readIfThere(url, maximumSize: data.count, known: [data])?.known != nil
        } catch {
            if error.isTooLarge { return false }
            throw error
        }
    }

    /// Whether the file is still as it was read, by its inode, size and times.
    func isCurrent(at url: URL) throws(FileAccessError) -> Bool {
        guard isSettled else { return false }
        return try AtomicFile.signature(of: url) == signature
    }
}
