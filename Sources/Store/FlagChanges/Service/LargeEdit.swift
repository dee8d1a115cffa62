import DurableFiles
import FlagHistory
import Foundation
import Synchronization

/// An external edit of a large file: while it is recorded, requests get the last state, and changes wait.
final class LargeEdit: Sendable {
    enum Outcome: Sendable {
        case takenUp(Workspace, CatalogueCache)
        case halfWritten(Workspace)
        case refused(WriteBlock)
    }

    let start = ContinuousClock.now
    /// The waiting consumers; `nil` after the end.
    private let waiting = Mutex<[AsyncStream<Never>.Continuation]?>([])

    func end() {
        let waiting = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        for continuation in waiting ?? [] { continuation.finish() }
    }

    var untilEnd: AsyncStream<Never> {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let isOver = waiting.withLock { waiting in
            waiting?.append(continuation)
            return waiting == nil
        }
        if isOver { continuation.finish() }
        return stream
    }

    static let fileProblem = FileProblem(
        "A large external edit is being recorded. Until that is done, pages show the flags from before it, and "
            + "changes wait.", isContentAtFault: false)

    static let refusal = ChangeError(
        .unavailable, "A large external edit is still being recorded.",
        remedy: "Nothing was changed. Try again in a minute.")
}

extension ServedFiles {
    /// The pause after a failed attempt, as a multiple of its time.
    private static let restAfterAttempt = 5

    /// Returns true while a large edit is recorded beside requests, or waits for another attempt.
    func isLeftToLargeEdit() -> Bool {
        guard !options.isObserving, unsettled == nil,
            workspace.isEdited(since: awaited, files, in: options.largestEditAtOnce...)
        else { return false }
        if let largeEditPause, largeEditPause > .now {
            lookAgainSoon()
            return true
        }
        // At new link targets, the locks come first; the look reports why they can't be taken.
        do throws(WriteBlock) {
            try WriteBlock.ifFailing { try claim() }
        } catch {
            return false
        }
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

    nonisolated private func takenUp(
        after previous: Workspace, _ seen: Workspace?, _ cache: CatalogueCache, renewing locks: [ProcessLock]
    ) -> LargeEdit.Outcome {
        var found = Workspace(files, previous: previous, seen: seen)
        found.takeUpApp(options, files, previous: previous)
        if options.halfWrittenPatience > .zero, !found.unsound.isSubset(of: previous.unsound) {
            return .halfWritten(found)
        }
        do throws(WriteBlock) {
            _ = try record(found, after: previous, renewing: locks)
        } catch {
            return .refused(error)
        }
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
            takeUp(found)
            if isLookDue { watcher.tell() }
        case .halfWritten(let found):
            // Already parsed: now wait for it as for any half-written file.
            awaited = found
            watcher.tell()
        case .refused(let block):
            // Don't repeat a slow attempt at once.
            largeEditPause = .now + max(Self.pauseWithoutRequest, (.now - edit.start) * Self.restAfterAttempt)
            noteBlock(block)
            lookAgainSoon()
            tellUpdates()
        }
        edit.end()
    }

    /// Waits for the end, ignoring cancellation, since the leader of the queue waits for others too.
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
                    // Only cancelled because the edit is over.
                    (try? await clock.sleep(for: rest)) == nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? false
            }
        }.value
    }

    var isBehind: Bool { largeEdit.map { .now - $0.start >= options.patienceOfReaders } ?? false }
}

extension Workspace {
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
            // The service's own writes have no known signature: compare the bytes.
            return readings.allSatisfy { $0.data.count != now.size || !$0.isSame(as: url) }
        }
    }
}

extension FileReading {
    /// Returns true for equal bytes or an unreadable file.
    fileprivate func isSame(as url: URL) -> Bool {
        switch Result(catching: { () throws(FileAccessError) in try isHeld(by: url) }) {
        case .success(let isHeld): isHeld
        case .failure: true
        }
    }
}
