import Synchronization

/// The last value of a flag whose value is more than a few plain bytes, such as a text.
@usableFromInline
final class CachedValue<Value: Sendable>: Sendable {
    @usableFromInline let generation = FlagGeneration.shared
    @usableFromInline let last = Mutex<(value: Value, generation: UInt64)?>(nil)

    init() {}

    /// The value, where nothing has changed since it was stored and no test overrides flags.
    @inlinable var current: Value? {
        let generation = generation.ofCaches
        return last.withLock { last in
            if let last, last.generation == generation { last.value } else { nil }
        }
    }

    func store(_ value: Value, at generation: UInt64) {
        last.withLock { $0 = (value, generation) }
    }
}
