import FeatureFlags
import Testing

@testable import FlagReferences
@testable import FlagReferencesTool

@Suite("Declarations")
struct DeclarationTests {
    private func declared(_ source: String, known: Set<String> = []) throws -> [String] {
        let keys = Set(known.compactMap { FlagKeyPath(text: $0) })
        return try FlagReferences(["A": SourceReader.facts(in: source)], known: keys).declared.map(\.text).sorted()
    }

    @Test(
        "A key path is made from the property and the groups around it as the library makes it",
        arguments: [
            ("@Flag(description: \"\") var newURLFormat: Bool", ["new_urlformat"]),
            ("@Flag(\"Pay in one click\") var quickCheckout = false", ["quick_checkout"]),
            ("@Flag(\"A text\", key: \"given\") var quickCheckout = \"\"", ["given"]),
            ("@Flag var bare = false", ["bare"]), ("@Flag(default: 1) var number: Int", ["number"]),
            ("@Flag(key: \"Other~/\", description: \"\") var newFlow: Bool", ["Other~0~1"]),
            (
                "@FeatureFlags.Flag(default: .a, description: FlagMetadata(description: \"\"))\nvar `default`: Kind",
                ["default"]
            ),
            ("@Flag(\"\", keyPath: [\"Old\", \"a/b\"]) var moved = false", ["Old/a~1b"]),
            ("@Flag(\"\", key: \"given\", keyPath: nil) var moved = false", ["given"]),
            ("@Flag(\"\", keyPath: known) var moved = false", []),
            ("@FlagCollection(description: \"\") var oneGroup: Group", ["one_group/inner_flag"]),
            ("@FlagCollection(\"A group\") var oneGroup = Group()", ["one_group/inner_flag"]),
            ("@FlagCollection var oneGroup: Group", ["one_group/inner_flag"]),
            ("@FlagCollection(key: \"G\", description: \"\") var one: Group", ["G/inner_flag"]),
            ("@FlagCollection(keyConfiguration: .skip, description: \"\") var one: Group", ["inner_flag"]),
            (
                "@FlagCollection(keyConfiguration: .kebabCase, description: \"\") var oneGroup: Group",
                ["one-group/inner_flag"]
            ),
            ("@FlagCollection(keyConfiguration: .custom(\"x\"), description: \"\") var one: Group", ["x/inner_flag"]),
            (
                "@FlagCollection(description: \"\") var a: Group\n@FlagCollection(description: \"\") var b: Group",
                ["a/inner_flag", "b/inner_flag"]
            ),
            ("#if DEBUG\n@Flag(description: \"\") var debug: Bool\n#endif", ["debug"]),
        ])
    func keys(_ members: String, _ wanted: [String]) throws {
        let source = """
            struct Root: FlagCollectionProtocol {
                \(members)
                struct Group: FlagCollectionProtocol { @Flag(description: "") var innerFlag: Bool }
            }
            """
        let alone = members.contains("Group") ? [] : ["inner_flag"]
        #expect(try declared(source) == (wanted + alone).sorted())
    }

    @Test("The configuration of keys is the one by which most of a collection's flags are defined")
    func configurations() throws {
        let source = """
            struct Root: FlagCollectionProtocol {
                @Flag(description: "") var newFlow: Bool
                @Flag(description: "") var oldFlow: Bool
            }
            let a = FlagsLoader(Root.self, keyConfiguration: KeyConfiguration(prefix: "shop", keyTransform: .kebabCase))
            let b = FlagsLoader(Root.self, keyConfiguration: .init(keyTransform: .none))
            """
        #expect(try declared(source) == ["new_flow", "old_flow"])
        #expect(try declared(source, known: ["shop/new-flow"]) == ["shop/new-flow", "shop/old-flow"])
        #expect(try declared(source, known: ["newFlow"]) == ["newFlow", "oldFlow"])
        #expect(try declared(source, known: ["new_flow", "newFlow"]) == ["new_flow", "old_flow"])
    }

    @Test("A collection that is in a group and given to a loader has both places")
    func twice() throws {
        let source = """
            struct Root: FlagCollectionProtocol { @FlagCollection(description: "") var group: Group }
            struct Group: FlagCollectionProtocol { @Flag(description: "") var inner: Bool }
            """
        #expect(try declared(source) == ["group/inner"])
        #expect(try declared(source + "\nlet x = manager.addCollection(Group.self)") == ["group/inner", "inner"])
    }

    @Test("A key that only the running program knows is told as such")
    func untold() throws {
        let source = """
            struct Root: FlagCollectionProtocol {
                @Flag(key: makeKey(), description: "") var a: Bool
            }
            """
        let references = try FlagReferences(["A": SourceReader.facts(in: source)], known: [])
        #expect(references.declared == [])
        #expect(references.untold.map(\.position) == [SourcePosition(line: 2, column: 48)])
    }

    @Test("The texts of a declaration are no uses, and the code in it is read")
    func attributes() throws {
        let source = """
            struct Root: FlagCollectionProtocol {
                @Flag(name: "b", key: "a", computedValue: { read("b") }, description: "b") var a: Bool
            }
            """
        #expect(try places(source, "a", "b") == ["a declaration 2:84", "b key 2:54"])
    }

    @Test("Collections that stand in themselves come to an end")
    func endless() throws {
        let source = """
            struct A: FlagCollectionProtocol {
                @Flag(description: "") var x: Bool
                @FlagCollection(description: "") var a: A
                @FlagCollection(description: "") var b: B
            }
            struct B: FlagCollectionProtocol { @FlagCollection(description: "") var a: A }
            struct Root: FlagCollectionProtocol { @FlagCollection(description: "") var a: A }
            typealias One = Two
            typealias Two = One
            func f(x: One) { x.y }
            let c = d
            let d = c
            let e = c.x
            """
        #expect(try declared(source).contains("a/x"))
    }

    @Test("Code that is broken is read as far as it goes")
    func broken() throws {
        let source = "struct A { func f( { \"a/b\" }\n" + String(repeating: "(", count: 15) + "\"a/b\""
        #expect(try places(source, "a/b").first == "a/b key 1:22")
        let chain = "let x = a" + String(repeating: ".b()", count: 3_000)
        #expect(try places(chain, "a/b") == [])
    }
}
