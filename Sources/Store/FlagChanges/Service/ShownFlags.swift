import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import Synchronization

/// The visible flags at one moment, without facts from the history.
package struct ShownFlags: Sendable {
    /// The flags.
    package let catalogue: FlagCatalogue
    /// The keys to hide in the history.
    package let hiddenKeys: HiddenKeys
    /// The version of the files.
    package let version: FilesVersion
    /// The problems of files that reads ask.
    let unreadable: [FileProblem]
    let isStandstill: Bool
    let hasAppProviders: Bool

    /// The version, if the flags depend on nothing else.
    ///
    /// `nil` with unreadable files, blocked changes, or an app's own values.
    package var wholeVersion: FilesVersion? {
        unreadable.isEmpty && !isStandstill && !hasAppProviders ? version : nil
    }

    /// The refusal to use if no flag is known because a file can't be read.
    package var ignorance: ChangeError? {
        guard catalogue.entries.isEmpty, let fileProblem = unreadable.first else { return nil }
        return ChangeError(
            .unavailable, "The list of flags is not known while a file can't be read. \(fileProblem.description)",
            remedy: "Ask again as soon as that file can be read.")
    }

    /// The version, like ``wholeVersion`` but with the last values of unreadable values files.
    var versionInForce: FilesVersion? {
        unreadable.allSatisfy { $0.provider != nil } && !isStandstill && !hasAppProviders ? version : nil
    }

    /// Returns the refusal for a missing flag, which may be in an unreadable file.
    package func absence(of key: FlagKeyPath) -> ChangeError { .absence(of: key, unreadable: unreadable) }
}

extension ChangeService {
    /// Returns the visible flags of the current files.
    ///
    /// - Throws: ``ChangeError`` if the history is damaged.
    package func shownFlags() async throws(ChangeError) -> ShownFlags { try await reader.shownFlags() }
}

/// The facts to show at one moment.
package struct FlagOverview: Sendable {
    /// The visible flags.
    package let flags: ShownFlags
    /// The obstacles to changes.
    package let fileProblems: [FileProblem]
    /// The reason why the last change couldn't be stored; `nil` once changes can be stored.
    package let saveProblem: FileProblem?
    /// The last history row included in the flags; `nil` if the history can't be read.
    package let lastRow: Int64?
    /// The flags that wait for a restart of the app.
    package let pendingRestart: PendingRestart
    /// The overridden flags unchanged for at least 180 days, with the time of the last change.
    ///
    /// The time is `nil` if it precedes the history.
    package let unchanged: [FlagKeyPath: Date?]
    /// The files with hard links, whose other names keep the old content at the next change.
    package let linkedFiles: [URL]
    /// The merge conflicts of visible flags.
    package let conflicts: [FileConflict]
    let files: CatalogueCache.State?

    /// The visible flags.
    package var catalogue: FlagCatalogue { flags.catalogue }
    /// The version of the files.
    package var version: FilesVersion { flags.version }
    /// The keys to hide in the history.
    package var hiddenKeys: HiddenKeys { flags.hiddenKeys }
}

/// The flags of the last look, for frequent readers.
///
/// Valid while no signature changed, and 100 ms at most, so that locks and history are checked too.
final class RecentFlags: Sendable {
    private struct Known {
        let flags: ShownFlags
        let marks: [FileMark]
        let end: ContinuousClock.Instant
    }

    static let lifetime = Duration.milliseconds(100)

    private let last = Mutex<Known?>(nil)

    var flags: ShownFlags? {
        guard let known = last.withLock(\.self), known.end > .now, known.marks.allSatisfy(\.isInPlace) else {
            return nil
        }
        return known.flags
    }

    func keep(_ flags: ShownFlags, of workspace: Workspace, since start: ContinuousClock.Instant) {
        let marks = flags.wholeVersion == nil ? nil : FileMark.all(of: workspace)
        last.withLock { $0 = marks.map { Known(flags: flags, marks: $0, end: start + Self.lifetime) } }
    }

    func forget() { last.withLock { $0 = nil } }
}

/// A file's signature, which any later change alters.
private struct FileMark {
    let path: String
    /// The signature; `nil` if there is no file.
    let signature: AtomicFile.Signature?

    var isInPlace: Bool { AtomicFile.look(atPath: path) == signature }

    /// Returns all marks; `nil` if a file changed so recently that its signature may miss the next change.
    static func all(of workspace: Workspace) -> [FileMark]? {
        let files = workspace.values.map { ($0.provider.url, $0.reading) }
        var marks: [FileMark] = []
        for (url, reading) in files + [(workspace.manifest.url, workspace.manifest.reading)] {
            if reading?.isSettled == false { return nil }
            marks.append(FileMark(path: url.path, signature: reading?.signature))
        }
        return marks
    }
}
