// swift-tools-version: 6.2
import PackageDescription

// An app that takes Flagboard with that trait alone, as `script/test-remote` builds it.
let package = Package(
    name: "Remote",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "flagboard", path: "../..", traits: ["Remote"])],
    targets: [
        .executableTarget(
            name: "Reader",
            dependencies: [
                .product(name: "FeatureFlags", package: "flagboard"),
                .product(name: "FeatureFlagsRemote", package: "flagboard"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
