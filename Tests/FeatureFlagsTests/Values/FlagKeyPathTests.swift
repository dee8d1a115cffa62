import FeatureFlags
import Testing

@Suite("Key paths")
struct FlagKeyPathTests {
    @Test(
        "A path has a text form, and the text reads back as the same components",
        arguments: [
            (["ui"], "ui"), (["ui", "blue_text"], "ui/blue_text"), (["a/b.c"], "a~1b.c"), (["~"], "~0"),
            (["~1", "/~"], "~01/~1~0"), ([""], ""), (["", ""], "/"), (["a", "", "b"], "a//b"),
            (["größe", "日本"], "größe/日本"),
            (["👩‍👩‍👧", "\u{1F1E9}\u{1F1EA}"], "👩‍👩‍👧/🇩🇪"), (["a", "\u{301}b"], "a/\u{301}b"), (["~", "\u{301}"], "~0/\u{301}"),
            (["a\u{301}/\u{301}"], "a\u{301}~1\u{301}"), (["a b", "\n"], "a b/\n"), (["a", "\r\n"], "a/\r\n"),
            (["%2F"], "%2F"),
        ])
    func text(components: [String], text: String) throws {
        let path = FlagKeyPath(components: components)
        #expect(path.text == text)
        #expect(path.description == text)
        let read = try #require(FlagKeyPath(text: text))
        #expect(read.components.map { Array($0.unicodeScalars) } == components.map { Array($0.unicodeScalars) })
    }

    @Test(
        "A text of more components than any file nests its values is none",
        arguments: [(64, true), (65, false), (40_000, false)])
    func longest(count: Int, isPath: Bool) {
        let text = Array(repeating: "a", count: count).joined(separator: "/")
        #expect((FlagKeyPath(text: text) != nil) == isPath)
    }

    @Test(
        "A tilde before anything but 0 or 1 is refused",
        arguments: ["~", "a~", "a/~", "~2", "~/a", "~~0", "~ 0", "a~01~x"])
    func badEscapes(text: String) {
        #expect(FlagKeyPath(text: text) == nil)
    }

    @Test("The paths above and below a path have its separator")
    func separator() {
        let path = FlagKeyPath(components: ["a", "b", "c"], separator: ".")
        #expect(path.appending("d").flatKey == "a.b.c.d")
        #expect(path.parent?.flatKey == "a.b")
        #expect(path.ancestors.map(\.flatKey) == ["a", "a.b"])
    }

    @Test("A path knows its leaf, its parent and every group above")
    func relatives() {
        let path = FlagKeyPath(components: ["a", "b/c", "d"])
        #expect(path.leaf == "d")
        #expect(path.parent?.components == ["a", "b/c"])
        #expect(path.ancestors.map(\.components) == [["a"], ["a", "b/c"]])
        #expect(path.parent?.appending("d") == path)
        #expect(path.appending("e/f").text == "a/b~1c/d/e~1f")
        let top = FlagKeyPath(components: ["a"])
        #expect(top.parent == nil)
        #expect(top.ancestors.isEmpty)
        #expect(top.leaf == "a")
    }

    @Test(
        "A path is inside itself and the groups above, component by component",
        arguments: [
            ("a/b", "a", true), ("a/b", "a/b", true), ("a", "a/b", false), ("ab/c", "a", false), ("a~1b", "a", false),
            ("b/a", "a", false), ("/a", "", true),
        ])
    func inside(path: String, group: String, isInside: Bool) throws {
        let path = try #require(FlagKeyPath(text: path))
        let group = try #require(FlagKeyPath(text: group))
        #expect(path.isInside(group) == isInside)
    }

    @Test("Paths are ordered by component, and a group comes before what it holds")
    func order() {
        let sorted: [[String]] = [
            [""], ["A"], ["a"], ["a", ""], ["a", "B"], ["a", "b"], ["a", "b", "c"], ["a!"], ["a-b"], ["a.b"], ["ab"],
            ["b"], ["é"], ["日"],
        ]
        #expect(sorted.reversed().map { FlagKeyPath(components: $0) }.sorted().map(\.components) == sorted)
    }

    @Test("Two spellings of a name are one path, so neither comes first")
    func canonicalEquivalence() {
        let (composed, decomposed) = (FlagKeyPath(components: ["\u{E9}"]), FlagKeyPath(components: ["e\u{301}"]))
        #expect(composed == decomposed)
        #expect(Set([composed, decomposed]).count == 1)
        #expect(!(composed < decomposed))
        #expect(!(decomposed < composed))
    }

    @Test(
        "A name for people is made from the last component",
        arguments: [
            ("new_checkout", "New checkout"), ("new-checkout", "New checkout"), ("newCheckout", "New checkout"),
            ("NewCheckout", "New checkout"), ("new.checkout now", "New checkout now"),
            ("newURLFormat", "New URL format"), ("URLFormat", "URL format"), ("useURL", "Use URL"),
            ("my_urlpath2_go", "My urlpath2 go"), ("myURLPath2Go", "My URL path2 go"),
            ("HTTP2Server", "HTTP2 server"), ("v2", "V2"), ("2x", "2x"), ("use_10_items", "Use 10 items"),
            ("a", "A"), ("", ""), ("_", "_"), ("--", "--"), ("__private__", "Private"), ("größeÄndern", "Größe ändern"),
            ("日本", "日本"), ("ünder_score", "Ünder score"), ("isAThing", "Is a thing"),
        ])
    func readableName(leaf: String, name: String) {
        #expect(FlagKeyPath(components: ["group", leaf]).readableName == name)
    }

    @Test("A name reads the same whether the component is ASCII throughout or has another letter at its end")
    func asciiNames() {
        let letters = Array("aaabbAABB01_-. ~\t")
        for _ in 0..<5000 {
            let leaf = String((0...Int.random(in: 0...9)).map { _ in letters.randomElement() ?? "a" })
            let name = FlagKeyPath(components: [leaf]).readableName
            let hasWords = leaf.contains { !"_-. \t".contains($0) }
            #expect(
                FlagKeyPath(components: [leaf + "_é"]).readableName == (hasWords ? name + " é" : "É"), "\(leaf)")
        }
    }
}
