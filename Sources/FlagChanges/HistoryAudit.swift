import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// What a check of a history and of the files that it is about finds.
public enum HistoryAudit: Hashable, Sendable {
    /// Every row follows from the one before, no change is half done, and the files hold what the history says.
    case sound(ChainHead)
    /// The row of the id `at` is the first that is not right, or is missing; `reason` is a sentence.
    case tampered(at: Int64, reason: String)
    /// These files hold something else than the history knows: they were edited from outside, or not by Flagboard alone.
    case differs(paths: [String])
    /// A change of the file at `path` was interrupted, and the next start decides it; or it is under way.
    case interrupted(path: String)

    /// Checks the history of some files; nothing is changed.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - expected: A head that was kept elsewhere, which must still be part of the chain.
    /// - Returns: The gravest finding.
    /// - Throws: ``HistoryStoreError`` or ``FileAccessError`` where the history or a file can't be read.
    public static func run(_ files: FlagFiles, expecting expected: ChainHead? = nil) throws -> HistoryAudit {
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        let history = try HistoryStore(url: files.history)
        if case .broken(let row, let reason) = try history.verifyChain(expecting: expected) {
            return .tampered(at: row, reason: reason)
        }
        if let file = try history.openIntents().first?.files.first { return .interrupted(path: file.path) }
        let values = files.providers.map { (FileRole.values, $0.url) }
        let changed = try (values + [(.manifest, files.manifest)]).filter { role, url in
            guard let known = try history.headHash(of: role, at: url.path(percentEncoded: false)) else { return false }
            return try FileReading.read(url)?.hash != known
        }
        if !changed.isEmpty { return .differs(paths: changed.map { $0.1.path(percentEncoded: false) }) }
        return .sound(try history.chainHead())
    }
}
