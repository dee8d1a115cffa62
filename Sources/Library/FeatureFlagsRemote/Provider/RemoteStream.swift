import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// Follows a stream of events for as long as its task is not cancelled, and has the server asked at each event.
///
/// One that breaks or falls silent is opened again.
final class RemoteStream: Sendable {
    /// The heartbeat of a stream; one that is silent for three of these is taken for dead.
    static let heartbeat = Duration.seconds(15)
    private static let missedHeartbeats = 3

    /// How the connection of now goes, and where the stream goes on after it.
    private struct Course: Sendable {
        var reader = EventStreamReader()
        /// How many pieces came.
        var pieces = 0
        /// How many times of a heartbeat have passed.
        var heartbeats = 0
        var isOpen = false
    }

    private let address: RemoteAddress
    private let follower: RemoteFollower
    private let course = Mutex(Course())

    /// - Parameters:
    ///   - address: Where the stream is.
    ///   - follower: What to tell.
    init(address: RemoteAddress, follower: RemoteFollower) {
        (self.address, self.follower) = (address, follower)
    }

    /// Follows the stream.
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
            // That a stream ends now and then is nothing to tell: what matters is whether it can be opened again.
            if let problem { follower.values.report(problem, of: .stream) }
            // With 204, the server wants no one to listen (HTML, 9.2.3).
            if problem?.status == 204 { return }
            if course.isOpen, Self.heartbeat * course.heartbeats >= backoff.limit { backoff.reset() }
            do {
                try await plan.clock.sleep(for: backoff.next(askedFor: problem?.askedFor ?? course.reader.retry))
            } catch {
                return
            }
        }
    }

    /// Opens the stream, and reads until it ends or falls silent.
    ///
    /// - Returns: What is wrong; `nil` where it was open, and has ended or fallen silent.
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
            // Something may have changed before the stream was open.
            follower.note(isStreaming: true, by: self)
            for try await piece in pieces {
                let events = try course.withLock { course in
                    course.pieces += 1
                    return try course.reader.events(in: piece.readableBytesView)
                }
                guard !events.isEmpty else { continue }
                follower.values.report(nil, of: .stream)
                follower.askSoon()
            }
            return nil
        } catch let error as RemoteError {
            return error
        } catch let error as EventStreamError {
            return .unusable(address, "is no stream of events that can be followed: \(error)")
        } catch {
            // It was open, and broke off.
            return nil
        }
    }

    /// Waits until the stream has been silent for too long.
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
        // Some servers tell nothing while nothing happens: one that is opened again each time is well.
        if course.withLock(\.isOpen) { return nil }
        return .lost(address, "has been silent for \(Self.heartbeat * Self.missedHeartbeats)")
    }
}
