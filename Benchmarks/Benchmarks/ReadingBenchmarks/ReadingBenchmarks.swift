import Benchmark
import Configuration
import FeatureFlags
import FeatureFlagsXML
import Foundation

private struct Flags: FlagCollectionProtocol {
    @Flag(default: false, description: "A Boolean")
    var enabled: Bool

    @Flag(default: 1, description: "A number")
    var limit: Int

    @Flag(default: "", description: "A text")
    var title: String

    @Flag(key: "enabled", default: false, computedValue: { nil }, description: "A Boolean that the app may compute")
    var computed: Bool

    @Flag(dynamicDefault: { true }, description: "A Boolean whose default the app computes")
    var dynamic: Bool
}

/// A provider of one's own, which can't say when its value changes.
private struct AskedProvider: FlagsProvider {
    let name = "Asked"
    let isWritable = false
    let value: FlagValue

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { value }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {}
}

/// Reads one value over and over on several threads, so that one iteration is 100,000 reads in all.
private func read(threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: threads) { _ in body(100_000 / threads) }
}

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .cpuTotal], warmupIterations: 3, maxDuration: .seconds(3))

    let local = LocalProvider(localURL: FileManager.default.temporaryDirectory.appending(path: "benchmark-flags.xml"))
    do {
        try local.setStoredValue(.bool(true), at: FlagKeyPath(components: ["enabled"]))
        try local.setStoredValue(.integer(5), at: FlagKeyPath(components: ["limit"]))
        try local.setStoredValue(.string("List"), at: FlagKeyPath(components: ["title"]))
    } catch {
        fatalError("the flags can't be written: \(error)")
    }
    let flags = FlagsLoader(Flags.self, providers: [local]).loadedCollection
    let environment = EnvironmentProvider(prefix: "FLAGBOARD_BENCHMARK_", environment: [:])
    let behind = FlagsLoader(Flags.self, providers: [environment, local]).loadedCollection
    let listed = FlagsLoader(Flags.self, dynamicProviders: { [environment, local] }).loadedCollection
    guard let defaults = UserDefaults(suiteName: "flagboard.benchmark") else { fatalError("there is no such suite") }
    defaults.set(true, forKey: "enabled")
    let inDefaults = FlagsLoader(Flags.self, providers: [UserDefaultsProvider(defaults)]).loadedCollection
    let remembered = FlagsLoader(Flags.self, providers: [UserDefaultsProvider(defaults, isSteady: true)])
        .loadedCollection
    let asked = FlagsLoader(Flags.self, providers: [AskedProvider(value: .bool(true)), local]).loadedCollection
    let config = ConfigReader(
        provider: InMemoryProvider(values: ["enabled": true, "limit": 5, "title": "List"]))

    Benchmark("Flag: Boolean behind the environment, 100,000 reads on 1 thread") { _ in
        read(threads: 1) { count in for _ in 0..<count { blackHole(behind.enabled) } }
    }
    Benchmark("Flag: Boolean that may be computed, 100,000 reads on 1 thread") { _ in
        read(threads: 1) { count in for _ in 0..<count { blackHole(flags.computed) } }
    }
    Benchmark("Flag: Boolean with a dynamic default, 100,000 reads on 1 thread") { _ in
        read(threads: 1) { count in for _ in 0..<count { blackHole(flags.dynamic) } }
    }
    Benchmark("Flag: Boolean of a provider that is asked each time, 100,000 reads on 1 thread") { _ in
        read(threads: 1) { count in for _ in 0..<count { blackHole(asked.enabled) } }
    }
    Benchmark("Flag: Boolean of a dynamic list, 100,000 reads on 1 thread") { _ in
        read(threads: 1) { count in for _ in 0..<count { blackHole(listed.enabled) } }
    }
    Benchmark("Flag: Boolean in UserDefaults, 100,000 reads on 1 thread") { _ in
        read(threads: 1) { count in for _ in 0..<count { blackHole(inDefaults.enabled) } }
    }
    Benchmark("Flag: Boolean in steady UserDefaults, 100,000 reads on 1 thread") { _ in
        read(threads: 1) { count in for _ in 0..<count { blackHole(remembered.enabled) } }
    }
    Benchmark("Peer, Foundation: Boolean in UserDefaults, 100,000 reads on 1 thread") { _ in
        let suite = UserDefaults(suiteName: "flagboard.benchmark")
        for _ in 0..<100_000 { blackHole(suite?.bool(forKey: "enabled")) }
    }

    for threads in [1, 2] {
        let suffix = threads == 1 ? "1 thread" : "\(threads) threads"
        Benchmark("Flag: Boolean, 100,000 reads on \(suffix)") { _ in
            read(threads: threads) { count in for _ in 0..<count { blackHole(flags.enabled) } }
        }
        Benchmark("Flag: integer, 100,000 reads on \(suffix)") { _ in
            read(threads: threads) { count in for _ in 0..<count { blackHole(flags.limit) } }
        }
        Benchmark("Flag: text, 100,000 reads on \(suffix)") { _ in
            read(threads: threads) { count in for _ in 0..<count { blackHole(flags.title) } }
        }
        Benchmark("Peer, swift-configuration: Boolean, 100,000 reads on \(suffix)") { _ in
            read(threads: threads) { count in
                for _ in 0..<count { blackHole(config.bool(forKey: "enabled", default: false)) }
            }
        }
    }
}
