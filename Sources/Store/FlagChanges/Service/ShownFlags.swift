import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import Synchronization

/// The visible flags at one moment, without facts from the history.
package struct ShownFlags: Sendable {
    package let catalogue: FlagCatalogue
    package let hiddenKeys: HiddenKeys
    package let version: FilesVersion
    package let environments: EnvironmentCheck
    /// Problems of files that reads ask.
    let unreadable: [FileProblem]
    let isStandstill: Bool
    /// A number that differs when running apps hold something else; `nil` without such providers.
    package let appsMark: Int?
    /// True if a read asks a running app's providers.
    let asksApp: Bool

    /// The version, if it alone determines what reads return.
    ///
    /// `nil` with unreadable files, blocked changes, or values of the app that reads ask for.
    package var wholeVersion: FilesVersion? {
        unreadable.isEmpty && !isStandstill && !asksApp ? version : nil
    }

    /// The version, if it alone determines every provider's values.
    package var versionOfAllValues: FilesVersion? { appsMark == nil ? wholeVersion : nil }

    /// The refusal if an unreadable file leaves no flag known.
    package var ignorance: ChangeError? {
        guard catalogue.entries.isEmpty, let fileProblem = unreadable.first else { return nil }
        return ChangeError(
            .unavailable, "The list of flags is unavailable because a file can't be read. \(fileProblem.description)",
            remedy: "Try again when the file can be read.")
    }

    /// The version, like ``wholeVersion`` but with the last values of unreadable values files.
    var versionInForce: FilesVersion? {
        unreadable.allSatisfy { $0.provider != nil } && !isStandstill && !asksApp ? version : nil
    }

    /// True if every change of a value is refused because files can't be read: the manifest, or all that could change.
    var isChangeless: Bool {
        let writable = catalogue.providers.filter(\.isWritable)
        return unreadable.contains { $0.provider == nil }
            || (!writable.isEmpty && writable.allSatisfy { $0.problem != nil })
    }

    package func absence(of key: FlagKeyPath) -> ChangeError { .absence(of: key, unreadable: unreadable) }
}

extension ChangeService {
    package func shownFlags() async throws(ChangeError) -> ShownFlags { try await reader.shownFlags() }
}

package struct FlagOverview: Sendable {
    package let flags: ShownFlags
    package let fileProblems: [FileProblem]
    /// The reason why the last change couldn't be stored; `nil` once changes can be.
    package let saveProblem: FileProblem?
    /// The last history row in the flags; `nil` if the history is unreadable.
    package let lastRow: Int64?
    package let pendingRestart: PendingRestart
    /// Overridden flags unchanged for at least 180 days, with the last change's time.
    ///
    /// The time is `nil` if it precedes the history.
    package let unchanged: [FlagKeyPath: Date?]
    /// The files with hard links, whose other names keep the old content at the next change.
    package let linkedFiles: [URL]
    package let conflicts: [FileConflict]
    let files: CatalogueCache.State?

    package var catalogue: FlagCatalogue { flags.catalogue }
    package var version: FilesVersion { flags.version }
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
