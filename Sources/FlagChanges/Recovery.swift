import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Decides, at start-up, what became of the changes that a crash interrupted.
struct Recovery {
    let files: FlagFiles
    let history: HistoryStore
    let clock: @Sendable () -> Date

    /// Settles every open intent, then removes temporary files that nobody needs any more.
    func run() throws {
        for intent in try history.openIntents() { try settle(intent) }
        for provider in files.providers { try AtomicFile.removeTemporaries(of: "flagboard", beside: provider.url) }
    }

    /// While the temporary file is there, the rename has not happened.
    ///
    /// Where it is gone, the file itself tells: it holds the bytes before, or it was replaced (and perhaps edited by
    /// somebody since).
    private func settle(_ intent: ChangeIntent) throws {
        guard let provider = files.providers.first(where: { FileRole.values($0.name).rawValue == intent.file }) else {
            throw FlagValueProblem(
                "an interrupted change of \(intent.path) waits to be settled: serve that file again as it was served then"
            )
        }
        let temporary = provider.url.deletingLastPathComponent().appending(path: intent.temporaryName)
        let isStillBeside = FileManager.default.fileExists(atPath: temporary.path(percentEncoded: false))
        let current = try FileReading.read(provider.url)
        if isStillBeside || current?.hash == intent.hashBefore {
            try abort(intent)
        } else {
            try complete(intent)
        }
    }

    private func abort(_ intent: ChangeIntent) throws {
        let events = intent.events.map { event in
            var event = event
            event.kind = .aborted
            event.at = clock()
            event.reason = mark(event.reason, "not done: interrupted before the file was replaced")
            event.fileHashAfter = event.fileHashBefore
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
