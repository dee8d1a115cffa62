// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// What only the dashboard needs stands behind the `Server` trait, so that an app that only reads flags
/// (`traits: []`) does not even resolve it.
func server(_ product: String, package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

/// What reads flags from other machines stands behind the `Remote` trait.
func remote(_ product: String, package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Remote"]))
}

let package = Package(
    name: "flagboard",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "FeatureFlags", targets: ["FeatureFlags"]),
        .library(name: "FeatureFlagsXML", targets: ["FeatureFlagsXML", "DurableFiles"]),
        .library(name: "FeatureFlagsTesting", targets: ["FeatureFlagsTesting"]),
        .library(name: "FeatureFlagsConfiguration", targets: ["FeatureFlagsConfiguration"]),
        .library(name: "FeatureFlagsRemote", targets: ["FeatureFlagsRemote"]),
        .plugin(name: "GenerateFlags", targets: ["GenerateFlags"]),
        .library(name: "Flagboard", targets: ["Flagboard", "FlagChanges"]),
        .executable(name: "flagboard", targets: ["FlagboardCommand"]),
    ],
    traits: [
        .trait(
            name: "Server", description: "The dashboard, its history and the command line.", enabledTraits: ["Remote"]),
        .trait(name: "Remote", description: "Flags from other machines, over HTTP."),
        .trait(name: "Configuration", description: "Flags as configuration, and configuration as flags."),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        .target(name: "FeatureFlags", swiftSettings: strict),
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // Swift's C library modules leave out the system calls that swap two files, and those for their attributes.
        .target(name: "CFileCalls"),
        // They leave out mallopt as well.
        .target(name: "CMemoryCalls"),
        .target(name: "DurableFiles", dependencies: ["CFileCalls"], swiftSettings: strict),
        .target(
            name: "FeatureFlagsXML", dependencies: ["FeatureFlags", "CLibXML2", "DurableFiles"], swiftSettings: strict),
        .target(name: "FeatureFlagsTesting", dependencies: ["FeatureFlags"], swiftSettings: strict),
        // Swift source that declares the flags of a manifest, and what makes it while an app is built: without the dashboard.
        .target(name: "FlagCode", dependencies: ["FeatureFlags", "FeatureFlagsXML"], swiftSettings: strict),
        .executableTarget(
            name: "GenerateFlagsTool", dependencies: ["DurableFiles", "FeatureFlagsXML", "FlagCode"],
            swiftSettings: strict),
        .plugin(name: "GenerateFlags", capability: .buildTool(), dependencies: ["GenerateFlagsTool"]),
        .target(
            name: "FeatureFlagsConfiguration",
            dependencies: [
                "DurableFiles", "FeatureFlags", "FeatureFlagsXML",
                .product(
                    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"])),
            ],
            swiftSettings: strict),
        .target(
            name: "FeatureFlagsRemote",
            dependencies: [
                "DurableFiles",
                "FeatureFlags",
                "FeatureFlagsXML",
                remote("AsyncHTTPClient", package: "async-http-client"),
                remote("NIOCore", package: "swift-nio"),
                remote("NIOHTTP1", package: "swift-nio"),
                remote("NIOHTTPCompression", package: "swift-nio-extras"),
                remote("NIOPosix", package: "swift-nio"),
                remote("NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),
        .target(
            name: "FlagHistory",
            dependencies: [
                "DurableFiles",
                "FeatureFlags",
                server("GRDB", package: "GRDB.swift"),
                server("GRDBSQLite", package: "GRDB.swift"),
                server("Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .target(
            name: "FlagChanges", dependencies: ["DurableFiles", "FeatureFlags", "FeatureFlagsXML", "FlagHistory"],
            swiftSettings: strict),
        .target(
            name: "FlagPublishing",
            dependencies: ["FeatureFlags", "FeatureFlagsRemote", "FeatureFlagsXML", "FlagChanges", "FlagHistory"],
            swiftSettings: strict),
        .target(
            name: "FlagReferences",
            dependencies: [
                "DurableFiles",
                "FeatureFlags",
                server("SwiftParser", package: "swift-syntax"),
                server("SwiftSyntax", package: "swift-syntax"),
            ],
            swiftSettings: strict),
        .target(
            name: "FlagReplicas",
            dependencies: [
                "DurableFiles", "FeatureFlags", "FeatureFlagsRemote", "FeatureFlagsXML", "FlagChanges", "FlagHistory",
                remote("AsyncHTTPClient", package: "async-http-client"), remote("NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .target(
            name: "PrometheusMetrics", dependencies: [server("CoreMetrics", package: "swift-metrics")],
            swiftSettings: strict),
        .target(
            name: "FlagWebhooks",
            dependencies: [
                "DurableFiles",
                "FeatureFlags",
                "FlagChanges",
                "FlagHistory",
                server("AsyncHTTPClient", package: "async-http-client"),
                server("Crypto", package: "swift-crypto"),
                server("NIOCore", package: "swift-nio"),
                server("NIOHTTP1", package: "swift-nio"),
                server("NIOPosix", package: "swift-nio"),
                server("NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),
        .target(
            name: "Flagboard",
            dependencies: [
                "DurableFiles",
                "FeatureFlags",
                "FeatureFlagsXML",
                "FlagChanges",
                "FlagCode",
                "FlagHistory",
                "FlagReferences",
                "FlagWebhooks",
                "PrometheusMetrics",
                .target(name: "CZlib", condition: .when(traits: ["Server"])),
                server("Hummingbird", package: "hummingbird"),
                server("HummingbirdCore", package: "hummingbird"),
                server("HummingbirdTLS", package: "hummingbird"),
                server("HTTPTypes", package: "swift-http-types"),
                server("CoreMetrics", package: "swift-metrics"),
                server("Logging", package: "swift-log"),
                server("NIOCore", package: "swift-nio"),
                server("NIOHTTP1", package: "swift-nio"),
                server("NIOPosix", package: "swift-nio"),
                server("ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "FlagboardCommand",
            dependencies: [
                "CMemoryCalls",
                "DurableFiles",
                "FeatureFlagsXML",
                "FeatureFlags",
                "FlagChanges",
                "FlagCode",
                "FlagHistory",
                "FlagPublishing",
                "FlagReferences",
                "FlagReplicas",
                "FlagWebhooks",
                "FeatureFlagsRemote",
                "Flagboard",
                "PrometheusMetrics",
                server("ArgumentParser", package: "swift-argument-parser"),
                server("AsyncHTTPClient", package: "async-http-client"),
                server("CoreMetrics", package: "swift-metrics"),
                server("Logging", package: "swift-log"),
                server("NIOCore", package: "swift-nio"),
                server("NIOHTTP1", package: "swift-nio"),
                server("NIOPosix", package: "swift-nio"),
                server("ServiceLifecycle", package: "swift-service-lifecycle"),
                server("UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // An example that the tests start; no product, so that nobody who takes the package builds it.
        .executableTarget(
            name: "EmbeddedShop",
            dependencies: [
                "FeatureFlags", "FeatureFlagsXML", "FlagChanges", "Flagboard",
                server("Hummingbird", package: "hummingbird"),
            ],
            path: "Examples/EmbeddedShop", exclude: ["README.md"], swiftSettings: strict),
        // Reads flags over the network, for the tests that kill what it reads from; no product either.
        .executableTarget(
            name: "FlagReader", dependencies: ["FeatureFlags", "FeatureFlagsRemote"], path: "Tests/Reader",
            swiftSettings: strict),
        // The clock of the tests that move the time on themselves.
        .target(name: "TestClock", path: "Tests/TestClock", swiftSettings: strict),
        .testTarget(name: "DurableFilesTests", dependencies: ["DurableFiles"], swiftSettings: strict),
        .testTarget(
            name: "FeatureFlagsTests", dependencies: ["FeatureFlags", "FeatureFlagsTesting"], swiftSettings: strict),
        .testTarget(
            name: "FeatureFlagsTestingTests", dependencies: ["FeatureFlags", "FeatureFlagsTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "FeatureFlagsXMLTests", dependencies: ["DurableFiles", "FeatureFlagsXML", "FeatureFlagsTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "FeatureFlagsRemoteTests",
            dependencies: [
                "DurableFiles",
                "FeatureFlags",
                "FeatureFlagsRemote",
                "FeatureFlagsTesting",
                "FeatureFlagsXML",
                "TestClock",
                remote("AsyncHTTPClient", package: "async-http-client"),
                remote("NIOCore", package: "swift-nio"),
                remote("NIOHTTP1", package: "swift-nio"),
                remote("NIOPosix", package: "swift-nio"),
                remote("NIOSSL", package: "swift-nio-ssl"),
                server("Hummingbird", package: "hummingbird"),
                server("HummingbirdTLS", package: "hummingbird"),
                server("HummingbirdTesting", package: "hummingbird"),
                server("HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FlagHistoryTests",
            dependencies: [
                "DurableFiles",
                "FlagHistory",
                server("GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FlagChangesTests",
            dependencies: [
                "DurableFiles",
                "FeatureFlags",
                "FeatureFlagsXML",
                "FlagChanges",
                "FlagHistory",
                "TestClock",
                server("GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FlagPublishingTests",
            dependencies: [
                "DurableFiles", "FeatureFlags", "FeatureFlagsRemote", "FeatureFlagsTesting", "FlagChanges",
                "FlagHistory",
                "FlagPublishing",
                "TestClock",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FlagReferencesTests", dependencies: ["DurableFiles", "FeatureFlags", "FlagReferences"],
            swiftSettings: strict),
        .testTarget(
            name: "FlagWebhooksTests",
            dependencies: [
                "DurableFiles",
                "FeatureFlags",
                "FlagChanges",
                "FlagHistory",
                "FlagWebhooks",
                "TestClock",
                server("Hummingbird", package: "hummingbird"),
                server("HTTPTypes", package: "swift-http-types"),
                server("Logging", package: "swift-log"),
                server("NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: ["PrometheusMetrics", server("CoreMetrics", package: "swift-metrics")],
            swiftSettings: strict),
        .testTarget(
            name: "FlagboardTests",
            dependencies: [
                "FeatureFlags",
                "FeatureFlagsRemote",
                "FlagChanges",
                "FlagCode",
                "FlagHistory",
                "FlagReferences",
                "FlagWebhooks",
                "Flagboard",
                "PrometheusMetrics",
                .target(name: "CZlib", condition: .when(traits: ["Server"])),
                server("Hummingbird", package: "hummingbird"),
                server("HummingbirdCore", package: "hummingbird"),
                server("HummingbirdTesting", package: "hummingbird"),
                server("HTTPTypes", package: "swift-http-types"),
                server("Logging", package: "swift-log"),
                server("NIOCore", package: "swift-nio"),
                server("NIOHTTP1", package: "swift-nio"),
                server("NIOPosix", package: "swift-nio"),
                server("ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
    ]
)

// The libraries that an app takes and their tests, without all that the dashboard needs: a tenth of the time to build. The
// traits stay declared, since a package that asks for `traits: []` is refused where there are none.
if Context.environment["FLAGBOARD_LIBRARIES_ALONE"] != nil {
    let others = [
        "CLibXML2", "CFileCalls", "DurableFiles", "DurableFilesTests", "FlagCode", "GenerateFlags", "GenerateFlagsTool",
    ]
    let isKept = { (name: String) in
        others.contains(name)
            || name.hasPrefix("FeatureFlags") && name != "FeatureFlagsConfiguration"
                && !name.hasPrefix("FeatureFlagsRemote")
    }
    package.targets.removeAll { !isKept($0.name) }
    package.products.removeAll { !isKept($0.name) }
    package.dependencies = []
}
