import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// Follows a stream of events until its task is cancelled, and reopens one that breaks or falls silent.
final class RemoteStream: Sendable {
    /// A stream without data for three heartbeats counts as dead.
    static let heartbeat = Duration.seconds(15)
    private static let missedHeartbeats = 3

    private struct Course: Sendable {
        var reader = EventStreamReader()
        var pieces = 0
        var heartbeats = 0
        var isOpen = false
    }

    private let address: RemoteAddress
    private let follower: RemoteFollower
    private let course = Mutex(Course())

    init(address: RemoteAddress, follower: RemoteFollower) {
        (self.address, self.follower) = (address, follower)
    }

    func follow() async {
        let plan = follower.plan
        var backoff = plan.backoff
        while !Task.isCancelled {
            course.withLock { course in
                course = Course(reader: EventStreamReader(after: course.reader.lastEventID))
            }
            let problem = await connect()
            let course = course.withLock { $0 }
            guard !Task.isCancelled else { return }
            if course.isOpen { follower.note(isStreaming: false, by: self) }
            // A stream may end at times; only a failure to reopen it is a problem.
            if let problem { follower.values.report(problem, of: .stream) }
            // A status of 204 ends the stream for good (HTML, 9.2.3).
            if problem?.status == 204 { return }
            if course.isOpen, Self.heartbeat * course.heartbeats >= backoff.limit { backoff.reset() }
            do {
                try await plan.clock.sleep(for: backoff.next(askedFor: problem?.askedFor ?? course.reader.retry))
            } catch {
                return
            }
        }
    }

    /// Reads the stream until it ends or falls silent, and returns an error if it could not be opened.
    private func connect() async -> RemoteError? {
        await withTaskGroup(of: RemoteError?.self) { group in
            defer { group.cancelAll() }
            group.addTask { await self.read() }
            group.addTask { await self.watch() }
            return await group.next() ?? nil
        }
    }

    private func read() async -> RemoteError? {
        do {
            let pieces = try await follower.client.stream(address, after: course.withLock(\.reader.lastEventID))
            course.withLock { $0.isOpen = true }
            // Changes may have been made before the stream was open.
            follower.note(isStreaming: true, by: self)
            for try await piece in pieces {
                let events: [EventStreamReader.Event]
                do throws(RemoteError) {
                    events = try course.withLock { (course) throws(RemoteError) in
                        course.pieces += 1
                        return try course.reader.events(in: piece.readableBytesView)
                    }
                } catch {
                    return .unusable(address, "is not a usable event stream: \(error)")
                }
                guard !events.isEmpty else { continue }
                follower.values.report(nil, of: .stream)
                follower.askSoon()
            }
            return nil
        } catch let error as RemoteError {
            return error
        } catch {
            // It was open, and broke off.
            return nil
        }
    }

    private func watch() async -> RemoteError? {
        var (silence, seen) = (0, 0)
        while silence < Self.missedHeartbeats {
            do { try await follower.plan.clock.sleep(for: Self.heartbeat) } catch { return nil }
            let course = course.withLock { course in
                course.heartbeats += 1
                return course
            }
            silence = course.pieces == seen ? silence + 1 : 0
            seen = course.pieces
            if silence == 0 { follower.values.report(nil, of: .stream) }
        }
        // Some servers send nothing without a change: a stream that can be reopened is healthy.
        if course.withLock(\.isOpen) { return nil }
        return .lost(address, "has sent nothing for \(Self.heartbeat * Self.missedHeartbeats)")
    }
}
