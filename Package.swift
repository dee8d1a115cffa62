// swift-tools-version: 6.2
import PackageDescription

/// The folders of `Sources`.
enum Floor: String {
    /// Module maps, and system calls that Swift's modules leave out.
    case c = "C"
    /// What an app links.
    case library = "Library"
    /// What writes: files, the history, changes.
    case store = "Store"
    /// Flags on many machines.
    case fleet = "Fleet"
    /// Code, references, and the command line.
    case tools = "Tools"
    /// Pages, forms, the API.
    case dashboard = "Dashboard"
}

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The packages of products that have another name.
let packages = [
    "ArgumentParser": "swift-argument-parser", "AsyncHTTPClient": "async-http-client", "CoreMetrics": "swift-metrics",
    "Configuration": "swift-configuration", "ConfigurationTesting": "swift-configuration", "Crypto": "swift-crypto",
    "GRDB": "GRDB.swift", "GRDBSQLite": "GRDB.swift",
    "HTTPTypes": "swift-http-types", "Hummingbird": "hummingbird", "HummingbirdCore": "hummingbird",
    "HummingbirdTesting": "hummingbird", "HummingbirdTLS": "hummingbird", "Logging": "swift-log",
    "NIOCore": "swift-nio", "NIOHTTP1": "swift-nio", "NIOHTTPCompression": "swift-nio-extras",
    "NIOPosix": "swift-nio", "NIOSSL": "swift-nio-ssl", "ServiceLifecycle": "swift-service-lifecycle",
    "SwiftParser": "swift-syntax", "SwiftSyntax": "swift-syntax", "UnixSignals": "swift-service-lifecycle",
]

/// Products that are not even resolved where a package asks for none of the traits.
func products(_ names: [String], behind trait: String) -> [Target.Dependency] {
    names.map { .product(name: $0, package: packages[$0] ?? $0, condition: .when(traits: [trait])) }
}

/// What only the dashboard needs.
func server(_ names: String...) -> [Target.Dependency] { products(names, behind: "Server") }

/// What reads flags from other machines.
func remote(_ names: String...) -> [Target.Dependency] { products(names, behind: "Remote") }

/// What reads flags as configuration.
func configuration(_ names: String...) -> [Target.Dependency] { products(names, behind: "Configuration") }

func library(
    _ floor: Floor, _ name: String, _ dependencies: [Target.Dependency] = [], plugins: [Target.PluginUsage] = [],
    linkerSettings: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(floor.rawValue)/\(name)", swiftSettings: strict,
        linkerSettings: linkerSettings, plugins: plugins)
}

func program(_ floor: Floor, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(floor.rawValue)/\(name)", swiftSettings: strict)
}

func cCalls(_ name: String) -> Target { .target(name: name, path: "Sources/\(Floor.c.rawValue)/\(name)") }

/// The tests of a target, which use it and what else they name.
func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + dependencies, swiftSettings: strict)
}

let package = Package(
    name: "flagboard",
    // The first systems that have Mutex and Int128.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "FeatureFlags", targets: ["FeatureFlags"]),
        .library(name: "FeatureFlagsXML", targets: ["FeatureFlagsXML", "DurableFiles"]),
        .library(name: "FeatureFlagsObservation", targets: ["FeatureFlagsObservation"]),
        .library(name: "FeatureFlagsTesting", targets: ["FeatureFlagsTesting"]),
        .library(name: "FeatureFlagsConfiguration", targets: ["FeatureFlagsConfiguration"]),
        .library(name: "FeatureFlagsConnection", targets: ["FeatureFlagsConnection"]),
        .library(name: "FeatureFlagsRemote", targets: ["FeatureFlagsRemote"]),
        .plugin(name: "GenerateFlags", targets: ["GenerateFlags"]),
        .library(name: "Flagboard", targets: ["Flagboard", "FlagChanges"]),
        .executable(name: "flagboard", targets: ["FlagboardCommand"]),
        .executable(name: "flagboard-references", targets: ["FlagReferencesTool"]),
    ],
    traits: [
        .trait(
            name: "Server", description: "The dashboard, its history and the command line.", enabledTraits: ["Remote"]),
        .trait(name: "Remote", description: "Flags from other machines, over HTTP."),
        .trait(name: "Configuration", description: "Flags as configuration, and configuration as flags."),
        .default(enabledTraits: ["Server", "Configuration"]),
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
        .systemLibrary(
            name: "CLibXML2", path: "Sources/C/CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // Swift's C library modules leave out the system calls that swap two files, and those for their attributes.
        cCalls("CFileCalls"),
        // They leave out mallopt as well.
        cCalls("CMemoryCalls"),

        library(.store, "DurableFiles", ["CFileCalls"]),
        library(.library, "FeatureFlags"),
        library(
            .library, "FeatureFlagsXML",
            // Apple's SDKs have a module of libxml2, which links nothing.
            ["FeatureFlags", .target(name: "CLibXML2", condition: .when(platforms: [.linux])), "DurableFiles"],
            linkerSettings: [
                .linkedLibrary("xml2", .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]))
            ]),
        library(.library, "FeatureFlagsObservation", ["FeatureFlags"]),
        library(.library, "FeatureFlagsTesting", ["FeatureFlags"]),
        library(.library, "FeatureFlagsConnection", ["DurableFiles", "FeatureFlags", "FeatureFlagsXML"]),
        library(
            .library, "FeatureFlagsConfiguration",
            ["DurableFiles", "FeatureFlags", "FeatureFlagsXML"] + configuration("Configuration")),
        library(
            .library, "FeatureFlagsRemote",
            ["DurableFiles", "FeatureFlags", "FeatureFlagsXML"]
                + remote("AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOHTTPCompression", "NIOPosix", "NIOSSL")),

        library(.store, "FlagHistory", ["DurableFiles", "FeatureFlags"] + server("GRDB", "GRDBSQLite", "Crypto")),
        library(.store, "FlagChanges", ["DurableFiles", "FeatureFlags", "FeatureFlagsXML", "FlagHistory"]),

        library(
            .fleet, "FlagPublishing",
            ["DurableFiles", "FeatureFlags", "FeatureFlagsRemote", "FeatureFlagsXML", "FlagChanges", "FlagHistory"]),
        library(
            .fleet, "FlagReplicas",
            ["DurableFiles", "FeatureFlags", "FeatureFlagsRemote", "FeatureFlagsXML", "FlagChanges", "FlagHistory"]
                + remote("AsyncHTTPClient", "NIOCore")),
        library(
            .fleet, "FlagApps",
            ["DurableFiles", "FeatureFlags", "FeatureFlagsConnection", "FeatureFlagsXML", "FlagChanges"]),
        library(
            .fleet, "FlagWebhooks",
            ["DurableFiles", "FeatureFlags", "FlagChanges", "FlagHistory"]
                + server("AsyncHTTPClient", "Crypto", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL")),

        // Swift source that declares the flags of a manifest, and what makes it while an app is built: without the dashboard.
        library(.tools, "FlagCode", ["FeatureFlags", "FeatureFlagsXML"]),
        program(.tools, "GenerateFlagsTool", ["DurableFiles", "FeatureFlagsXML", "FlagCode"]),
        .plugin(name: "GenerateFlags", capability: .buildTool(), dependencies: ["GenerateFlagsTool"]),
        // Puts Templates and Public into the program, and lists the properties that they show.
        program(.tools, "GeneratePagesTool", []),
        .plugin(
            name: "GeneratePages", capability: .buildTool(),
            dependencies: [.target(name: "GeneratePagesTool", condition: .when(traits: ["Server"]))]),
        library(.tools, "FlagReferences", ["DurableFiles", "FeatureFlags"]),
        // Parses the source code: a product of its own, since swift-syntax takes long to build.
        program(
            .tools, "FlagReferencesTool", ["FeatureFlags", "FlagReferences"] + server("SwiftParser", "SwiftSyntax")),

        library(.dashboard, "PrometheusMetrics", server("CoreMetrics")),
        library(
            .dashboard, "Flagboard",
            [
                "DurableFiles", "FeatureFlags", "FeatureFlagsXML", "FlagChanges", "FlagCode", "FlagHistory",
                "FlagReferences", "FlagWebhooks", "PrometheusMetrics",
                .target(name: "CZlib", condition: .when(traits: ["Server"])),
            ]
                + server(
                    "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "HTTPTypes", "CoreMetrics", "Logging",
                    "NIOCore",
                    "NIOHTTP1", "NIOPosix", "ServiceLifecycle"),
            plugins: ["GeneratePages"]),

        program(
            .tools, "FlagboardCommand",
            [
                "CMemoryCalls", "DurableFiles", "FeatureFlagsXML", "FeatureFlags", "FlagApps", "FlagChanges",
                "FlagCode",
                "FlagHistory", "FlagPublishing", "FlagReferences", "FlagReplicas", "FlagWebhooks", "FeatureFlagsRemote",
                "Flagboard", "PrometheusMetrics",
            ]
                + server(
                    "ArgumentParser", "AsyncHTTPClient", "CoreMetrics", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix",
                    "ServiceLifecycle", "UnixSignals")),

        // An example that the tests start; no product, so that nobody who takes the package builds it.
        .executableTarget(
            name: "EmbeddedShop",
            dependencies: ["FeatureFlags", "FeatureFlagsXML", "FlagChanges", "Flagboard"] + server("Hummingbird"),
            path: "Examples/EmbeddedShop", exclude: ["README.md"], swiftSettings: strict),
        // A running app that connects to the dashboard; no product either.
        .executableTarget(
            name: "ConnectedShop", dependencies: ["FeatureFlags", "FeatureFlagsConnection", "FeatureFlagsXML"],
            path: "Examples/ConnectedShop", exclude: ["README.md"], swiftSettings: strict),
        // Reads flags over the network, for the tests that kill what it reads from, and flags of many types; no product either.
        .executableTarget(
            name: "FlagReader", dependencies: ["FeatureFlags", "FeatureFlagsRemote", "FeatureFlagsXML"],
            path: "Tests/Reader", swiftSettings: strict),
        // The clock of the tests that move the time on themselves.
        .target(name: "TestClock", path: "Tests/TestClock", swiftSettings: strict),

        tests(of: "DurableFiles"),
        tests(of: "FeatureFlags", ["FeatureFlagsTesting"]),
        tests(of: "FeatureFlagsTesting", ["FeatureFlags"]),
        tests(
            of: "FeatureFlagsObservation",
            ["FeatureFlags", "FeatureFlagsTesting", "FeatureFlagsXML"]),
        tests(of: "FeatureFlagsXML", ["DurableFiles", "FeatureFlags", "FeatureFlagsTesting"]),
        tests(
            of: "FeatureFlagsConfiguration",
            ["FeatureFlags", "FeatureFlagsTesting", "FeatureFlagsXML"]
                + configuration("Configuration", "ConfigurationTesting")),
        tests(
            of: "FeatureFlagsRemote",
            ["DurableFiles", "FeatureFlags", "FeatureFlagsTesting", "FeatureFlagsXML", "TestClock"]
                + remote("AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL")
                + server("Hummingbird", "HummingbirdTLS", "HummingbirdTesting", "HTTPTypes")),
        tests(of: "FlagHistory", ["DurableFiles", "FeatureFlags"] + server("GRDB")),
        tests(
            of: "FlagChanges",
            ["DurableFiles", "FeatureFlags", "FeatureFlagsXML", "FlagHistory", "TestClock"] + server("GRDB")),
        tests(
            of: "FlagPublishing",
            [
                "DurableFiles", "FeatureFlags", "FeatureFlagsRemote", "FeatureFlagsTesting", "FlagChanges",
                "FlagHistory",
                "TestClock",
            ]),
        tests(
            of: "FlagApps",
            ["DurableFiles", "FeatureFlags", "FeatureFlagsConnection", "FeatureFlagsXML", "FlagChanges", "FlagHistory"]),
        tests(of: "FlagReferences", ["DurableFiles", "FeatureFlags", "FlagReferencesTool"]),
        tests(
            of: "FlagWebhooks",
            ["DurableFiles", "FeatureFlags", "FlagChanges", "FlagHistory", "TestClock"]
                + server("Hummingbird", "HTTPTypes", "Logging", "NIOCore")),
        tests(of: "PrometheusMetrics", server("CoreMetrics")),
        tests(
            of: "Flagboard",
            [
                "DurableFiles", "FeatureFlags", "FeatureFlagsRemote", "FeatureFlagsXML", "FlagChanges", "FlagCode",
                "FlagHistory",
                "FlagReferences",
                "FlagWebhooks", "PrometheusMetrics", .target(name: "CZlib", condition: .when(traits: ["Server"])),
            ]
                + server(
                    "Hummingbird", "HummingbirdCore", "HummingbirdTesting", "HTTPTypes", "Logging", "NIOCore",
                    "NIOHTTP1", "NIOPosix", "ServiceLifecycle")),
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
            || name.hasPrefix("FeatureFlags") && !name.hasPrefix("FeatureFlagsConfiguration")
                && !name.hasPrefix("FeatureFlagsRemote")
    }
    package.targets.removeAll { !isKept($0.name) }
    package.products.removeAll { !isKept($0.name) }
    package.dependencies = []
}
