import FeatureFlags
import FeatureFlagsTesting
import Synchronization
import Testing

private struct Features: FlagCollectionProtocol {
    @Flag(description: "Blue text")
    var blueText: Bool

    @Flag(default: true, description: "On by default")
    var newURLFormat: Bool

    @Flag(key: "Tabs", description: FlagMetadata(description: "Tab bar", requiresRestart: true))
    var useTabBar: Bool

    @Flag(dynamicDefault: { Today.isTuesday }, description: "On Tuesdays")
    var tuesdayExperiment: Bool

    @FlagCollection(keyConfiguration: .skip, description: "Lists")
    var list: Lists
}

private struct Lists: FlagCollectionProtocol {
    @FlagCollection(keyConfiguration: .skip, description: "Nested")
    var nested: Nested
}

private struct Nested: FlagCollectionProtocol {
    @Flag(default: true, description: "Endless")
    var infiniteScroll: Bool
}

private enum Today {
    @TaskLocal static var isTuesday = false
}

/// A client of a remote service, in the place of Flurry's.
private enum RemoteConfig {
    @TaskLocal static var values: [String: Bool] = [:]
}

extension Flag where Value == Bool {
    /// A feature whose default a remote service knows by the feature's key, in the place of `FConfigFeature`.
    fileprivate init(remoteDefault: Bool, _ description: FlagMetadata) {
        self.init(
            dynamicDefault: { (feature: Flag<Bool>) in RemoteConfig.values[feature.keyPath.leaf] ?? remoteDefault },
            description: description)
    }
}

private struct RemoteFeatures: FlagCollectionProtocol {
    @Flag(remoteDefault: false, "Red buttons") var redButtons: Bool
    @Flag(remoteDefault: true, "Round buttons") var roundButtons: Bool
}

/// What section 2 of the list of seed systems says of Override, a test for each claim.
@Suite("Override")
struct OverrideRowsTests {
    private let store = InMemoryProvider()
    private let manager: FlagsManager
    private let features: FlagsLoader<Features>

    init() {
        manager = FlagsManager(providers: [store], keyConfiguration: KeyConfiguration(keyTransform: .none))
        features = manager.addCollection(Features.self)
    }

    @Test("A value from a remote server is the default, and one that somebody set on top of it an override")
    func remote() throws {
        let remote = InMemoryProvider(name: "Remote", values: ["flag": .bool(true)], isWritable: false)
        let overrides = InMemoryProvider(name: "Overrides")
        let pair = OverridableProvider(name: "Pair", provider: remote, override: InMemoryProvider(name: "Memory"))
        for (providers, target) in [([overrides, remote] as [any FlagsProvider], "Overrides"), ([pair], "Pair")] {
            let manager = FlagsManager(providers: providers)
            let flag = Flag<Bool>(key: "flag", default: false, description: "Somewhere else")
            try manager.register(flag)
            #expect(flag.wrappedValue && flag.override == .featureDefault && !flag.isOverridden)
            #expect(flag.explain().state == .on && manager.featureFlags.summary(of: .overridden).isEmpty)
            try flag.set(false, in: target)
            #expect(flag.override == .disabled && flag.explain().state == .overriddenOff && flag.isOverridden)
            try flag.setOverride(.featureDefault)
            #expect(flag.wrappedValue && flag.override == .featureDefault)
        }
    }

    @Test("A feature has a key, a restart requirement, and is off by default")
    func feature() {
        #expect(!features.blueText && !features.$blueText.isEnabled)
        #expect(features.$useTabBar.keyPath.flatKey == "Tabs" && features.$useTabBar.metadata.requiresRestart)
    }

    @Test("Enabled is the override, else the default")
    func enabled() {
        #expect(features.$newURLFormat.isEnabled && features.$newURLFormat.override == .featureDefault)
        features.$newURLFormat.override = .disabled
        #expect(!features.$newURLFormat.isEnabled)
        features.$newURLFormat.override = .featureDefault
        #expect(features.$newURLFormat.isEnabled)
    }

    @Test("A Boolean has four visible states: on, off, overridden on, overridden off")
    func states() {
        #expect(features.$newURLFormat.explain().state == .on)
        #expect(features.$blueText.explain().state == .off)
        features.$newURLFormat.override = .enabled
        features.$blueText.override = .disabled
        #expect(features.$newURLFormat.explain().state == .overriddenOn, "though the default says the same")
        #expect(features.$blueText.explain().state == .overriddenOff)
    }

    @Test("A dynamic feature's default is computed on each read, and an override wins")
    func dynamic() {
        #expect(!features.tuesdayExperiment)
        Today.$isTuesday.withValue(true) {
            #expect(features.tuesdayExperiment)
            features.$tuesdayExperiment.override = .disabled
            #expect(!features.tuesdayExperiment)
            features.$tuesdayExperiment.override = .featureDefault
        }
        #expect(!features.tuesdayExperiment)
    }

    @Test("A kind of feature of one's own asks a remote service by the feature's key, which is written once")
    func remoteFeature() {
        let features = manager.addCollection(RemoteFeatures.self)
        RemoteConfig.$values.withValue(["redButtons": true]) {
            #expect(features.redButtons && features.roundButtons)
            #expect(features.$redButtons.explain().state == .on, "the remote value is no override")
            features.$redButtons.override = .disabled
            #expect(!features.redButtons)
        }
        features.$redButtons.override = .featureDefault
        #expect(!features.redButtons && features.roundButtons)
    }

    @Test("A group nests and organises only: it is no part of the key")
    func groups() {
        let flag = features.list.nested.$infiniteScroll
        #expect(flag.keyPath.components == ["infiniteScroll"])
        #expect(flag.groups == ["List", "Nested"])
    }

    @Test("A feature is added at run time with its saved override; one of a key that is there already is an error")
    func adding() throws {
        try store.setStoredValue(true, at: keyPath("beta"))
        let beta = Flag<Bool>(key: "beta", description: "Beta")
        try manager.register(beta)
        #expect(beta.isEnabled)
        for key in ["beta", "blueText", "infiniteScroll"] {
            #expect(throws: FlagError.self) { try manager.register(Flag(key: key, default: 0, description: "")) }
        }
    }

    @Test("A feature that is added by force takes the place of the one before")
    func forced() throws {
        try manager.register(Flag<Bool>(key: "beta", description: "Beta"))
        let second = Flag(key: "beta", default: true, description: "Beta, again")
        try manager.register(second, forced: true)
        #expect(second.isEnabled)
        #expect(manager.featureFlags.filter { $0.keyPath == second.keyPath }.map(\.description) == ["Beta, again"])
    }

    @Test(
        "The enabled, disabled, overridden and all features are described as text, with their groups",
        arguments: [
            (FlagSelection.enabled, ["New URL Format [ON by default]"]),
            (
                .disabled,
                [
                    "Blue Text [OFF by default]", "Use Tab Bar [OFF by default]", "Tuesday Experiment [OFF by default]",
                    "List → Nested → Infinite Scroll [OFF by override]",
                ]
            ),
            (.overridden, ["List → Nested → Infinite Scroll [OFF by override]"]),
            (
                .all,
                [
                    "Blue Text [OFF by default]", "New URL Format [ON by default]", "Use Tab Bar [OFF by default]",
                    "Tuesday Experiment [OFF by default]",
                    "List → Nested → Infinite Scroll [OFF by override]",
                ]
            ),
        ])
    func summary(selection: FlagSelection, lines: [String]) {
        features.list.nested.$infiniteScroll.override = .disabled
        #expect(manager.featureFlags.summary(of: selection).split(separator: "\n").map(String.init) == lines)
    }

    @Test("Labels are made of camel case")
    func labels() {
        #expect(features.$newURLFormat.name == "New URL Format")
    }

    @Test("What requires a restart is listed from its change on, and not when it is changed back")
    func restart() {
        features.$blueText.override = .enabled
        features.$useTabBar.override = .enabled
        #expect(manager.flagsAwaitingRestart.map(\.name) == ["Use Tab Bar"])
        features.$useTabBar.override = .featureDefault
        #expect(manager.flagsAwaitingRestart.isEmpty)
    }

    @Test("All overrides are reset at once")
    func resetAll() throws {
        features.$blueText.override = .enabled
        features.list.nested.$infiniteScroll.override = .disabled
        try manager.resetAll()
        #expect(manager.featureFlags.summary(of: .overridden).isEmpty)
    }

    @Test("A reset of all overrides leaves a remote server's values, which the summary has as defaults")
    func resetAllBesideRemote() throws {
        let remote = InMemoryProvider(
            name: "Remote", values: ["blueText": .bool(true), "newURLFormat": .bool(false)], isWritable: false)
        let manager = FlagsManager(
            providers: [InMemoryProvider(name: "Overrides"), remote],
            keyConfiguration: KeyConfiguration(keyTransform: .none))
        let features = manager.addCollection(Features.self)
        features.$blueText.override = .disabled
        #expect(manager.featureFlags.summary(of: .overridden) == "Blue Text [OFF by override]")
        try manager.resetAll()
        #expect(features.blueText && !features.newURLFormat)
        #expect(manager.featureFlags.summary(of: .overridden).isEmpty)
        #expect(manager.featureFlags.summary(of: .enabled).hasPrefix("Blue Text [ON by default]"))
        #expect(manager.featureFlags.summary(of: .disabled).hasPrefix("New URL Format [OFF by default]"))
    }

    @Test("withFlag runs a body with the flag on or off, and restores it")
    func withFeature() async {
        withFlag(features.$blueText).enabled { #expect(features.blueText) }
        withFlag(features.$newURLFormat).disabled { #expect(!features.newURLFormat) }
        #expect(!features.blueText && features.newURLFormat)
    }

    @Test("withFlags runs a body with several flags on")
    func withFeatures() async {
        await withFlags([features.$blueText, features.list.nested.$infiniteScroll]).enabled {
            await Task.yield()
            #expect(features.blueText && features.list.nested.infiniteScroll)
        }
        #expect(!features.blueText)
    }
}
