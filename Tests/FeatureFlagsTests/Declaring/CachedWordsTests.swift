import Foundation
import Synchronization
import Testing

@testable import FeatureFlags

private enum Size: String, CaseIterable, FlagProtocol { case small, large }

/// Two words that are each other's complement, so that a mixture of two values shows.
private struct Pair: Equatable {
    let word: UInt64
    let complement: UInt64

    init(_ word: UInt64) { (self.word, complement) = (word, ~word) }

    var isWhole: Bool { complement == ~word }
}

@Suite("Values remembered without a lock")
struct CachedWordsTests {
    private func remembers<Value: Equatable & Sendable>(_ values: Value...) -> Bool {
        let cache = CachedWords<Value>()
        return CachedWords<Value>.canHold
            && values.enumerated().allSatisfy { index, value in
                cache.store(value, at: UInt64(index + 1))
                return cache.value(of: UInt64(index + 1)) == value
            }
    }

    @Test("Numbers, dates, enums and optionals of them are remembered as they are")
    func values() {
        #expect(remembers(Int.min, -1, 0, .max))
        #expect(remembers(UInt8.max, 0, 7))
        #expect(remembers(-0.5, .infinity, Double.leastNonzeroMagnitude))
        #expect(remembers(Float(1.5)))
        #expect(remembers(Date(timeIntervalSince1970: 0.5), .distantPast))
        #expect(remembers(Size.large, .small))
        #expect(remembers(5 as Int?, nil, 0))
        #expect(remembers(true as Bool?, nil, false))
        #expect(remembers(Pair(7)))
    }

    @Test("What holds references, or is larger, is not remembered as words")
    func others() {
        #expect(!CachedWords<String>.canHold)
        #expect(!CachedWords<String?>.canHold)
        #expect(!CachedWords<[Int]>.canHold)
        #expect(!CachedWords<FlagValue>.canHold)
        #expect(!CachedWords<Int128>.canHold)
    }

    @Test("A value is that of its generation alone, the first one stored for it, and no later value gives way to it")
    func generations() {
        let cache = CachedWords<Int>()
        #expect(cache.value(of: 0) == nil && cache.value(of: 1) == nil)
        cache.store(5, at: 2)
        cache.store(6, at: 2)
        cache.store(7, at: 1)
        #expect(cache.value(of: 2) == 5)
        #expect(cache.value(of: 0) == nil && cache.value(of: 1) == nil && cache.value(of: 3) == nil)
    }

    @Test("A reader never sees a part of one value and a part of another")
    func race() async {
        let cache = CachedWords<Pair>()
        let count = Count()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<200_000 {
                        let next = count.generation.add(1, ordering: .relaxed).newValue
                        cache.store(Pair(next &* 0x9E37_79B9_7F4A_7C15), at: next)
                    }
                }
                group.addTask {
                    let torn = (0..<200_000).count { _ in
                        cache.value(of: count.generation.load(ordering: .relaxed))?.isWhole == false
                    }
                    #expect(torn == 0)
                }
            }
        }
        #expect(cache.value(of: 400_000)?.isWhole == true)
    }
}

private final class Count: Sendable {
    let generation = Atomic<UInt64>(0)
}
