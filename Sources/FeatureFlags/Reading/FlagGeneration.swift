import Synchronization

/// A count of all changes of values and defaults in the process: while it stands still, what was read is still so.
enum FlagGeneration {
    private static let count = Atomic<UInt64>(1)

    static var current: UInt64 { count.load(ordering: .acquiring) }

    /// Called after a change can be read, and before its writer goes on.
    static func advance() {
        count.add(1, ordering: .acquiringAndReleasing)
    }
}
