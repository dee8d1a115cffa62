import Hummingbird
import Synchronization

/// The open event streams, limited in all and for each person.
///
/// Each open page holds one, so many pages could use up all connections. When all places are taken, a person with fewer
/// streams takes one from the person with the most.
final class EventStreams: Sendable {
    /// A place for one stream, freed with its last reference.
    final class Place: Sendable {
        /// Calls to look for news; finishes when another stream takes the place.
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

    static let maximum = 64
    /// More windows than anybody watches.
    static let maximumForOne = 16

    /// The longest silence, so that both sides notice a lost connection.
    let heartbeat: Duration
    private let maximum: Int
    private let maximumForOne: Int
    /// The wake-ups of each person's streams, oldest first.
    private let places = Mutex<[String: [(id: ObjectIdentifier, wake: AsyncStream<Void>.Continuation)]]>([:])

    init(
        maximum: Int = maximum, maximumForOne: Int = maximumForOne, heartbeat: Duration = .seconds(15)
    ) {
        (self.maximum, self.maximumForOne, self.heartbeat) = (maximum, maximumForOne, heartbeat)
    }

    var count: Int { places.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// Makes each stream check its listener's access and look for news.
    func wakeAll() {
        for place in places.withLock({ $0.values.flatMap(\.self) }) { place.wake.yield() }
    }

    /// Throws if no place is free.
    func enter(_ person: String) throws(RequestError) -> Place {
        let place = Place(self, person)
        let (refusal, displaced) = places.withLock { places -> (RequestError?, AsyncStream<Void>.Continuation?) in
            let own = places[person, default: []].count
            if own >= maximumForOne { return (Self.tooMany(maximumForOne), nil) }
            var displaced: AsyncStream<Void>.Continuation?
            if places.values.reduce(0, { $0 + $1.count }) >= maximum {
                // The other person keeps at least as many, so two persons never displace each other in turn.
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
            message: "You have \(maximum) event stream\(maximum == 1 ? "" : "s") open, the limit for one person.",
            remedy: "Close a window or a program that follows changes, then try again.", isBare: true,
            headers: [.retryAfter: "30"])
    }

    private static let busy = RequestError(
        .serviceUnavailable, .tooManyStreams, title: "Too many streams",
        message: "This server has reached its limit of event streams.", remedy: "Try again later.",
        isBare: true, headers: [.retryAfter: "30"])
}

extension Dashboard {
    var eventStreams: EventStreams {
        states.value {
            guard let most = mostStreams.all else { return EventStreams() }
            return EventStreams(
                maximum: most, maximumForOne: mostStreams.ofOne ?? min(EventStreams.maximumForOne, most))
        }
    }
}
