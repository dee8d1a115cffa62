import Synchronization

/// The last value of a Boolean flag in one atomic word, so that reading it takes no lock and writes no memory.
@usableFromInline
final class CachedBool: Sendable {
    @usableFromInline let generation = FlagGeneration.shared
    /// The generation, whose lowest bit is never set, and there the value; 0 for none.
    @usableFromInline let word = Atomic<UInt64>(0)

    init() {}

    /// The value, where nothing has changed since it was stored and no test overrides flags.
    @inlinable var current: Bool? {
        let word = word.load(ordering: .acquiring)
        return word & ~1 == generation.ofCaches ? word & 1 == 1 : nil
    }

    func store(_ value: Bool, at generation: UInt64) {
        word.store(generation | (value ? 1 : 0), ordering: .releasing)
    }
}
