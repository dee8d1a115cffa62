import Benchmark
import Configuration
import FeatureFlags
import FeatureFlagsXML
import Foundation

private enum Theme: String, FlagProtocol, CaseIterable {
    case light, dark
}

private struct Flags: FlagCollectionProtocol {
    @Flag(default: false, description: "A Boolean")
    var enabled: Bool

    @Flag(default: 1, description: "A number")
    var limit: Int

    @Flag(default: "", description: "A text")
    var title: String

    @Flag(default: .light, description: "A choice")
    var theme: Theme

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

/// Registers the reads of a value of each kind on one thread.
///
/// `providers` are given the stored value.
private func register(_ name: String, providers: (FlagValue) -> [any FlagsProvider]) {
    register(name) { FlagsLoader(Flags.self, providers: providers($0)) }
}

private func register(_ name: String, loader: (FlagValue) -> FlagsLoader<Flags>) {
    func register<Value: FlagProtocol & Equatable>(
        _ kind: String, _ value: Value, _ stored: FlagValue, _ read: @escaping @Sendable (Flags) -> Value
    ) {
        let flags = loader(stored).loadedCollection
        guard read(flags) == value else { fatalError("the \(kind) \(name) has another value") }
        Benchmark("Flag: \(kind) \(name), 100,000 reads on 1 thread") { _ in
            for _ in 0..<100_000 { blackHole(read(flags)) }
        }
    }
    register("Boolean", true, true) { $0.enabled }
    register("integer", 5, 5) { $0.limit }
    register("text", "List", "List") { $0.title }
    register("choice", .dark, "dark") { $0.theme }
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
        try local.setStoredValue(.string("dark"), at: FlagKeyPath(components: ["theme"]))
    } catch {
        fatalError("the flags can't be written: \(error)")
    }
    let flags = FlagsLoader(Flags.self, providers: [local]).loadedCollection
    let memory = InMemoryProvider(values: ["enabled": true, "limit": 5, "title": "List", "theme": "dark"])
    let environment = EnvironmentProvider(prefix: "FLAGBOARD_BENCHMARK_", environment: [:])
    guard let defaults = UserDefaults(suiteName: "flagboard.benchmark"),
        let absent = UserDefaults(suiteName: "flagboard.benchmark.absent")
    else { fatalError("there is no such suite") }
    for (key, value) in ["enabled": true, "limit": 5, "title": "List", "theme": "dark"] as [String: Any] {
        defaults.set(value, forKey: key)
    }
    let config = ConfigReader(
        provider: Configuration.InMemoryProvider(values: ["enabled": true, "limit": 5, "title": "List"]))

    // Neither a computed value nor a dynamic default depends on the providers.
    Benchmark("Flag: Boolean that may be computed, 100,000 reads on 1 thread") { _ in
        for _ in 0..<100_000 { blackHole(flags.computed) }
    }
    Benchmark("Flag: Boolean with a dynamic default, 100,000 reads on 1 thread") { _ in
        for _ in 0..<100_000 { blackHole(flags.dynamic) }
    }
    register("in memory", providers: { _ in [memory] })
    register("behind the environment", providers: { _ in [environment, local] })
    register("of a provider that is asked each time", providers: { [AskedProvider(value: $0), local] })
    register("of a dynamic list") { _ in FlagsLoader(Flags.self, dynamicProviders: { [environment, local] }) }
    register("in UserDefaults", providers: { _ in [UserDefaultsProvider(defaults)] })
    register("in steady UserDefaults", providers: { _ in [UserDefaultsProvider(defaults, isSteady: true)] })
    register("behind UserDefaults that lack it", providers: { _ in [UserDefaultsProvider(absent), local] })
    Benchmark("Peer, Foundation: Boolean in UserDefaults, 100,000 reads on 1 thread") { _ in
        let suite = UserDefaults(suiteName: "flagboard.benchmark")
        for _ in 0..<100_000 { blackHole(suite?.bool(forKey: "enabled")) }
    }

    #if VEXIL
        registerVexil()
    #endif

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
        Benchmark("Flag: choice, 100,000 reads on \(suffix)") { _ in
            read(threads: threads) { count in for _ in 0..<count { blackHole(flags.theme) } }
        }
        Benchmark("Peer, swift-configuration: Boolean, 100,000 reads on \(suffix)") { _ in
            read(threads: threads) { count in
                for _ in 0..<count { blackHole(config.bool(forKey: "enabled", default: false)) }
            }
        }
    }
}
