// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "flagboard-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "flagboard", path: "..", traits: []),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "ReadingBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "FeatureFlags", package: "flagboard"),
                .product(name: "FeatureFlagsXML", package: "flagboard"),
            ],
            path: "Benchmarks/ReadingBenchmarks",
            swiftSettings: [.swiftLanguageMode(.v6)],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
        .executableTarget(
            name: "Loading",
            dependencies: [.product(name: "FeatureFlagsXML", package: "flagboard")],
            path: "Benchmarks/Loading",
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
