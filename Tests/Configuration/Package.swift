// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since the trait is off in Flagboard's: all of that would be built anew with it.
let package = Package(
    name: "Configuration",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "flagboard", path: "../..", traits: ["Configuration"]),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    ],
    targets: [
        .testTarget(
            name: "ConfigurationTests",
            dependencies: [
                .product(name: "FeatureFlags", package: "flagboard"),
                .product(name: "FeatureFlagsConfiguration", package: "flagboard"),
                .product(name: "FeatureFlagsTesting", package: "flagboard"),
                .product(name: "FeatureFlagsXML", package: "flagboard"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ConfigurationTesting", package: "swift-configuration"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
