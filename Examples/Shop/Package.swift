// swift-tools-version: 6.2
import PackageDescription

// Without traits the package brings the library alone: nothing of the dashboard is resolved or built.
let package = Package(
    name: "Shop",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "flagboard", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "FeatureFlags", package: "flagboard"),
                .product(name: "FeatureFlagsXML", package: "flagboard"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .executableTarget(
            name: "Till",
            dependencies: [
                .product(name: "FeatureFlags", package: "flagboard"),
                .product(name: "FeatureFlagsXML", package: "flagboard"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)],
            plugins: [.plugin(name: "GenerateFlags", package: "flagboard")]),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Shop",
                .product(name: "FeatureFlagsObservation", package: "flagboard"),
                .product(name: "FeatureFlagsTesting", package: "flagboard"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
