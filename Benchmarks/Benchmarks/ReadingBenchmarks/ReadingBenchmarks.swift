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
}

/// Reads one value over and over on several threads, so that one iteration is a million reads in all.
private func read(threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: threads) { _ in body(1_000_000 / threads) }
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
    let config = ConfigReader(
        provider: InMemoryProvider(values: ["enabled": true, "limit": 5, "title": "List"]))

    for threads in [1, 2] {
        let suffix = threads == 1 ? "1 thread" : "\(threads) threads"
        Benchmark("Flag: Boolean, a million reads on \(suffix)") { _ in
            read(threads: threads) { count in for _ in 0..<count { blackHole(flags.enabled) } }
        }
        Benchmark("Flag: integer, a million reads on \(suffix)") { _ in
            read(threads: threads) { count in for _ in 0..<count { blackHole(flags.limit) } }
        }
        Benchmark("Flag: text, a million reads on \(suffix)") { _ in
            read(threads: threads) { count in for _ in 0..<count { blackHole(flags.title) } }
        }
        Benchmark("Peer, swift-configuration: Boolean, a million reads on \(suffix)") { _ in
            read(threads: threads) { count in
                for _ in 0..<count { blackHole(config.bool(forKey: "enabled", default: false)) }
            }
        }
    }
}
