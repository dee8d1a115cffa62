import Synchronization

/// The last value of a flag whose value is a few plain bytes, as a number, a date and an enum without associated values
/// are, so that reading it takes no lock and writes no memory.
@usableFromInline
final class CachedWords<Value: Sendable>: Sendable {
    /// Whether values may be copied byte by byte, which no public function says, and fit.
    @usableFromInline static var canHold: Bool {
        @inlinable get {
            _isPOD(Value.self) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
        }
    }

    @usableFromInline let generation = FlagGeneration.shared
    /// The generation that the words are becoming of, and the one that they have become of: the greatest number before the first value.
    @usableFromInline let opening = Atomic<UInt64>(.max)
    @usableFromInline let closing = Atomic<UInt64>(.max)
    @usableFromInline let first = Atomic<UInt64>(0)
    @usableFromInline let second = Atomic<UInt64>(0)
    private let newest = Mutex<UInt64>(0)

    init() {}

    /// The value, where nothing has changed since it was stored and no test overrides flags.
    @inlinable var current: Value? { value(of: generation.ofCaches) }

    @inlinable
    func value(of generation: UInt64) -> Value? {
        guard closing.load(ordering: .acquiring) == generation else { return nil }
        let words = (first.load(ordering: .relaxed), second.load(ordering: .relaxed))
        atomicMemoryFence(ordering: .acquiring)
        guard opening.load(ordering: .relaxed) == generation else { return nil }
        return withUnsafeBytes(of: words) { $0.load(as: Value.self) }
    }

    /// Stores the value of a generation, once: the words of two values would mix under a reader.
    func store(_ value: Value, at generation: UInt64) {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { words in withUnsafeBytes(of: value) { words.copyMemory(from: $0) } }
        newest.withLock { newest in
            guard generation > newest else { return }
            newest = generation
            opening.store(generation, ordering: .relaxed)
            atomicMemoryFence(ordering: .releasing)
            first.store(words.0, ordering: .relaxed)
            second.store(words.1, ordering: .relaxed)
            closing.store(generation, ordering: .releasing)
        }
    }
}
