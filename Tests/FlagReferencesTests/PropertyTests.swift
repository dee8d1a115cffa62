import Testing

@Suite("Uses of properties")
struct PropertyTests {
    private static let declarations = """
        struct ShopFlags: FlagCollectionProtocol {
            @Flag(default: false, description: "Pay in one click") var quickCheckout: Bool
            @FlagCollection(description: "What delivery costs") var delivery: DeliveryFlags
            var isFast: Bool { quickCheckout && delivery.fee > 0 && self.$quickCheckout.isLocked }
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
            "import ArgumentParser\nstruct Options: ParsableArguments { @Flag var fee = false }",
            "import ArgumentParser\nstruct Options: ParsableArguments { @Flag(name: .long) var fee = false }",
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

    private static let unused = """
        struct ShopFlags: FlagCollectionProtocol {
            @FlagCollection(description: "") var delivery: DeliveryFlags
        }
        struct DeliveryFlags: FlagCollectionProtocol { @Flag(default: 4.9, description: "") var fee: Double }
        protocol Priced { var fee: Double { get } }
        extension DeliveryFlags: Priced {}

        """

    /// The uses of a flag that nothing else uses, and that a protocol requires.
    private func usesOfUnused(_ source: String) throws -> [String] {
        try places(["Flags": Self.unused, "Use": source], "delivery/fee").filter { !$0.contains("declaration") }
    }

    @Test(
        "A property of what may be a collection may be a use",
        arguments: [
            "func f<F: Priced>(_ x: F) { use(x.fee) }", "func f<F>(_ x: F) where F: Priced { use(x.fee) }",
            "func f<T>(_ x: FlagsLoader<T>) where T == DeliveryFlags { use(x.fee) }",
            "struct Reader<F: Priced> { let flags: F\n func f() { use(flags.fee) } }",
            "struct Reader<F: Priced> { let flags: F }\nextension Reader { func f(_ x: F) { use(x.fee) } }",
            "protocol Holder { associatedtype Flags: Priced; var flags: Flags { get } }\nfunc f(_ x: any Holder) { use(x.flags.fee) }",
            "protocol Holder { associatedtype Flags }\nextension Holder { func f(_ x: Self.Flags, _ y: Flags) { use(x.fee); use(y.fee) } }",
            "protocol Holder { associatedtype Flags }\nstruct S: Holder { func f(_ x: Flags) { use(x.fee) } }",
            "func make<F: Priced>() -> F { fatalError() }\nlet x = make().fee",
            "extension Priced { func f() { use(fee) } }", "extension Priced { func f() { use(self.fee) } }",
            "extension Foreign { func f() { use(fee) } }",
            "extension FlagsLoader<DeliveryFlags> { func f() { use(fee) } }",
            "extension FlagsLoader<DeliveryFlags> { func f() { use(self.fee) } }",
            "extension FlagsLoader where Collection == DeliveryFlags { func f() { use(self.fee) } }",
            "extension FlagsLoader where Collection == ShopFlags { func f() { use(delivery.fee) } }\nlet delivery = 1",
            "extension FlagsLoader { func f(_ x: Collection) { use(x.fee) } }",
            "@dynamicMemberLookup struct W { let flags: DeliveryFlags }\nfunc f(_ w: W) { use(w.fee) }",
            "struct W { subscript<V>(dynamicMember path: KeyPath<DeliveryFlags, V>) -> V { v } }\nfunc f(_ w: W) { use(w.fee) }",
            "class A { subscript(dynamicMember name: String) -> Int { 1 } }\nclass B: A {}\nfunc f(_ b: B) { use(b.fee) }",
            "struct W { subscript<V>(dynamicMember path: KeyPath<ShopFlags, V>) -> V { v } }\nfunc f(_ w: W) { use(w.delivery.fee) }",
            "func f(_ x: any Other) { use(x.fee) }\nextension DeliveryFlags: Other {}",
            "typealias X = Priced & Other\nfunc f(_ x: X) { use(x.fee) }",
            "func make() -> Cost { c }\nfunc make(_ x: Int) -> DeliveryFlags { d }\nstruct Cost {}\nlet x = make(1).fee",
            "#if A\nlet d = Cost()\n#else\nlet d = DeliveryFlags()\n#endif\nstruct Cost {}\nlet x = d.fee",
            "func f(_ x: ShopFlags) { use([x.delivery].first!.fee) }",
            "struct List { func map(_ x: Any) {} }\nfunc f(_ x: List) { x.map(\\.fee) }",
        ])
    func open(_ source: String) throws {
        let found = try usesOfUnused(source)
        #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("delivery/fee possible") }, "\(source): \(found)")
    }

    @Test(
        "What another type is known to have is no use, whatever protocol it conforms to",
        arguments: [
            "struct Bill: Priced { var fee = 1.0; func f() { use(fee) } }",
            "struct Bill: Priced { var fee = 1.0 }\nfunc f(_ x: Bill) { use(x.fee) }",
            "struct Bill<T> { var fee = 1.0 }\nfunc f(_ x: Bill<Int>) { use(x.fee) }",
            "struct Bill: Priced {}\nextension Priced { var fee: Double { 1 } }\nfunc f(_ x: Bill) { use(x.fee) }",
            "extension Foreign { func f(_ x: String) { use(x.fee) } }",
        ])
    func closed(_ source: String) throws { #expect(try usesOfUnused(source) == []) }

    @Test("A collection's own code uses its flag, which a protocol requires too")
    func required() throws {
        #expect(
            try usesOfUnused("extension DeliveryFlags { var twice: Double { 2 * fee } }")
                == ["delivery/fee property Use:1:51"])
    }

    @Test("A collection that nothing here declares, as a plugin does, may use each flag that nothing here declares")
    func undeclared() throws {
        let source = """
            let flags = FlagsManager(providers: [local]).addCollection(TillFlags.self)
            func a() { print(flags.newFlow, flags.receipt.$paper, flags.quickCheckout, flags.newFlow()) }
            func b(_ flags: FlagsLoader<TillFlags>) { flags.receipt.paper }
            func c(_ list: Array<TillFlags>, _ text: Text) { text.newFlow }
            """
        #expect(
            try places(["Flags": Self.declarations, "Use": source], "new_flow", "receipt/paper", "quick_checkout")
                .filter { $0.contains("Use") } == [
                    "new_flow possible Use:2:24", "receipt/paper possible Use:2:47", "receipt/paper possible Use:3:57",
                ])
    }

    @Test("An alias of a type with arguments is that type")
    func alias() throws {
        let source = "typealias Loader = FlagsLoader<ShopFlags>\nfunc f(_ x: Loader) { use(x.delivery.fee) }"
        #expect(try uses(source) == ["delivery/fee property Use:2:38"])
    }

    @Test("Names that stand for one another in great number come to an end")
    func branches() throws {
        let numbers = 0..<60
        let lets = numbers.map { "let a\($0) = a\($0 + 1) ?? a\($0 + 1)" }.joined(separator: "\n")
        #expect(try usesOfUnused("\(lets)\nlet x = a0.fee") == ["delivery/fee possible Use:61:12"])
        #expect(
            try usesOfUnused("func f() {\nlet a60 = make()\n\(lets)\nuse(a0.fee, a0.self)\nuse(a0.delivery.self) }")
                != [])
        let back = numbers.reversed().map { "let a\($0) = a\($0 + 1) ?? a\($0 + 1)" }.joined(separator: "\n")
        #expect(
            try usesOfUnused("func f(a60: DeliveryFlags) {\n\(back)\nuse(a0.fee, a0.self)\nuse(a0.delivery.self) }")
                == ["delivery/fee possible Use:62:8"])
        let aliases = numbers.map {
            "typealias A\($0 + 1) = S.A\($0).A\($0).A\($0)\ntypealias B\($0 + 1) = B<B\($0), B\($0)>"
        }
        #expect(
            try usesOfUnused(
                "struct S {\ntypealias A0 = S\n\(aliases.joined(separator: "\n")) }\nfunc f(x: S.A60, y: S.B60) { use(x.fee); use(y.fee) }"
            )
                != [])
    }
}
