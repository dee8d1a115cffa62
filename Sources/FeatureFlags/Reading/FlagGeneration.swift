import Synchronization

/// A count of all changes of values and defaults in the process: while it stands still, what was read is still so.
@usableFromInline
enum FlagGeneration {
    private static let count = Atomic<UInt64>(1)

    static var current: UInt64 { count.load(ordering: .acquiring) }

    /// The generation that a cached value has to be of; 0, which none is of, while tests override flags.
    @usableFromInline static var ofCaches: UInt64 { FlagOverrides.areActive ? 0 : current }

    /// Called after a change can be read, and before its writer goes on.
    static func advance() {
        count.add(1, ordering: .acquiringAndReleasing)
    }
}
