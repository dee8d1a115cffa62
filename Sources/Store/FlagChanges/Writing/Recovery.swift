import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation

/// Decides interrupted changes: after a crash, or after a failure while the service runs.
struct Recovery {
    let files: FlagFiles
    let history: HistoryStore
    let clock: @Sendable () -> Date
    /// True after a crash, at the start of the service.
    var isStart = true
    var patience: Duration?

    /// Settles the open intents, then removes temporary files.
    ///
    /// Intents for other files wait until those are served.
    func run() throws {
        for intent in try history.openIntents() {
            let places = intent.files.map(url)
            let served = places.compactMap(\.self)
            if served.isEmpty, !intent.files.isEmpty { continue }
            guard served.count == places.count else { throw notServed(intent, places) }
            try check(intent, served)
            try settle(intent, try zip(intent.files, served).map { try InterruptedFile($0, at: $1) })
        }
        if isStart { try history.removeTemporaries() }
        for url in files.written + [files.history] where try AtomicFile.hasFolder(url) {
            try AtomicFile.removeTemporaries(of: FlagFiles.temporaryWriter, beside: url)
        }
    }

    /// Checks names: a history may come from anyone, and must not direct access to other files.
    private func check(_ intent: ChangeIntent, _ places: [URL]) throws(ChangeServiceStartError) {
        for (file, url) in zip(intent.files, places) where !AtomicFile.isTemporary(file.temporaryName, beside: url) {
            throw .file(
                history.url.path(percentEncoded: false),
                "the history is damaged: an interrupted change refers to a file that is not a temporary file.",
                remedy: "Keep a copy of it, then restore it from a backup, or move it away to start a new one.")
        }
    }

    private func url(of file: ChangeIntent.File) -> URL? {
        switch file.role {
        case .values: files.providers.first { $0.path == file.path }?.url
        case .manifest: files.manifest.path(percentEncoded: false) == file.path ? files.manifestTarget : nil
        }
    }

    private func notServed(_ intent: ChangeIntent, _ places: [URL?]) -> ChangeServiceStartError {
        let missing = zip(intent.files, places).filter { $0.1 == nil }.map(\.0.path).joined(separator: ", ")
        let served = zip(intent.files, places).first { $0.1 != nil }?.0.path ?? ""
        return .file(
            served,
            "a change to it was interrupted together with changes to \(missing), which is not being served "
                + "now.",
            remedy: "Start once with all of these files, so that the changes are completed or undone together.")
    }

    /// Completes the changes if every file was replaced, otherwise undoes all of them.
    private func settle(_ intent: ChangeIntent, _ files: [InterruptedFile]) throws {
        if let crossed = files.first(where: { $0.condition == .crossed }) { throw crossed.startError }
        if files.isEmpty {
            try abort(intent, Remark.unanswered.text(isAlone: true, isStart: isStart), [])
        } else if files.allSatisfy({ $0.condition == .replaced }) {
            try complete(intent)
        } else {
            let remarks = try files.map { try $0.putBack() }
            // A folder removed with a link needs no synchronisation.
            for file in files where try AtomicFile.hasFolder(file.url) {
                try AtomicFile.synchronizeFolder(of: file.url)
            }
            let isGone = remarks.contains(.foreign)
            let remark = isGone ? Remark.foreign : remarks.first { $0 != .untouched } ?? .untouched
            try abort(
                intent, remark.text(isAlone: files.count == 1, isStart: isStart), try files.map { try $0.currentHash() }
            )
        }
        for file in files { file.replacement.discard { _ in } }
    }

    enum Remark {
        case untouched
        case putBack
        case edited
        case foreign
        case unanswered

        func text(isAlone: Bool, isStart: Bool) -> String {
            switch (self, isAlone) {
            case (.untouched, _) where !isStart, (.putBack, _) where !isStart:
                "not applied: it failed, and the file was restored"
            case (.untouched, true): "not applied: interrupted before the file was replaced"
            case (.untouched, false), (.putBack, _): "not applied: interrupted before all files were replaced"
            case (.edited, _): "undone: the file was edited by someone else at the same moment"
            case (.unanswered, _): "interrupted before the app responded: see its page for the outcome"
            case (.foreign, _): "interrupted, and not in the file: its content was not written by this change"
            }
        }
    }

    /// Records that changes didn't take place.
    ///
    /// A crash keeps notes requested alone, with their answers. While the service runs, they are dropped, since their
    /// authors got an error and may have repeated them.
    private func abort(_ intent: ChangeIntent, _ remark: String, _ hashes: [Data?]) throws {
        let lost = Set(intent.events.lazy.filter { $0.kind != .note }.map(\.batch))
        let events = intent.events.compactMap { event -> HistoryEvent? in
            guard lost.contains(event.batch) else { return isStart ? event : nil }
            var event = event
            event.kind = .aborted
            event.at = clock()
            event.reason = mark(event.reason, remark)
            event.fileHashAfter = zip(intent.files, hashes).first { isAbout(event, $0.0, intent) }?.1
            return event
        }
        let answers = intent.answers.filter { answer in
            isStart && answer.events.allSatisfy { $0.map { !lost.contains(intent.events[$0].batch) } ?? false }
        }
        try history.abandon(intent.id, appending: events, answers: answers, patience: patience)
    }

    private func isAbout(_ event: HistoryEvent, _ file: ChangeIntent.File, _ intent: ChangeIntent) -> Bool {
        if intent.files.count == 1 { return true }
        guard let name = event.provider else { return file.role == .manifest }
        return file.role == .values && files.providers.first { $0.name == name }?.path == file.path
    }

    private func complete(_ intent: ChangeIntent) throws {
        let events = intent.events.map { event in
            guard event.kind != .note else { return event }
            var event = event
            if isOfApp(event) {
                event.kind = .aborted
                event.reason = mark(event.reason, Remark.unanswered.text(isAlone: true, isStart: isStart))
            } else {
                event.reason = mark(event.reason, "recovered after an interruption")
            }
            return event
        }
        try history.finish(intent.id, appending: events, patience: patience)
    }

    /// Only the app knows whether it took a change.
    private func isOfApp(_ event: HistoryEvent) -> Bool {
        event.provider.map { name in !files.providers.contains { $0.name == name } } ?? false
    }

    private func mark(_ reason: String, _ mark: String) -> String {
        reason.isEmpty ? "[\(mark)]" : "\(reason) [\(mark)]"
    }
}
