import Synchronization

/// What features keep between requests, one value of each type, so that the dashboard need not know the features.
final class FeatureStates: Sendable {
    private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

    /// The value of a type.
    ///
    /// - Parameter make: Makes the value, where it is asked for first.
    func value<State: Sendable>(_ make: () -> State) -> State {
        values.withLock { values in
            if let value = values[ObjectIdentifier(State.self)] as? State { return value }
            let value = make()
            values[ObjectIdentifier(State.self)] = value
            return value
        }
    }
}
