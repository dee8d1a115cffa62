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

    /// While the temporary file is there, the file has not been replaced by it; afterwards its bytes tell.
    private func settle(_ intent: ChangeIntent, _ url: URL) throws {
        let temporary = url.deletingLastPathComponent().appending(path: intent.temporaryName)
        let isStillBeside = FileManager.default.fileExists(atPath: temporary.path(percentEncoded: false))
        let current = try FileReading.read(url)
        switch current?.hash {
        case intent.hashAfter where !isStillBeside:
            try complete(intent)
        case intent.hashBefore:
            try abort(intent, "not done: interrupted before the file was replaced", current)
        case _ where isStillBeside:
            try abort(intent, "not done: interrupted before the file was replaced", current)
        default:
            try abort(intent, "interrupted, and not in the file: what it holds instead was not written here", current)
        }
        if isStillBeside { try FileManager.default.removeItem(at: temporary) }
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
