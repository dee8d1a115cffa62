import FeatureFlags
import Foundation
import Testing

@testable import FlagReferences
@testable import FlagReferencesTool

@Suite("Code that is too much for the parser")
struct SourceLimitsTests {
    private let key = FlagKeyPath(components: ["a", "b"])

    private func look(
        at sources: [String: String], with program: SourceProgram = .built
    ) async throws -> SourceIndex.Findings {
        let sample = try SourceSample(sources)
        return try await SourceIndex(SourceFolder(sample.url), program).look(for: [key])
    }

    private func files(_ findings: SourceIndex.Findings) -> [String] {
        findings.references.places[key]?.map(\.file) ?? []
    }

    /// A construct that nests: what stands before and behind the inner one.
    private struct Construct {
        let (start, end): (String, String)
        init(_ start: String, _ end: String = "") { (self.start, self.end) = (start, end) }
    }

    private static let constructs = [
        Construct("(", ")"), Construct("[", "]"), Construct("{", "}"), Construct("A<", ">"), Construct("<A: B", ">"),
        Construct("- "), Construct("!a + "), Construct("a ? b : "), Construct("a ?? "), Construct("a = "),
        Construct("a as "),
        Construct("\nif a {} else "), Construct("\nif a {", "}"), Construct("\nguard a else {", "}"),
        Construct("\nswitch a { case .b(let c): ", "}"), Construct("\ndo {", "} catch {}"), Construct("{ a in ", "}"),
        Construct("\"\\(", ")\""), Construct("#\"\\#(", ")\"#"), Construct("\n#if a\n.b", "\n#endif"),
        Construct("\n#if a\n#else"), Construct("await try "), Construct("consume "), Construct("any "),
        Construct("inout "),
        Construct("() -> ", "A"), Construct("\nlet a: () ", "-> ()"), Construct("[A: ", "]"), Construct("A.B."),
        Construct(".b"), Construct(".b(", ")"), Construct("a[0]"), Construct("a { ", "}"), Construct("@A("),
        Construct("@A "),
        Construct("\nindirect "), Construct("\ncase .a(let ", ")"), Construct("\nlet (", ")"),
        Construct("struct A { ", "}"),
        Construct("func f() { ", "}"), Construct("\\.a[", "]"), Construct("#a(", ")"), Construct("repeat each "),
        Construct("/* ", " */"), Construct("& "), Construct("var a: A { get {", "}}"), Construct("throws("),
        Construct("subscript(a: ", ") -> A"), Construct("/a/ "), Construct("a<"), Construct("[["),
        Construct("[(", ")]"),
    ]

    private static func nested(_ constructs: some Collection<Construct>) -> String {
        constructs.map(\.start).joined() + "x" + constructs.reversed().map(\.end).joined()
    }

    @Test("Each construct may be nested as deeply as it likes, and all other files are read", arguments: [40, 5_000])
    func nesting(levels: Int) async throws {
        var sources = ["Z.swift": "\"a/b\""]
        for (number, construct) in Self.constructs.enumerated() {
            sources["\(number).swift"] = "let x = " + Self.nested(repeatElement(construct, count: levels))
        }
        let findings = try await look(at: sources, with: .built(seconds: 1))
        #expect(files(findings) == ["Z.swift"])
        #expect(findings.count == Self.constructs.count + 1)
        #expect(findings.problems.allSatisfy { !$0.reason.isEmpty && $0.file != "Z.swift" })
    }

    @Test("Constructs may be mixed", arguments: 1...2)
    func mixes(seed: Int) async throws {
        var state = UInt64(seed)
        var sources = ["Z.swift": "\"a/b\""]
        for number in 0..<6 {
            let mix = (0..<(number < 3 ? 60 : 5_000)).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Self.constructs[Int(state >> 33) % Self.constructs.count]
            }
            sources["\(number).swift"] = ["let x = ", "let x: ", ""][number % 3] + Self.nested(mix)
        }
        #expect(try await files(look(at: sources, with: .built(seconds: 1))) == ["Z.swift"])
    }

    @Test("A file that would take the parser hours is given up, and is not read again as long as it stays as it is")
    func time() async throws {
        let sample = try SourceSample([
            "A.swift": "let a = " + String(repeating: "[", count: 40), "B.swift": "\"a/b\"",
        ])
        let old = Date(timeIntervalSinceNow: -3_600)
        try FileManager.default.setAttributes(
            [.modificationDate: old], ofItemAtPath: sample.url.appending(path: "A.swift").path)
        let index = SourceIndex(try SourceFolder(sample.url), .built(seconds: 1))
        let findings = try await index.look(for: [key])
        #expect(files(findings) == ["B.swift"])
        #expect(
            findings.problems == [
                SourceProblem(file: "A.swift", reason: "parsing its code takes more than 1 second")
            ])
        try sample.write("\n\"a/b\"", to: "B.swift")
        #expect(try await index.look(for: [key]).problems == findings.problems)
    }

    @Test("A chain of members is read as far as it goes, and told where it is deeper than the stack allows")
    func chains() async throws {
        let chain = { (count: Int) in "let x = a" + String(repeating: ".b", count: count) + "\nlet y = \"a/b\"" }
        let findings = try await look(at: ["A.swift": chain(500), "B.swift": chain(20_000)])
        #expect(files(findings) == ["A.swift"])
        #expect(
            findings.problems == [
                SourceProblem(file: "B.swift", reason: "its code is nested more than 10000 levels deep")
            ])
    }

    @Test("A file is not read in part: what stands behind the levels that the parser follows would be missed")
    func overflow() async throws {
        let nested = { (count: Int) in
            "let x = " + String(repeating: "(", count: count) + "1" + String(repeating: ")", count: count)
                + "\nlet y = \"a/b\""
        }
        let findings = try await look(at: ["A.swift": nested(100), "B.swift": nested(1_100)])
        #expect(files(findings) == ["A.swift"])
        #expect(
            findings.problems == [
                SourceProblem(file: "B.swift", reason: "its code is nested more than 1000 levels deep")
            ])
    }

    @Test("Where the program that reads files can't be run, each file is told as not read")
    func noProgram() async throws {
        let sample = try SourceSample(["A.swift": "\"a/b\""])
        for (path, reason) in [("/nowhere", "can't start the Swift parser"), ("/bin/false", "exited with code 1")] {
            let program = SourceProgram(executable: URL(filePath: path), arguments: [])
            let findings = try await SourceIndex(SourceFolder(sample.url), program).look(for: [key])
            #expect(findings.problems.map(\.file) == ["A.swift"])
            #expect(findings.problems[0].reason.contains(reason), "\(findings.problems)")
        }
    }

    @Test("A file that was not read for a reason that is not its own is read at the next look")
    func transientFailure() async throws {
        let sample = try SourceSample(["A.swift": "\"a/b\""])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
            ofItemAtPath: sample.url.appending(path: "A.swift").path)
        // The shell reads the script: a file that was just written can't be run while another test starts a program.
        let script = sample.url.appending(path: "reader.sh")
        try Data("exit 1\n".utf8).write(to: script)
        let program = SourceProgram(executable: URL(filePath: "/bin/sh"), arguments: [script.path])
        let index = SourceIndex(try SourceFolder(sample.url), program)
        #expect(try await index.look(for: [key]).problems.count == 1)
        let built = SourceProgram.built
        let command = ([built.executable.path] + built.arguments).map { "'\($0)'" }.joined(separator: " ")
        try Data("exec \(command)\n".utf8).write(to: script)
        let findings = try await index.look(for: [key])
        #expect(findings.problems.isEmpty)
        #expect(files(findings) == ["A.swift"])
    }

    @Test("A key path of thousands of components costs no more than its length")
    func longKeyPath() async throws {
        let path = "\\A.b" + String(repeating: ".b", count: 5_000)
        let findings = try await look(at: ["A.swift": "let x = \(path)\nlet y = \"a/b\""])
        #expect(files(findings).contains("A.swift") && findings.problems.isEmpty)
    }

    @Test("What a file says arrives as it was read, however deep its names are")
    func wholeAnswers() async throws {
        let types = (0..<40).reduce("ShopFlags") { name, _ in "Array<\(name)>" }
        let source = """
            enum Keys { static let 🎈é = "a/b" }
            struct ShopFlags: FlagCollectionProtocol { @Flag(key: "b", description: "") var c: Bool }
            struct Root: FlagCollectionProtocol {
                @FlagCollection(keyConfiguration: .custom("a"), description: "") var shop: ShopFlags
            }
            let loader = FlagsLoader(Root.self, keyConfiguration: KeyConfiguration(prefix: nil, keyTransform: .none))
            func f(x: \(types)) { use(x.c); let y = (x ?? x) as! ShopFlags; use(y.c) }
            """
        let here = try FlagReferences(["A.swift": SourceReader.facts(in: source)], known: [key])
        let there = try await look(at: ["A.swift": source]).references
        #expect(there.places == here.places && there.declared == here.declared)
        #expect(here.places[key]?.contains { $0.kind == .property } == true)
        #expect(Set(there.lines(in: "A.swift")) == Set(here.lines(in: "A.swift")))
    }
}
