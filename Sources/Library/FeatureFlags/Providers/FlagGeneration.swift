import Synchronization

/// A counter of all changes of values and defaults in the process: while it is unchanged, read values are valid.
///
/// It shares a word with the number of running overriding bodies, so that a read loads only one.
@usableFromInline
final class FlagGeneration: Sendable {
    static let shared = FlagGeneration()
    /// One change in the word; the bits below count the overriding bodies.
    private static let step: UInt64 = 1 << 20
    /// The bits of the overriding bodies.
    @usableFromInline static var overriding: UInt64 { @inlinable get { (1 << 20) - 1 } }

    @usableFromInline let word = Atomic<UInt64>(FlagGeneration.step)

    private init() {}

    /// The generation of a valid cached value; while bodies override flags, none is valid.
    @inlinable var ofCaches: UInt64 { word.load(ordering: .acquiring) }

    /// The generation for values read from now on.
    static var current: UInt64 { shared.word.load(ordering: .acquiring) & ~overriding }

    @inlinable var isOverriding: Bool { word.load(ordering: .relaxed) & Self.overriding > 0 }

    static var isOverridden: Bool { shared.isOverriding }

    /// Advances the generation: after a change is readable, and before its writer continues.
    static func advance() {
        shared.word.add(step, ordering: .acquiringAndReleasing)
    }

    static func beginOverriding() {
        shared.word.add(1, ordering: .relaxed)
    }

    static func endOverriding() {
        shared.word.subtract(1, ordering: .relaxed)
    }
}

/// The last value of a Boolean flag in one atomic word: a read takes no lock and writes no memory.
@usableFromInline
final class CachedBool: Sendable {
    @usableFromInline let generation = FlagGeneration.shared
    /// The generation, with the value in its lowest bit, which is otherwise never set; 0 for none.
    @usableFromInline let word = Atomic<UInt64>(0)

    init() {}

    @inlinable
    func value(of generation: UInt64) -> Bool? {
        let word = word.load(ordering: .acquiring)
        return word & ~1 == generation ? word & 1 == 1 : nil
    }

    func store(_ value: Bool, at generation: UInt64) {
        word.store(generation | (value ? 1 : 0), ordering: .releasing)
    }
}

/// The last value of a flag that does not fit into a few plain words, such as a string.
@usableFromInline
final class CachedValue<Value: Sendable>: Sendable {
    @usableFromInline let last = Mutex<(value: Value, generation: UInt64)?>(nil)

    init() {}

    @inlinable
    func value(of generation: UInt64) -> Value? {
        last.withLock { last in
            if let last, last.generation == generation { last.value } else { nil }
        }
    }

    func store(_ value: Value, at generation: UInt64) {
        last.withLock { $0 = (value, generation) }
    }
}
