import Synchronization

/// The last value of a Boolean flag in one atomic word, so that reading it takes no lock and writes no memory.
@usableFromInline
final class CachedBool: Sendable {
    /// From the lowest bit: the value, whether there is one, and the generation that it is of.
    private let word = Atomic<UInt64>(0)

    /// The value, where nothing has changed since it was stored and no test overrides flags.
    @usableFromInline var current: Bool? {
        let word = word.load(ordering: .acquiring)
        return word >> 1 == FlagGeneration.ofCaches << 1 | 1 ? word & 1 == 1 : nil
    }

    func store(_ value: Bool, at generation: UInt64) {
        word.store(generation << 2 | 2 | (value ? 1 : 0), ordering: .releasing)
    }
}
