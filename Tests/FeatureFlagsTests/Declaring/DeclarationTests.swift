import FeatureFlags
import Foundation
import Testing

/// Collections written as RealFlags' documents write them.
private struct AppFlags: FlagCollectionProtocol {
    @Flag(default: true, description: "Show social login options along native login form")
    var showSocialLogin: Bool

    @Flag(default: 0, description: "Maximum login attempts before blocking account")
    var maxLoginAttempts: Int

    @Flag(key: "rating_mode", default: "at_launch", description: "The behaviour to show the rating popup")
    var appReviewRating: String

    @Flag(key: "ios_app_rating_mode", description: "What kind of popup to show")
    var ratingMode: String?

    @FlagCollection(description: "Checkout Flags")
    var checkout: CheckoutFlags

    @FlagCollection(keyConfiguration: .skip, description: "Group 1")
    var firstGroup: FirstGroup

    init() {}
}

private struct CheckoutFlags: FlagCollectionProtocol {
    @Flag(
        name: "Awesome Property", key: "my_awesome_prop", default: 0,
        excludedProviders: [EmptyProvider.self], description: "This is a description of the property")
    var awesomeProperty: Int

    @Flag(default: [2, 3, 5], description: "Nested array")
    var nestedArray: [Int]

    @Flag(
        default: false,
        description: FlagMetadata(
            name: "Ship it", description: "Some text", order: 3, isInternal: true, uiIcon: "ship", isLocked: true))
    var myURLPath2Go: Bool

    @FlagCollection(keyConfiguration: .kebabCase, description: "Deep")
    var deepDown: FirstGroup

    @FlagCollection(keyConfiguration: .custom("fixed"), description: "Custom")
    var another: FirstGroup

    @FlagCollection(key: "Own/Key", description: "With a key of its own")
    var keyed: FirstGroup
}

private struct FirstGroup: FlagCollectionProtocol {
    @Flag(default: false, description: "Second level test flag")
    var secondLevelFlag: Bool
}

private struct EmptyProvider: FlagsProvider {
    let name = "Empty"
    let isWritable = false

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? { nil }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws { throw FlagValueError("read-only") }
}

@Suite("Declaring flags as RealFlags does")
struct DeclarationTests {
    private let flags = FlagsLoader(AppFlags.self, providers: [])

    @Test("Key paths are made from the names of properties and groups")
    func keyPaths() {
        #expect(flags.$showSocialLogin.keyPath.flatKey == "show_social_login")
        #expect(flags.$appReviewRating.keyPath.flatKey == "rating_mode")
        #expect(flags.$ratingMode.keyPath.flatKey == "ios_app_rating_mode")
        #expect(flags.checkout.$awesomeProperty.keyPath.flatKey == "checkout/my_awesome_prop")
        #expect(flags.checkout.$myURLPath2Go.keyPath.components == ["checkout", "my_urlpath2_go"])
        #expect(flags.checkout.deepDown.$secondLevelFlag.keyPath.flatKey == "checkout/deep-down/second_level_flag")
        #expect(flags.checkout.another.$secondLevelFlag.keyPath.flatKey == "checkout/fixed/second_level_flag")
    }

    @Test("A group that is skipped adds nothing to the key paths of its flags")
    func skippedGroup() {
        #expect(flags.firstGroup.$secondLevelFlag.keyPath.flatKey == "second_level_flag")
        #expect(flags.firstGroup.$secondLevelFlag.groups == ["First Group"])
        #expect(flags.$firstGroup.keyPath == nil)
    }

    @Test("A key replaces the last component alone, untransformed, and is never split")
    func fixedKeys() {
        #expect(
            flags.checkout.keyed.$secondLevelFlag.keyPath.components == ["checkout", "Own/Key", "second_level_flag"])
        #expect(flags.checkout.keyed.$secondLevelFlag.keyPath.text == "checkout/Own~1Key/second_level_flag")
    }

    @Test(
        "The key configuration sets prefix, separator and transform",
        arguments: [
            (
                KeyConfiguration(prefix: "myapp_", pathSeparator: ".", keyTransform: .snakeCase),
                "myapp_.checkout.my_awesome_prop", "myapp_.show_social_login"
            ),
            (
                KeyConfiguration(prefix: "MyApp", keyTransform: .kebabCase), "my-app/checkout/my_awesome_prop",
                "my-app/show-social-login"
            ),
            (KeyConfiguration(keyTransform: .none), "checkout/my_awesome_prop", "showSocialLogin"),
        ])
    func keyConfiguration(configuration: KeyConfiguration, nested: String, top: String) {
        let flags = FlagsLoader(AppFlags.self, providers: [], keyConfiguration: configuration)
        #expect(flags.checkout.$awesomeProperty.keyPath.flatKey == nested)
        #expect(flags.$showSocialLogin.keyPath.flatKey == top)
    }

    @Test("A flag has the name it is given, and else one made from the property's")
    func names() {
        #expect(flags.checkout.$awesomeProperty.name == "Awesome Property")
        #expect(flags.checkout.$myURLPath2Go.name == "Ship it", "a name within the metadata is not lost")
        #expect(flags.checkout.$nestedArray.name == "Nested Array")
        #expect(flags.$checkout.name == "Checkout")
    }

    @Test("Metadata is what was declared, and a text alone is the description")
    func metadata() {
        let metadata = flags.checkout.$myURLPath2Go.metadata
        #expect(metadata.description == "Some text")
        #expect(metadata.order == 3)
        #expect(metadata.isInternal)
        #expect(metadata.isLocked)
        #expect(metadata.uiIcon == "ship")
        #expect(flags.$showSocialLogin.metadata == "Show social login options along native login form")
        #expect(flags.checkout.$myURLPath2Go.isLocked)
    }

    @Test("Without providers every flag has its default")
    func defaults() {
        #expect(flags.showSocialLogin)
        #expect(flags.maxLoginAttempts == 0)
        #expect(flags.appReviewRating == "at_launch")
        #expect(flags.ratingMode == nil)
        #expect(flags.checkout.nestedArray == [2, 3, 5])
    }

    @Test("A collection lists its flags flat and as a tree, in the order of declaration")
    func lists() {
        #expect(
            flags.featureFlags.map(\.keyPath.text) == [
                "show_social_login", "max_login_attempts", "rating_mode", "ios_app_rating_mode",
                "checkout/my_awesome_prop", "checkout/nested_array", "checkout/my_urlpath2_go",
                "checkout/deep-down/second_level_flag", "checkout/fixed/second_level_flag",
                "checkout/Own~1Key/second_level_flag", "second_level_flag",
            ])
        #expect(flags.tree.count == 6)
        guard case .collection(let checkout) = flags.tree[4] else {
            Issue.record("checkout is a group")
            return
        }
        #expect(checkout.name == "Checkout")
        #expect(checkout.children.count == 6)
        #expect(checkout.keyPath?.text == "checkout")
    }

    @Test("The debug description shows each flag's key path and value")
    func debugDescription() {
        #expect(flags.debugDescription.hasPrefix("FlagsLoader<AppFlags>(show_social_login=true; max_login_attempts=0;"))
        #expect(flags.$appReviewRating.debugDescription == "rating_mode=at_launch")
    }

    @Test("A flag that no loader has placed has its default, and nothing traps")
    func unplaced() throws {
        let flag = Flag(key: "alone", default: 5, description: "Alone")
        #expect(flag.wrappedValue == 5)
        #expect(flag.keyPath.text == "alone")
        #expect(flag.providers.isEmpty)
        #expect(flag.setValue(6).isEmpty)
        try flag.resetValue()
        #expect(throws: FlagError.self) { try flag.set(6, in: "Local") }
        #expect(flag.wrappedValue == 5)
    }

    @Test("A flag outlives its loader and goes on being read")
    func loaderGone() throws {
        let provider = TestProvider(values: ["max_login_attempts": .integer(3)])
        var loader: FlagsLoader? = FlagsLoader(AppFlags.self, providers: [provider])
        let flag = try #require(loader?.$maxLoginAttempts)
        loader = nil
        #expect(flag.wrappedValue == 3)
    }
}
