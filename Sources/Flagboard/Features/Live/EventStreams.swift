import Hummingbird
import Synchronization

/// The streams of events that are open, never more than a number of them, and of each person's.
///
/// A page holds one for as long as it is looked at, so that many would keep connections from everybody else.
final class EventStreams: Sendable {
    /// A place for one stream; it is free again when nothing holds it any more.
    final class Place: Sendable {
        private let streams: EventStreams
        private let person: String

        fileprivate init(_ streams: EventStreams, _ person: String) {
            (self.streams, self.person) = (streams, person)
        }

        deinit { streams.leave(person) }
    }

    /// How many streams there may be.
    static let maximum = 64
    /// How many one person may have: as many windows as anybody looks at.
    static let maximumForOne = 16

    /// How long a stream stays silent at most, so that both sides notice when the other is gone.
    let heartbeat: Duration
    private let maximum: Int
    private let maximumForOne: Int
    private let counts = Mutex<[String: Int]>([:])

    init(
        maximum: Int = maximum, maximumForOne: Int = maximumForOne, heartbeat: Duration = .seconds(15)
    ) {
        (self.maximum, self.maximumForOne, self.heartbeat) = (maximum, maximumForOne, heartbeat)
    }

    /// How many there are.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// Takes a place.
    ///
    /// - Parameter person: Whose stream it is to be, by name.
    /// - Returns: The place, to be held for as long as the stream lasts.
    /// - Throws: ``RequestError`` where there is none.
    func enter(_ person: String) throws(RequestError) -> Place {
        let refusal = counts.withLock { counts -> RequestError? in
            if counts[person, default: 0] >= maximumForOne { return Self.tooMany(maximumForOne) }
            if counts.values.reduce(0, +) >= maximum { return Self.busy }
            counts[person, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
        return Place(self, person)
    }

    private func leave(_ person: String) {
        counts.withLock { counts in
            let count = counts[person, default: 0] - 1
            counts[person] = count > 0 ? count : nil
        }
    }

    private static func tooMany(_ maximum: Int) -> RequestError {
        RequestError(
            .tooManyRequests, .tooManyStreams, title: "Too many streams",
            message: "You have \(maximum) streams of events open, which is as many as one person may have.",
            remedy: "Close a window or a program that follows the changes, then try again.", isBare: true,
            headers: [.retryAfter: "30"])
    }

    private static let busy = RequestError(
        .serviceUnavailable, .tooManyStreams, title: "Too many streams",
        message: "As many streams of events are open as this server holds.", remedy: "Try again in a while.",
        isBare: true, headers: [.retryAfter: "30"])
}
