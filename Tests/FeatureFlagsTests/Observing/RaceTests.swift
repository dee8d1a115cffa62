import FeatureFlags
import Foundation
import Testing

private struct Raced: FlagCollectionProtocol {
    @Flag(default: 0, description: "A number")
    var number: Int
    @Flag(default: false, description: "A Boolean")
    var isOn: Bool
    @Flag(default: "", description: "A text as long as its only letter says")
    var text: String
}

@Suite("Reading, writing and observing at once", .timeLimit(.minutes(10)))
struct RaceTests {
    /// How long to race: 2 seconds, or what `FLAGBOARD_RACE_SECONDS` says.
    private static let duration = Duration.seconds(
        ProcessInfo.processInfo.environment["FLAGBOARD_RACE_SECONDS"].flatMap(Int.init) ?? 2)

    @Test("8 tasks that read and write for a while read only what was written, and all end at the same value")
    func races() async throws {
        let (first, last) = (StoreProvider("First"), StoreProvider("Last"))
        let loader = FlagsLoader(Raced.self, providers: [first, last])
        let end = ContinuousClock.now + Self.duration
        let consumers = (0..<2).map { _ in
            Task {
                var values: [Int] = []
                for await value in loader.$number.values {
                    #expect(values.last != value)
                    values = [value]
                    if value == -1 { break }
                }
                return values.last
            }
        }
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    var round = 0
                    while ContinuousClock.now < end {
                        round += 1
                        try Self.write(round, task.isMultiple(of: 2) ? first : last, loader)
                        #expect((0...2000).contains(loader.number))
                        #expect(Set(loader.text).count <= 1 && [0, 1, 1000].contains(loader.text.count))
                        _ = loader.isOn
                        if round.isMultiple(of: 50) { _ = loader.$number.explain() }
                    }
                }
            }
            try await group.waitForAll()
        }
        try loader.$number.resetValue()
        loader.$number.setDefault(-1)
        #expect(loader.number == -1)
        for consumer in consumers { #expect(await consumer.value == -1) }
    }

    private static func write(_ round: Int, _ provider: StoreProvider, _ loader: FlagsLoader<Raced>) throws {
        switch round % 7 {
        case 0: try provider.resetValue(at: path("number"))
        case 1: loader.$number.setDefault(round % 1000)
        case 2: try loader.$isOn.set(round.isMultiple(of: 3), in: provider.name)
        case 3: try provider.set(.string(String(repeating: "b", count: 1000)), "text")
        case 4: try provider.set(.string("a"), "text")
        default: try provider.set(.integer(Int128(1000 + round % 1000)), "number")
        }
    }
}
