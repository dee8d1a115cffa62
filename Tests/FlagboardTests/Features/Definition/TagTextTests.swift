import Testing

@testable import Flagboard

@Suite("Tags as they are typed")
struct TagTextTests {
    @Test(
        "Commas stand between tags, but for those of a tag that is there already",
        arguments: [
            ("a, b ,a,, c", [], ["a", "b", "c"]), ("x, y, z", ["x, y"], ["x, y", "z"]),
            ("z,x, y", ["x, y", "x"], ["z", "x, y"]), ("x, y, z", ["x, y", "x, y, z"], ["x, y, z"]),
            ("x, y", ["x,y"], ["x", "y"]), ("a,,b, c", ["a,,b"], ["a,,b", "c"]), (" , ", ["x, y"], []),
            ("", [], []),
        ])
    func commas(text: String, known: [String], tags: [String]) {
        #expect(TagText.tags(in: text, known: known) == tags)
    }

    @Test("As many as a form can hold are read at once")
    func many() {
        let text = (0..<150_000).map(String.init).joined(separator: ",")
        #expect(TagText.tags(in: text, known: ["0,1,2"]).count == 149_998)
    }
}
