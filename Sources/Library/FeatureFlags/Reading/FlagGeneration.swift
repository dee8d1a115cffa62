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
