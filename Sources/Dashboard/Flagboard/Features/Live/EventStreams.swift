import Hummingbird
import Synchronization

/// The streams of events that are open, never more than a number of them, and of each person's.
///
/// A page holds one for as long as it is looked at, so that many would keep connections from everybody else. Where all places
/// are taken, a person who has fewer than another one gets one of that person's.
final class EventStreams: Sendable {
    /// A place for one stream; it is free again when nothing holds it any more.
    final class Place: Sendable {
        /// An element each time that there may be something to tell; ends where the place is another's.
        let wakes: AsyncStream<Void>
        let wake: AsyncStream<Void>.Continuation
        private let streams: EventStreams
        fileprivate let person: String

        fileprivate init(_ streams: EventStreams, _ person: String) {
            (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            (self.streams, self.person) = (streams, person)
        }

        deinit { streams.leave(person, ObjectIdentifier(self)) }
    }

    /// How many streams there may be.
    static let maximum = 64
    /// How many one person may have: as many windows as anybody looks at.
    static let maximumForOne = 16

    /// How long a stream stays silent at most, so that both sides notice when the other is gone.
    let heartbeat: Duration
    private let maximum: Int
    private let maximumForOne: Int
    /// What wakes each stream, by person, oldest first.
    private let places = Mutex<[String: [(id: ObjectIdentifier, wake: AsyncStream<Void>.Continuation)]]>([:])

    init(
        maximum: Int = maximum, maximumForOne: Int = maximumForOne, heartbeat: Duration = .seconds(15)
    ) {
        (self.maximum, self.maximumForOne, self.heartbeat) = (maximum, maximumForOne, heartbeat)
    }

    /// How many there are.
    var count: Int { places.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Has each stream look whether its listener is still let in, and what there is to tell.
    func wakeAll() {
        for place in places.withLock({ $0.values.flatMap(\.self) }) { place.wake.yield() }
    }

    /// Takes a place.
    ///
    /// - Throws: ``RequestError`` where there is none.
    func enter(_ person: String) throws(RequestError) -> Place {
        let place = Place(self, person)
        let (refusal, displaced) = places.withLock { places -> (RequestError?, AsyncStream<Void>.Continuation?) in
            let own = places[person, default: []].count
            if own >= maximumForOne { return (Self.tooMany(maximumForOne), nil) }
            var displaced: AsyncStream<Void>.Continuation?
            if places.values.reduce(0, { $0 + $1.count }) >= maximum {
                // Both have as many then at least, so that two persons never take each other's places in turn.
                guard let most = places.max(by: { $0.value.count < $1.value.count }), most.value.count > own + 1 else {
                    return (Self.busy, nil)
                }
                displaced = places[most.key]?.removeLast().wake
            }
            places[person, default: []].append((ObjectIdentifier(place), place.wake))
            return (nil, displaced)
        }
        displaced?.finish()
        if let refusal { throw refusal }
        return place
    }

    private func leave(_ person: String, _ id: ObjectIdentifier) {
        places.withLock { places in
            places[person]?.removeAll { $0.id == id }
            if places[person]?.isEmpty == true { places[person] = nil }
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

extension Dashboard {
    /// The streams of events that are open.
    var eventStreams: EventStreams {
        states.value {
            guard let most = mostStreams.all else { return EventStreams() }
            return EventStreams(
                maximum: most, maximumForOne: mostStreams.ofOne ?? min(EventStreams.maximumForOne, most))
        }
    }
}
