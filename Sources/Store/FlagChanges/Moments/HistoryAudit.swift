import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

package enum HistoryAudit: Hashable, Sendable {
    /// Rows, signatures and files agree; `unknown` are new or moved files.
    case sound(HistoryCoverage, unknown: [String])
    /// The row `at` is the first wrong or missing one; `reason` is a sentence.
    case tampered(at: Int64, reason: String)
    /// The rows are consistent, but their proof is missing or altered.
    case unproven(reason: String)
    /// The rows are proven, but searches may miss some.
    case wrongIndex(reason: String)
    /// The history is sound, but a file is no archive of its pruned rows.
    case wrongArchive(reason: String)
    /// These files were edited outside Flagboard.
    case differs(paths: [String])
    /// A change is under way, or was interrupted and is decided at the next start.
    case interrupted(path: String)

    /// Checks a history and its files, and returns the gravest finding.
    ///
    /// `expected` is a head kept elsewhere that must still be part of the chain. `archives` of pruned rows are checked
    /// too.
    package static func run(
        _ files: FlagFiles, expecting expected: ChainHead? = nil, archives: [URL] = []
    ) throws -> HistoryAudit {
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        let history = try HistoryStore(reading: files.history)
        defer { history.close() }
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

    /// Returns true if ``HistoryMaintenance/accept(reason:now:)`` can continue the history: no row was altered.
    package static func canBeAccepted(_ files: FlagFiles) throws(HistoryStoreError) -> Bool {
        let history = try HistoryStore(reading: files.history)
        defer { history.close() }
        if case .broken = try history.verifyChain() { return false }
        return try history.obstacleToAccepting() == nil
    }
}

/// A history opened for reading, even while a server serves its files.
package struct HistoryReading: Sendable {
    package let history: HistoryStore
    /// The keys to hide: everything about internal flags.
    package let hiddenKeys: HiddenKeys

    /// Opens the history; throws if the manifest, which lists the internal flags, is missing or unreadable.
    package init(_ files: FlagFiles, showsInternal: Bool) throws {
        guard try AtomicFile.signature(of: files.history) != nil else { throw HistoryStoreError.missing(files.history) }
        history = try HistoryStore(reading: files.history, names: files.providerNames)
        guard !showsInternal else {
            hiddenKeys = []
            return
        }
        var workspace = Workspace(files)
        if case .failure(let fileProblem) = workspace.manifest.content {
            throw ChangeServiceStartError.manifest(
                files.manifest, fileProblem,
                remedy: "It defines which flags are internal. Fix it, or use --show-internal to read everything")
        }
        try files.checkManifest(history)
        try workspace.rememberInternals(of: history)
        let catalogue = FlagCatalogue(
            manifest: workspace.definitions?.content, snapshots: workspace.snapshots(isReadOnly: true),
            showsInternal: false)
        hiddenKeys = HiddenKeys(
            workspace.hiddenFlags(showsInternal: false), of: workspace.definitions, besides: catalogue)
    }
}
