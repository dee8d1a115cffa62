import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Decides, at start-up, what became of the changes that a crash interrupted.
struct Recovery {
    let files: FlagFiles
    let history: HistoryStore
    let clock: @Sendable () -> Date

    /// Settles the open intents of the files that are served, then removes temporary files that nobody needs any more.
    ///
    /// An intent for another file waits until that one is served again.
    func run() throws {
        for intent in try history.openIntents() {
            let provider = files.providers.first { $0.path == intent.path }
            if let provider, intent.role == .values { try settle(intent, provider.url) }
        }
        for provider in files.providers where provider.isWritable {
            try AtomicFile.removeTemporaries(of: Self.temporaryWriter, beside: provider.url)
        }
    }

    /// What tells the temporary files of this service from those of an app that writes the same file.
    static let temporaryWriter = "flagboard"

    /// What the change displaced tells whether the file was replaced: it lies beside the file until the change is final.
    private func settle(_ intent: ChangeIntent, _ url: URL) throws {
        // A history may be anybody's: no other file must be read, replaced or removed on its word.
        guard AtomicFile.isTemporary(intent.temporaryName, beside: url) else {
            throw ChangeServiceStartError.file(
                history.url.path(percentEncoded: false),
                "the history is damaged: an interrupted change names a temporary file that is none.",
                remedy: "Keep a copy of it, then restore it from a backup, or move it away to begin a new one.")
        }
        let replacement = FileReplacement(
            url: url, temporary: url.deletingLastPathComponent().appending(path: intent.temporaryName), exchanges: true)
        let beside = try FileReading.read(replacement.temporary)
        let current = try FileReading.read(url)
        if beside?.hash == intent.hashAfter {
            try abort(intent, "not done: interrupted before the file was replaced", current)
        } else if let displaced = try beside ?? FileReading.read(replacement.backup) {
            if displaced.hash == intent.hashBefore {
                try complete(intent)
            } else if current?.hash == intent.hashAfter {
                try AtomicFile.restore(beside == nil ? replacement.backup : replacement.temporary, to: url)
                try AtomicFile.synchronizeFolder(of: url)
                try abort(intent, "taken back: somebody else edited the file at the same moment", displaced)
            } else {
                throw ChangeServiceStartError.file(
                    url.path(percentEncoded: false),
                    "two edits of it crossed with a change; one is kept as \(intent.temporaryName) beside it.",
                    remedy: "Move that file elsewhere, compare the two, then start again.")
            }
        } else if current?.hash == intent.hashAfter {
            try complete(intent)
        } else if current?.hash == intent.hashBefore {
            try abort(intent, "not done: interrupted before the file was replaced", current)
        } else {
            try abort(intent, "interrupted, and not in the file: what it holds instead was not written here", current)
        }
        replacement.discard { _ in }
    }

    private func abort(_ intent: ChangeIntent, _ remark: String, _ current: FileReading?) throws {
        let events = intent.events.map { event in
            var event = event
            event.kind = .aborted
            event.at = clock()
            event.reason = mark(event.reason, remark)
            event.fileHashAfter = current?.hash
            return event
        }
        try history.abandon(intent.id, appending: events)
    }

    private func complete(_ intent: ChangeIntent) throws {
        let events = intent.events.map { event in
            var event = event
            event.reason = mark(event.reason, "recovered after an interruption")
            return event
        }
        try history.finish(intent.id, appending: events)
    }

    private func mark(_ reason: String, _ mark: String) -> String {
        reason.isEmpty ? "[\(mark)]" : "\(reason) [\(mark)]"
    }
}
