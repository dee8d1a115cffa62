import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import Synchronization

/// The flags that may be seen, at one moment: what the files tell, without what the history remembers.
public struct ShownFlags: Sendable {
    /// The flags.
    public let catalogue: FlagCatalogue
    /// What must not appear in the history.
    public let hiddenKeys: HiddenKeys
    /// What the files held.
    public let version: FilesVersion
    /// Why files can't be read that a read asks, one for each.
    let unreadable: [FileProblem]
    /// Whether nothing can be changed for now.
    let isStandstill: Bool
    /// Whether providers of the app count too, whose values are in none of the files.
    let hasAppProviders: Bool

    /// What the files held, where the flags follow from that alone; `nil` where a file can't be read, so that what was read of
    /// it before counts too, where nothing can be changed for now, and where providers of the app count too.
    public var wholeVersion: FilesVersion? {
        unreadable.isEmpty && !isStandstill && !hasAppProviders ? version : nil
    }

    /// Why no flag is known; `nil` where any is, and where there are none though all files can be read.
    public var ignorance: ChangeError? {
        guard catalogue.entries.isEmpty, let fileProblem = unreadable.first else { return nil }
        return ChangeError(
            .unavailable, "The list of flags is not known while a file can't be read. \(fileProblem.description)",
            remedy: "Ask again as soon as that file can be read.")
    }

    /// What the files held, or last held, where the values in force follow from that alone; `nil` where the definitions can't be read,
    /// where nothing can be changed for now, and where providers of the app count too.
    var versionInForce: FilesVersion? {
        unreadable.allSatisfy { $0.provider != nil } && !isStandstill && !hasAppProviders ? version : nil
    }

    /// Why there is no flag to show: there is none, or a file in which it may stand can't be read.
    ///
    /// - Parameter key: A key path that ``catalogue`` has no flag of.
    /// - Returns: The refusal of what was asked for.
    public func absence(of key: FlagKeyPath) -> ChangeError { .absence(of: key, unreadable: unreadable) }
}

extension ChangeService {
    /// The flags that may be seen, as the files are now.
    ///
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func shownFlags() async throws(ChangeError) -> ShownFlags { try await reader.shownFlags() }
}

/// What there is to show, at one moment.
public struct FlagOverview: Sendable {
    /// The flags that may be seen.
    public let flags: ShownFlags
    /// Why nothing can be changed now; empty where changes are welcome.
    public let fileProblems: [FileProblem]
    /// Why the last change that was asked for could not be stored; `nil` once one can be.
    public let saveProblem: FileProblem?
    /// The last row of the history that the flags are told with, so that later ones can be asked for; `nil` where the
    /// history can't be read.
    public let lastRow: Int64?
    /// What waits for a restart of the app.
    public let pendingRestart: PendingRestart
    /// The overridden flags that have not been changed for 180 days or more, with the time of the last change.
    ///
    /// The time is `nil` where it was before the history began. There are none where the history does not reach back that
    /// far.
    public let unchanged: [FlagKeyPath: Date?]
    /// The files that have other names (hard links), which the next change will part from them: what is read by another
    /// name stays as it was.
    public let linkedFiles: [URL]
    /// The conflicts that merges left in the files, of flags that may be seen.
    public let conflicts: [FileConflict]
    /// What the flags follow from; `nil` where that can't be told.
    let files: CatalogueCache.State?

    /// The flags that may be seen.
    public var catalogue: FlagCatalogue { flags.catalogue }
    /// What the files held.
    public var version: FilesVersion { flags.version }
    /// What must not appear in the history.
    public var hiddenKeys: HiddenKeys { flags.hiddenKeys }
}

/// The flags of the last look at the files, for readers who ask more often than files change.
///
/// They stand for as long as no file can have changed, by the same marks by which a look tells whether to read a file again;
/// what else a look minds, such as the locks and the history, it goes on to mind several times a second.
final class RecentFlags: Sendable {
    private struct Known {
        let flags: ShownFlags
        let marks: [FileMark]
        let end: ContinuousClock.Instant
    }

    /// How long flags stand without another look.
    static let lifetime = Duration.milliseconds(100)

    private let last = Mutex<Known?>(nil)

    /// The flags of the last look; `nil` where a file may have changed since, or too long has passed.
    var flags: ShownFlags? {
        guard let known = last.withLock(\.self), known.end > .now, known.marks.allSatisfy(\.isInPlace) else {
            return nil
        }
        return known.flags
    }

    /// Keeps the flags of a look.
    func keep(_ flags: ShownFlags, of workspace: Workspace, since start: ContinuousClock.Instant) {
        let marks = flags.wholeVersion == nil ? nil : FileMark.all(of: workspace)
        last.withLock { $0 = marks.map { Known(flags: flags, marks: $0, end: start + Self.lifetime) } }
    }

    /// Has the next reader look at the files.
    func forget() { last.withLock { $0 = nil } }
}

/// A file as it was read, any later change of which must show.
private struct FileMark {
    let path: String
    /// `nil` where there is no file.
    let signature: AtomicFile.Signature?

    /// Whether the file is still as it was.
    var isInPlace: Bool { AtomicFile.look(atPath: path) == signature }

    /// The marks of all files; `nil` where one of them changed so lately that the next change need not show.
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
