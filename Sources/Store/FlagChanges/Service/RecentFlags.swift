import DurableFiles
import Foundation
import Synchronization

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
