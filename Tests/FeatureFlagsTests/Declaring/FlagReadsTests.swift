import FeatureFlags
import Synchronization
import Testing

@Suite("The reads of a body")
struct FlagReadsTests {
    private struct Read: FlagCollectionProtocol {
        @Flag("A switch") var isOn = true
        @Flag("A number") var number = 1
        @Flag("Computed", computedValue: { 7 }) var computed = 2
    }

    private final class Reader: FlagReadObserver {
        private let found = Mutex<[String]>([])
        let flags: FlagsLoader<Read>

        init(_ flags: FlagsLoader<Read>) { self.flags = flags }

        var names: [String] { found.withLock { $0 } }

        func willRead<Value: FlagProtocol>(_ flag: Flag<Value>) {
            // A reader may read, which is passed to nobody.
            _ = flags.number
            found.withLock { $0.append(flag.keyPath.text) }
        }
    }

    private let memory = InMemoryProvider()

    @Test("Each read is passed on, also of a cached or computed value, and those of other tasks are not")
    func reads() async {
        let flags = FlagsLoader(Read.self, providers: [memory])
        _ = (flags.isOn, flags.number, flags.computed)
        let reader = Reader(flags)
        let sum = FlagReads.pass(to: reader) { flags.isOn ? flags.computed + flags.computed : flags.number }
        #expect(sum == 14 && reader.names == ["is_on", "computed", "computed"])
        _ = flags.number
        await Task.detached { _ = flags.isOn }.value
        #expect(reader.names.count == 3)
    }

    @Test("Caches hold before and after a body, and a change within it counts")
    func caches() throws {
        let flags = FlagsLoader(Read.self, providers: [memory])
        let reader = Reader(flags)
        try FlagReads.pass(to: reader) {
            #expect(flags.number == 1)
            try memory.setStoredValue(.integer(2), at: flags.$number.keyPath)
            #expect(flags.number == 2)
        }
        #expect(flags.number == 2 && reader.names == ["number", "number"])
        #expect(flags.$number.explain().askedAtEachRead == [])
    }
}
