import Synchronization

/// The last value of a flag whose value is a few plain bytes, such as a number, a date or a plain enum.
///
/// A read takes no lock and writes no memory.
@usableFromInline
final class CachedWords<Value: Sendable>: Sendable {
    /// `true` if values are small and bitwise copyable, which no public function tests.
    @usableFromInline static var canHold: Bool {
        @inlinable get {
            _isPOD(Value.self) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
        }
    }

    /// The generations of the words before and after writing them; the greatest number before the first value.
    @usableFromInline let opening = Atomic<UInt64>(.max)
    @usableFromInline let closing = Atomic<UInt64>(.max)
    @usableFromInline let first = Atomic<UInt64>(0)
    @usableFromInline let second = Atomic<UInt64>(0)
    private let newest = Mutex<UInt64>(0)

    init() {}

    @inlinable
    func value(of generation: UInt64) -> Value? {
        guard closing.load(ordering: .acquiring) == generation else { return nil }
        let words = (first.load(ordering: .relaxed), second.load(ordering: .relaxed))
        atomicMemoryFence(ordering: .acquiring)
        guard opening.load(ordering: .relaxed) == generation else { return nil }
        return withUnsafeBytes(of: words) { $0.load(as: Value.self) }
    }

    /// Stores one value per generation: a reader can't detect a mix of two values of the same one.
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
