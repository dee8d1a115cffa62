import DurableFiles
import FlagHistory
import Foundation
import Synchronization

/// An edit by another program of a file so large that reading and recording it takes long: requests get the last state
/// meanwhile, and changes wait.
final class LargeEdit: Sendable {
    /// The outcome of an edit.
    enum Outcome: Sendable {
        /// It is recorded, and these are the files and their flags.
        case takenUp(Workspace, CatalogueCache)
        /// A file may be half written.
        case halfWritten(Workspace)
        /// It can't be recorded now.
        case refused(WriteBlock)
    }

    /// When it was noticed.
    let start = ContinuousClock.now
    /// Those who wait for its end; `nil` once it has come.
    private let waiting = Mutex<[AsyncStream<Never>.Continuation]?>([])

    /// Ends with the edit.
    func end() {
        let waiting = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        for continuation in waiting ?? [] { continuation.finish() }
    }

    /// A sequence without elements that ends when the edit is taken up, or the task is cancelled.
    var untilEnd: AsyncStream<Never> {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let isOver = waiting.withLock { waiting in
            waiting?.append(continuation)
            return waiting == nil
        }
        if isOver { continuation.finish() }
        return stream
    }

    /// The notice on pages that show the state from before the edit.
    static let fileProblem = FileProblem(
        "Another program made a large edit, which is being recorded. Until then, pages show the flags from before it, and changes "
            + "wait.", isContentAtFault: false)

    /// The refusal of a change whose patience has run out.
    static let refusal = ChangeError(
        .unavailable, "A large edit by another program is still being recorded.",
        remedy: "Nothing was changed. Try again in a minute.")
}

extension ServedFiles {
    /// How many times as long as an attempt to record a large edit took nothing is tried where it failed.
    private static let restAfterAttempt = 5

    /// Whether another program's large edit is taken up beside the requests; begins with that where there is one.
    ///
    /// One that can't be recorded is tried again a little later, and the last state stands until then.
    func isLeftToLargeEdit() -> Bool {
        guard !options.isObserving, unsettled == nil,
            workspace.isEdited(since: awaited, files, in: options.largestEditAtOnce...)
        else { return false }
        if let largeEditPause, largeEditPause > .now {
            lookAgainSoon()
            return true
        }
        // Where links lead elsewhere, the locks there come first; why they can't be had is noted by the look.
        guard WriteBlock.met({ try claim() }) == nil else { return false }
        let edit = LargeEdit()
        largeEdit = edit
        holdStill()
        let (previous, seen, cache, locks) = (workspace, awaited, catalogueCache, locks)
        Task {
            let outcome = await context.onDisk { [self] in takenUp(after: previous, seen, cache, renewing: locks) }
            end(edit, outcome)
        }
        return true
    }

    /// Reads the files, records what is other than before, and works the flags out.
    nonisolated private func takenUp(
        after previous: Workspace, _ seen: Workspace?, _ cache: CatalogueCache, renewing locks: [ProcessLock]
    ) -> LargeEdit.Outcome {
        var found = Workspace(files, previous: previous, seen: seen)
        found.takeUpApp(options)
        if options.halfWrittenPatience > .zero, !found.unsound.isSubset(of: previous.unsound) {
            return .halfWritten(found)
        }
        if let block = record(found, after: previous, renewing: locks) { return .refused(block) }
        var cache = cache
        _ = cache.shown(of: found, isReadOnly: options.showsReadOnly, options)
        return .takenUp(found, cache)
    }

    private func end(_ edit: LargeEdit, _ outcome: LargeEdit.Outcome) {
        let isLookDue = isLookDue
        letGo()
        (largeEdit, largeEditPause) = (nil, nil)
        switch outcome {
        case .takenUp(let found, let cache):
            (awaited, catalogueCache) = (nil, cache)
            takeUp(found, nil)
            if isLookDue { watcher.tell() }
        case .halfWritten(let found):
            // What is read is not parsed again: it is waited for like any other file.
            awaited = found
            watcher.tell()
        case .refused(let block):
            // What takes long in vain is not tried all the time.
            largeEditPause = .now + max(Self.pauseWithoutRequest, (.now - edit.start) * Self.restAfterAttempt)
            noteBlock(block)
            lookAgainSoon()
            tellUpdates()
        }
        edit.end()
    }

    /// Waits for the end of a large edit.
    ///
    /// Who leads the queue of changes waits for others too, so it waits even where its own task is cancelled.
    func isOver(_ edit: LargeEdit, until end: ContinuousClock.Instant) async -> Bool {
        let (clock, rest) = (options.waitingClock, end - .now)
        guard rest > .zero else { return false }
        return await Task {
            await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for await _ in edit.untilEnd {}
                    return true
                }
                group.addTask {
                    // It is only ever cancelled because the edit is over.
                    (try? await clock.sleep(for: rest)) == nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? false
            }
        }.value
    }

    /// Whether readers are shown the state before a large edit.
    var isBehind: Bool { largeEdit.map { .now - $0.start >= options.patienceOfReaders } ?? false }
}

extension Workspace {
    /// Whether a file of some size holds something else than was read of it.
    fileprivate func isEdited(since seen: Workspace?, _ files: FlagFiles, in sizes: PartialRangeFrom<Int>) -> Bool {
        let known = zip(values.indices, files.providers).map { place, provider in
            (provider.url, [values[place].reading, seen?.values[place].reading])
        }
        return (known + [(files.manifest, [manifest.reading, seen?.manifest.reading])]).contains { url, readings in
            let readings = readings.compactMap(\.self)
            guard let now = AtomicFile.look(at: url), now.kind == .regular, now.size <= files.maximumFileSize,
                sizes.contains(max(now.size, readings.first?.data.count ?? 0)),
                !readings.contains(where: { $0.signature == now })
            else { return false }
            // What this service has written itself is known by its bytes alone.
            return readings.allSatisfy { $0.data.count != now.size || !$0.isSame(as: url) }
        }
    }
}

extension FileReading {
    /// Whether a file holds these bytes; a file that can't be read is no reason to say that it doesn't.
    fileprivate func isSame(as url: URL) -> Bool {
        switch Result(catching: { () throws(FileAccessError) in try isHeld(by: url) }) {
        case .success(let isHeld): isHeld
        case .failure: true
        }
    }
}
