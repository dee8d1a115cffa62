import FeatureFlags
import FeatureFlagsTesting
import Testing

private struct Shop: FlagCollectionProtocol {
    @Flag("Pay in one click") var quickCheckout = false
    @Flag("A title", key: "heading") var title: String? = "Shop"
    @Flag("Fast", computedValue: { false }) var isFast = false
    @FlagCollection("What delivery costs") var delivery: Delivery
    @FlagCollection("What a parcel costs", keyConfiguration: .skip) var parcel: Delivery

    var isSlow: Bool { !isFast }
}

private struct Delivery: FlagCollectionProtocol {
    @Flag("The fee") var fee = 4.5
    @Flag("The weight") var weight = 1
}

private struct Market: FlagCollectionProtocol {
    @FlagCollection("The shop") var shop: Shop
}

private let made = FlagsLoader(Shop.self, providers: [])

@Suite("Flags of a type of collection in tests", .flag(\Shop.delivery.weight, 5))
struct FlagTraitTests {
    private let flags = FlagsLoader(
        Shop.self, providers: [InMemoryProvider(values: ["quick_checkout": false, "delivery": ["weight": 2]])])

    @Test("A trait sets a flag of each loader of the collection, made before the test, for it, or in it")
    func loaders() async {
        #expect(flags.delivery.weight == 5 && made.delivery.weight == 5)
        #expect(FlagsLoader(Shop.self, providers: []).delivery.weight == 5)
        #expect(flags.parcel.weight == 1, "another group of the same type")
        await Task { #expect(flags.delivery.weight == 5) }.value
        await Task.detached { [flags] in #expect(flags.delivery.weight == 2) }.value
    }

    @Test(
        "A trait takes any flag: of any type, with a key of its own, or computed",
        .flag(\Shop.title, nil), .flag(\Shop.isFast, true), .flag(\Shop.quickCheckout, true),
        .flag(\Shop.parcel.weight, 7))
    func kinds() {
        #expect(flags.title == nil && flags.isFast && flags.quickCheckout && flags.parcel.weight == 7)
        #expect(flags.$quickCheckout.explain().resolution.source == .computed)
        #expect(!flags.isSlow, "a property that is computed from the flag")
    }

    @Test("A trait sets a flag wherever the collection is a group", .flag(\Delivery.fee, 1), .flag(\Shop.title, "Sale"))
    func groups() {
        let market = FlagsLoader(Market.self, providers: [])
        #expect(market.shop.delivery.fee == 1 && market.shop.parcel.fee == 1 && market.shop.title == "Sale")
        #expect(market.shop.delivery.weight == 5 && market.shop.parcel.weight == 1)
        #expect(FlagsLoader(Delivery.self, providers: []).fee == 1)
    }

    @Test("The innermost value counts, of a flag or of its type of collection", .flag(\Shop.delivery.weight, 6))
    func nested() async throws {
        #expect(flags.delivery.weight == 6)
        try await withFlag(flags.delivery.$weight).set(to: 7) {
            #expect(flags.delivery.weight == 7 && made.delivery.weight == 6)
            let trait: FlagTrait = .flag(\Delivery.weight, 8)
            try await trait.provideScope(for: #require(Test.current), testCase: nil) {
                #expect(made.delivery.weight == 8 && made.parcel.weight == 8)
            }
            #expect(flags.delivery.weight == 7)
        }
        #expect(flags.delivery.weight == 6)
    }

    @Test("A property that is not a flag fails the test")
    func computed() async throws {
        let trait: FlagTrait = .flag(\Shop.isSlow, true)
        let test = try #require(Test.current)
        let error = await #expect(throws: FlagError.self) { try await trait.provideScope(for: test, testCase: nil) {} }
        #expect(error?.isNoFlag == true && error?.description.contains("set that flag instead") == true)
    }
}
