import DurableFiles
import FlagHistory
import Foundation

/// Follows links that change while the files are served.
///
/// Readers see the new files at once. Changes are refused until the files are locked and known to the history, so that
/// differences are recorded as external edits.
extension ServedFiles {
    func follow(to place: FlagFiles) {
        for (known, now) in zip(files.providers, place.providers)
        where known.url != now.url && AtomicFile.look(at: now.url) != nil {
            options.log(
                "\(now.given.path) now points to \(now.path) instead of \(known.path)")
        }
        context.move(to: place)
        watcher.watch(place.watched)
    }

    /// Locks the new places and records the moves; the next look retries failures.
    func claim() throws {
        if let now = files.historyElsewhere { throw Self.isElsewhere(files, now) }
        let files = files.keepingMissing(from: claimed)
        guard files != claimed else { return }
        try files.checkDistinct()
        let held = locks.filter { files.exclusive.contains($0.url) }
        let taken = try ChangeServiceStartError.unlessLocked { () throws(FileAccessError) in
            let taken = try ProcessLock.lacking(held, for: files, options)
            if let holder { for lock in taken { try lock.describe(holder) } }
            try registry?.serve(files.registered(held + taken), log: options.log)
            return taken
        }
        try history.moveHeads(claimed.moves(to: files), patience: Self.patienceOfLook)
        context.setExchanges(files.exchanges(options))
        (locks, claimed) = (held + taken, files)
    }

    private static func isElsewhere(_ files: FlagFiles, _ now: URL) -> ChangeServiceStartError {
        let (open, there) = (files.history.path(percentEncoded: false), now.path(percentEncoded: false))
        let place = files.keepsHistoryBesideValues ? "beside the values" : "at this path"
        return .file(
            open, "a link has changed: the history \(place) is now \(there), but Flagboard still has this one open.",
            remedy:
                "Restart Flagboard to continue with that history. To follow links without a restart, use fixed paths "
                + "for --history and --manifest.")
    }
}

extension FlagFiles {
    fileprivate func moves(to other: FlagFiles) -> [HeadMove] {
        let places = zip(providers, other.providers).map { (FileRole.values, $0.url, $1.url) }
        return (places + [(.manifest, manifest, other.manifest)]).compactMap { role, old, new in
            old == new
                ? nil
                : HeadMove(role: role, from: old.path(percentEncoded: false), to: new.path(percentEncoded: false))
        }
    }
}
