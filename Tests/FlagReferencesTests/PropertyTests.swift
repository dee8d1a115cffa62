import Testing

@Suite("Uses of properties")
struct PropertyTests {
    private static let declarations = """
        struct ShopFlags: FlagCollectionProtocol {
            @Flag(default: false, description: "Pay in one click") var quickCheckout: Bool
            @FlagCollection(description: "What delivery costs") var delivery: DeliveryFlags
            var isFast: Bool { quickCheckout && delivery.fee > 0 && self.$quickCheckout.isUILocked }
        }
        struct DeliveryFlags: FlagCollectionProtocol {
            @Flag(default: 4.9, description: "In euros") var fee: Double
        }

        """
    private static let declared = [
        "delivery/fee property Flags:4:50", "delivery/fee declaration Flags:7:54",
        "quick_checkout declaration Flags:2:64",
        "quick_checkout property Flags:4:24", "quick_checkout property Flags:4:66",
    ]

    private func uses(_ source: String) throws -> [String] {
        try places(["Flags": Self.declarations, "Use": source], "delivery/fee", "quick_checkout")
            .filter { !Self.declared.contains($0) }
    }

    @Test("A collection's own code uses its flags")
    func own() throws {
        #expect(
            try places(["Flags": Self.declarations], "delivery/fee", "quick_checkout") == Self.declared)
    }

    @Test(
        "A property is used by whatever is known to be its collection",
        arguments: [
            ("func f(_ flags: FlagsLoader<ShopFlags>) { _ = flags.delivery.fee }", "1:62"),
            ("func f(flags x: ShopFlags?) { _ = x?.delivery.fee }", "1:47"),
            ("func f(flags: inout ShopFlags) { _ = flags.$delivery.wrappedValue.$fee }", "1:67"),
            (
                "let flags = manager.addCollection(ShopFlags.self)\nfunc f() { print(\"\\(flags.delivery.fee)\") }",
                "2:36"
            ),
            ("let flags = FlagsLoader(ShopFlags.self, providers: [])\nlet x = flags.delivery.fee", "2:24"),
            ("let flags = try! FlagsLoader<ShopFlags>(providers: [])\nlet x = flags.delivery.fee", "2:24"),
            ("func f() { let d = ShopFlags().delivery\n  if d.fee > 1 {} }", "2:8"),
            (
                "func f(a: App) { if let d = a.flags?.delivery { use(d.fee) } }\nclass App { var flags: ShopFlags? }",
                "1:55"
            ),
            (
                "func f(a: App) { guard let flags = a.flags else { return }\n use(flags.delivery.fee) }\nclass App { var flags: ShopFlags? }",
                "2:21"
            ),
            (
                "class App { lazy var flags = manager.addCollection(ShopFlags.self)\n func f() { run { [weak self] in self!.flags.delivery.fee } } }",
                "2:55"
            ),
            ("enum App { static let flags = ShopFlags() }\nlet x = App.flags.delivery.fee", "2:28"),
            ("extension ShopFlags { func total() -> Double { delivery.fee } }", "1:57"),
            ("extension DeliveryFlags { func total() -> Double { fee } }", "1:52"),
            ("class A { let flags = ShopFlags() }\nclass B: A { func f() { use(flags.delivery.fee) } }", "2:44"),
            (
                "protocol P { var flags: ShopFlags { get } }\nstruct S: P, Q { func f() { use(self.flags.delivery.fee) } }",
                "2:53"
            ),
            (
                "class A: B { func f() { _ = other.fee; _ = flags.delivery.fee }; let flags: ShopFlags; let other: Int }\nclass B: A {}",
                "1:59"
            ),
            ("let path = \\ShopFlags.delivery.fee", "1:32"),
            ("func f(flags: ShopFlags) { flags[keyPath: \\.delivery.fee] }", "1:54"),
            ("func make() -> ShopFlags { .init() }\nlet x = make().delivery.fee", "2:25"),
            ("typealias F = ShopFlags\nfunc f(x: F) { _ = (x).delivery.fee }", "2:33"),
            ("func f(x: Any) { _ = (x as! Shop.ShopFlags).delivery.fee }", "1:54"),
            ("func f(x: ShopFlags?, y: ShopFlags) { _ = (x ?? y).delivery.fee }", "1:61"),
            (
                "func f() async { let x = await App.shared.flags.delivery\n_ = x.fee }\nactor App { static let shared = App(); let flags: ShopFlags }",
                "2:7"
            ),
        ])
    func told(_ source: String, _ place: String) throws {
        #expect(try uses(source) == ["delivery/fee property Use:\(place)"])
    }

    @Test(
        "A property of something else is no use",
        arguments: [
            "struct Bill { var fee = 1.0 }\nfunc f(bill: Bill) { _ = bill.fee }", "func f(fee: Double) { use(fee) }",
            "func f(x: Foreign) { _ = x.fee }", "let x = Fees.fee()", "let x: Kind = .fee", "let x = \"abc\".fee",
            "extension ShopFlags { func f(fee: Double) { use(fee) } }", "// flags.delivery.fee",
            "let fee = 1\nuse(fee)",
            "struct Options: ParsableArguments { @Flag(help: \"fee\") var fee = false }",
        ])
    func others(_ source: String) throws { #expect(try uses(source) == []) }

    @Test("A property of what can't be told may be a use")
    func possible() throws {
        let source = """
            struct ShopFlags: FlagCollectionProtocol { @Flag(description: "") var fee: Bool }
            func f() { flags().map { $0.fee } }
            func g(x: any Priced) { x.fee }
            protocol Priced { var fee: Bool { get } }
            extension ShopFlags: Priced {}
            """
        #expect(
            try places(source, "fee") == ["fee declaration 1:71", "fee possible 2:29", "fee possible 3:27"])
    }

    @Test("A possible use is not told where there is a certain one")
    func possibleBesides() throws {
        let source = "func f(x: ShopFlags) { _ = x.delivery.fee; _ = other().fee }"
        #expect(try uses(source) == ["delivery/fee property Use:1:39"])
    }

    @Test("A name means the innermost type, and what a function declares hides it")
    func scopes() throws {
        let source = """
            struct A { struct ShopFlags { var delivery: Cost } ; var x: ShopFlags; func f() { use(x.delivery.fee) } }
            struct Cost { var fee = 1 }
            func g(x: ShopFlags) { do { let x = Cost(); use(x.fee) }; use(x.delivery.fee) }
            """
        #expect(try uses(source) == ["delivery/fee property Use:3:74"])
    }
}
