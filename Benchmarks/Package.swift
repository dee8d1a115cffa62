// swift-tools-version: 6.2
import PackageDescription

/// A checkout of Vexil 3 to measure beside, which the variable `VEXIL` names; its macros take minutes to build.
let vexil = Context.environment["VEXIL"]

let package = Package(
    name: "flagboard-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "flagboard", path: "..", traits: []),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    ] + (vexil.map { [.package(name: "Vexil", path: $0)] } ?? []),
    targets: [
        .executableTarget(
            name: "ReadingBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "FeatureFlags", package: "flagboard"),
                .product(name: "FeatureFlagsXML", package: "flagboard"),
            ] + (vexil == nil ? [] : [.product(name: "Vexil", package: "Vexil")]),
            path: "Benchmarks/ReadingBenchmarks",
            swiftSettings: [.swiftLanguageMode(.v6)] + (vexil == nil ? [] : [.define("VEXIL")]),
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
        .executableTarget(
            name: "Loading",
            dependencies: [.product(name: "FeatureFlagsXML", package: "flagboard")],
            path: "Benchmarks/Loading",
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
