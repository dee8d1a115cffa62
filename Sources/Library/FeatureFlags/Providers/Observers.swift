/// Who is told of each event of one source.
struct Observers<Event: Sendable> {
    private struct Observer {
        let handOver: @Sendable (Event) -> Void
        let end: @Sendable () -> Void
    }

    private var observers: [Int: Observer] = [:]
    private var last = 0

    var count: Int { observers.count }

    /// Adds one that is told from now on, and of the end of the source.
    mutating func add(_ handOver: @escaping @Sendable (Event) -> Void, end: @escaping @Sendable () -> Void = {}) -> Int
    {
        last += 1
        observers[last] = Observer(handOver: handOver, end: end)
        return last
    }

    mutating func remove(_ id: Int) { observers[id] = nil }

    func handOver(_ event: Event) {
        for observer in observers.values { observer.handOver(event) }
    }

    func end() {
        for observer in observers.values { observer.end() }
    }
}

/// A registration for changes, until it is ended.
struct Observation: Sendable {
    /// Ends the registration.
    let end: @Sendable () -> Void
}
