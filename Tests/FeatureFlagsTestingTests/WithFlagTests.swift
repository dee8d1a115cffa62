import FeatureFlags
import FeatureFlagsTesting
import Testing

private struct Flags: FlagCollectionProtocol {
    @Flag(default: false, description: "Sans serif")
    var sansSerif: Bool

    @Flag(default: true, description: "Onboarding")
    var onboarding: Bool

    @Flag(default: 10, computedValue: { 11 }, description: "A limit")
    var limit: Int
}

private struct Failure: Error, Equatable {}

@Suite("Flags in tests")
struct WithFlagTests {
    private let store = FlagSnapshot(name: "Store", values: ["onboarding": .bool(true)])
    private let flags: FlagsLoader<Flags>

    init() { flags = FlagsLoader(Flags.self, providers: [store]) }

    @Test("A task that outlives the body reads the flag as it is, or as a body around says")
    func outliving() async {
        let (innerEnd, endInner) = AsyncStream.makeStream(of: Void.self)
        let (outerEnd, endOuter) = AsyncStream.makeStream(of: Void.self)
        func reading(after end: AsyncStream<Void>) -> Task<[Int], Never> {
            Task { [flags] in
                let within = flags.limit
                for await _ in end { break }
                return [within, flags.limit]
            }
        }
        let outer = await withFlag(flags.$limit).set(to: 4) {
            let (inner, outer) = await withFlag(flags.$limit).set(to: 3) {
                let tasks = (reading(after: innerEnd), reading(after: outerEnd))
                await withFlag(flags.$sansSerif).enabled { await Task.yield() }
                return tasks
            }
            endInner.yield()
            #expect(await inner.value.last == 4, "the body around is still running")
            return outer
        }
        endOuter.yield()
        #expect(await outer.value.last == 11, "both bodies have ended")
        let (never, ended) = AsyncStream.makeStream(of: Void.self)
        ended.finish()
        #expect(await withFlag(flags.$limit).set(to: 5) { await reading(after: never).value } == [5, 5])
    }

    @Test("A flag is on, off or any value while the body runs, and as before afterwards")
    func oneFlag() async throws {
        let seen = await withFlag(flags.$sansSerif).enabled {
            await Task.yield()
            return flags.sansSerif
        }
        #expect(seen)
        #expect(!flags.sansSerif)
        withFlag(flags.$onboarding).disabled { #expect(!flags.onboarding) }
        #expect(flags.onboarding)
        await withFlag(flags.$limit).set(to: 3) {
            await Task.yield()
            #expect(flags.limit == 3, "before a computed value too")
        }
        #expect(flags.limit == 11)
    }

    @Test("Several flags change together, and bodies nest")
    func severalFlags() {
        withFlags([flags.$sansSerif, flags.$onboarding]).enabled {
            #expect(flags.sansSerif && flags.onboarding)
            withFlag(flags.$onboarding).disabled {
                #expect(flags.sansSerif && !flags.onboarding)
            }
            #expect(flags.sansSerif && flags.onboarding)
        }
        #expect(!flags.sansSerif)
    }

    @Test("What the body throws is thrown, and the flag is as before")
    func throwing() async {
        await #expect(throws: Failure()) {
            try await withFlag(flags.$sansSerif).enabled {
                await Task.yield()
                throw Failure()
            }
        }
        #expect(!flags.sansSerif)
    }

    @Test("No provider is written, and other tasks don't see the value")
    func isolation() async throws {
        let before = try store.store?.values
        let (started, go) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
        async let other: Bool = {
            for await _ in started.stream { break }
            defer { go.continuation.finish() }
            return flags.sansSerif
        }()
        await withFlag(flags.$sansSerif).enabled {
            started.continuation.yield()
            for await _ in go.stream {}
            #expect(flags.sansSerif)
            async let child = flags.sansSerif
            #expect(await child, "a child task has the value")
        }
        #expect(await !other)
        #expect(try store.store?.values == before)
    }

    @Test("A flag of an optional type that is not overridden reads as before while another is")
    func optionalBeside() throws {
        let flag = Flag<String?>(key: "text", default: "default", description: "Optional")
        try FlagsManager(providers: [FlagSnapshot(values: ["text": .string("x")])]).register(flag)
        withFlag(flags.$sansSerif).enabled {
            #expect(flag.wrappedValue == "x")
            withFlag(flag).set(to: nil) { #expect(flag.wrappedValue == nil) }
        }
    }

    @Test("Many tests at once each see their own value", arguments: 0..<50)
    func parallel(number: Int) async {
        await withFlag(flags.$limit).set(to: number) {
            for _ in 0..<20 {
                await Task.yield()
                #expect(flags.limit == number)
            }
        }
    }
}
