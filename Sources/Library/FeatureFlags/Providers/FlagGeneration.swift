import Synchronization

/// A count of all changes of values and defaults in the process: while it stands still, what was read is still so.
///
/// It shares a word with the count of the bodies that override flags, so that a read looks at one word alone.
@usableFromInline
final class FlagGeneration: Sendable {
    /// The one count of the process.
    static let shared = FlagGeneration()
    /// One change, in the word; below it is the count of the bodies, of which there are never so many.
    private static let step: UInt64 = 1 << 20

    @usableFromInline let word = Atomic<UInt64>(FlagGeneration.step)

    private init() {}

    /// What a cached value has to be of: the generation, or what no value is of while bodies override flags.
    @inlinable var ofCaches: UInt64 { word.load(ordering: .acquiring) }

    /// The generation of what is read from now on.
    static var current: UInt64 { shared.word.load(ordering: .acquiring) & ~(step - 1) }

    /// Whether any body overrides flags.
    static var isOverridden: Bool { shared.word.load(ordering: .relaxed) & (step - 1) > 0 }

    /// Called after a change can be read, and before its writer goes on.
    static func advance() {
        shared.word.add(step, ordering: .acquiringAndReleasing)
    }

    /// Called before a body that overrides flags.
    static func beginOverriding() {
        shared.word.add(1, ordering: .relaxed)
    }

    /// Called after it.
    static func endOverriding() {
        shared.word.subtract(1, ordering: .relaxed)
    }
}

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
