import DurableFiles
import FeatureFlagsXML
import FlagHistory
import Foundation

struct FileReading: Sendable {
    let data: Data
    /// SHA-256 of ``data``.
    let hash: Data
    let signature: AtomicFile.Signature
    /// True if any later change must alter ``signature``.
    let isSettled: Bool

    /// Reads a file, if it exists, sharing unchanged bytes and their hash with `known` readings.
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

    func isHeld(by url: URL) throws(FileAccessError) -> Bool {
        guard let signature = try AtomicFile.signature(of: url), signature.size == data.count else { return false }
        do throws(FileAccessError) {
            return try AtomicFile.readIfThere(url, maximumSize: data.count, known: [data])?.known != nil
        } catch {
            if error.isTooLarge { return false }
            throw error
        }
    }

    func isCurrent(at url: URL) throws(FileAccessError) -> Bool {
        guard isSettled else { return false }
        return try AtomicFile.signature(of: url) == signature
    }
}
