import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// What a check of a history and of the files that it is about finds.
public enum HistoryAudit: Hashable, Sendable {
    /// Every row follows from the one before, the signatures hold, no change is half done, and the files hold what the
    /// history says; `unknown` are the paths of files that it knows nothing of, since it was moved or they are new.
    case sound(HistoryCoverage, unknown: [String])
    /// The row of the id `at` is the first that is not right, or is missing; `reason` is a sentence.
    case tampered(at: Int64, reason: String)
    /// The rows follow from one another, but what proves that none was cut off or rewritten is gone or altered; `reason` is
    /// a sentence.
    case unproven(reason: String)
    /// The rows are proven, but what they are found by is not what they say, so that a search or a time may leave some out;
    /// `reason` is a sentence.
    case wrongIndex(reason: String)
    /// The history itself is as it should be, but a file that was named is no archive of its pruned rows, or was altered;
    /// `reason` is a sentence.
    case wrongArchive(reason: String)
    /// These files hold something else than the history knows: they were edited from outside, or not by Flagboard alone.
    case differs(paths: [String])
    /// A change of the file at `path` was interrupted, and the next start decides it; or it is under way.
    case interrupted(path: String)

    /// Checks the history of some files; nothing is changed.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - expected: A head that was kept elsewhere, which must still be part of the chain.
    ///   - archives: Files that pruned rows were moved to, to be checked too.
    /// - Returns: The gravest finding.
    /// - Throws: ``HistoryStoreError`` or ``FileAccessError`` where the history or a file can't be read.
    public static func run(
        _ files: FlagFiles, expecting expected: ChainHead? = nil, archives: [URL] = []
    ) throws -> HistoryAudit {
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        let history = try HistoryStore(reading: files.history)
        let coverage: HistoryCoverage
        switch try history.verify(expecting: expected, archives: archives) {
        case .sound(let found): coverage = found
        case .broken(let row, let reason): return .tampered(at: row, reason: reason)
        case .unproven(let reason): return .unproven(reason: reason)
        case .wrongIndex(_, let reason): return .wrongIndex(reason: reason)
        case .wrongArchive(let reason): return .wrongArchive(reason: reason)
        }
        if let file = try history.openIntents().first?.files.first { return .interrupted(path: file.path) }
        var (changed, unknown): ([String], [String]) = ([], [])
        for (role, url) in files.providers.map({ (FileRole.values, $0.url) }) + [(.manifest, files.manifest)] {
            let path = url.path(percentEncoded: false)
            let held = try FileReading.read(url)?.hash
            guard let known = try history.headHash(of: role, at: path) else {
                if held != nil { unknown.append(path) }
                continue
            }
            if held != known { changed.append(path) }
        }
        return changed.isEmpty ? .sound(coverage, unknown: unknown) : .differs(paths: changed)
    }

    /// Whether a history that is not as it was signed can be gone on with (``HistoryMaintenance/accept(reason:now:)``): no row of
    /// it was altered.
    ///
    /// - Parameter files: The files.
    /// - Returns: Whether it can.
    /// - Throws: ``HistoryStoreError`` where the history can't be read.
    public static func canBeAccepted(_ files: FlagFiles) throws(HistoryStoreError) -> Bool {
        let history = try HistoryStore(reading: files.history)
        defer { history.close() }
        if case .broken = try history.verifyChain() { return false }
        return true
    }
}

/// A history to be read without serving its files, by itself or beside a server that does.
public struct HistoryReading: Sendable {
    /// The history; nothing can be written to it.
    public let history: HistoryStore
    /// What must not appear: everything about the internal flags.
    public let hiddenKeys: HiddenKeys

    /// Opens the history.
    ///
    /// - Parameters:
    ///   - files: The files that it is about.
    ///   - showsInternal: Whether internal flags may be seen.
    /// - Throws: ``HistoryStoreError`` where it can't be used; ``ChangeServiceStartError`` where the manifest, which says
    ///   what is internal, can't be read or is gone.
    public init(_ files: FlagFiles, showsInternal: Bool) throws {
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        history = try HistoryStore(reading: files.history)
        guard !showsInternal else {
            hiddenKeys = []
            return
        }
        var workspace = Workspace(files)
        if case .failure(let fileProblem) = workspace.manifest.content {
            throw ChangeServiceStartError.manifest(
                files.manifest, fileProblem,
                remedy: "It says which flags are internal: correct it, or read everything with --show-internal")
        }
        try files.checkManifest(history)
        try workspace.rememberInternals(of: history)
        let catalogue = FlagCatalogue(
            manifest: workspace.definitions?.content, snapshots: workspace.snapshots(isReadOnly: true),
            showsInternal: false)
        hiddenKeys = HiddenKeys(workspace.hiddenFlags(showsInternal: false), besides: catalogue)
    }
}
