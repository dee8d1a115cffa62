import Testing

@Suite("Key paths in texts")
struct KeyTests {
    @Test(
        "A text is a key path where the program would see one, however it is written",
        arguments: [
            (#"let a = flags["checkout/new_flow"]"#, ["1:15"]),
            (##"let a = #"checkout/new_flow"#"##, ["1:9"]),
            ("let a = \"\"\"\n    checkout/new_flow\n    \"\"\"", ["1:9"]),
            ("let a = \"\"\"\n    checkout/\\\n    new_flow\n    \"\"\"", ["1:9"]),
            (#"let a = "checkout\u{2F}new_flow""#, ["1:9"]),
            (#"print("on: \(flags["checkout/new_flow"])")"#, ["1:20"]),
            ("print(\"\"\"\n    \\(read(\"checkout/new_flow\"))\n    \"\"\")", ["2:12"]),
            (#"let key = FlagKeyPath(components: ["checkout", "new_flow"])"#, ["1:11"]),
            (
                "#if os(Linux)\nlet a = \"checkout/new_flow\"\n#else\nlet b = \"checkout/new_flow\"\n#endif",
                ["2:9", "4:9"]
            ),
            (#"let ü = "ü"; let a = "checkout/new_flow""#, ["1:24"]),
        ])
    func texts(_ source: String, _ wanted: [String]) throws {
        #expect(try places(source, "checkout/new_flow") == wanted.map { "checkout/new_flow key \($0)" })
    }

    @Test(
        "What only looks like the key path is none",
        arguments: [
            #"// "checkout/new_flow""#, #"/* a /* "checkout/new_flow" */ */"#, #"/// `"checkout/new_flow"`"#,
            #"let a = "checkout/\(name)""#, #"let a = "checkout/new_flow ""#, #"let a = "the checkout/new_flow""#,
            ##"let a = #"checkout\u{2F}new_flow"#"##, "let a = \"\"\"\n  checkout/new_flow\n\n  \"\"\"",
            #"let a = ["checkout", "new_flow"]"#, "let a = checkout/new_flow", "let a = /checkout\\/new_flow/",
            #"let a = FlagKeyPath(components: ["checkout", name])"#,
        ])
    func noKeys(_ source: String) throws {
        #expect(try places(source, "checkout/new_flow").filter { !$0.contains(" namesake ") } == [])
    }

    @Test("A component with a slash is written as the files write it, or as it is in a list of components")
    func escapes() throws {
        let source = #"let a = "x/a~1b"; let b = FlagKeyPath(components: ["x", "a/b"]); let c = "x/a/b""#
        #expect(try places(source, "x/a~1b") == ["x/a~1b key 1:9", "x/a~1b key 1:27"])
    }

    @Test("A generated constant declares the key path, and what uses the constant uses the flag")
    func constants() throws {
        let files = [
            "Flags.swift": """
            struct ShopFlags: FlagCollectionProtocol {
                @FlagCollection(description: "") var checkout: CheckoutFlags
                struct CheckoutFlags: FlagCollectionProtocol {
                    @Flag(default: false, description: "") var newFlow: Bool
                    enum Keys {
                        static let newFlow = "checkout/new_flow"
                    }
                }
            }
            """,
            "Use.swift": """
            typealias Names = ShopFlags.CheckoutFlags.Keys
            func use() {
                read(ShopFlags.CheckoutFlags.Keys.newFlow)
                read(Names.newFlow)
                read(Shop.ShopFlags.CheckoutFlags.Keys.newFlow)
                read(Others.newFlow)
            }
            enum Others { static let newFlow = "x" }
            """,
        ]
        #expect(
            try places(files, "checkout/new_flow") == [
                "checkout/new_flow declaration Flags.swift:4:52", "checkout/new_flow declaration Flags.swift:6:34",
                "checkout/new_flow key Use.swift:3:39", "checkout/new_flow key Use.swift:4:16",
                "checkout/new_flow key Use.swift:5:44",
            ])
    }

    @Test("A constant that a person wrote is a use, and so is what uses it")
    func ownConstants() throws {
        let source = """
            let flow = "checkout/new_flow"
            struct Keys { static let flow = "checkout/new_flow" }
            func use() { read(flow); read(Keys.flow) }
            func other(flow: String) { read(flow) }
            """
        #expect(
            try places(source, "checkout/new_flow")
                == ["1:12", "2:33", "3:19", "3:36"].map { "checkout/new_flow key \($0)" })
    }
}
