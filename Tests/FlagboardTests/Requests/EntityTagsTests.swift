import FlagChanges
import Testing

@testable import Flagboard

@Suite("Entity tags")
struct EntityTagsTests {
    @Test(
        "A list of tags is read as RFC 9110 writes it, commas between quotation marks included",
        arguments: [
            ("\"a\"", ["a"]), ("\"a\", \"b\"", ["a", "b"]), ("\"a,b\",\t\"\"", ["a,b", ""]), (" \"a\" ", ["a"]),
            ("W/\"a\", \"b\"", ["W/\"a\"", "b"]),
        ] as [(String, [String])])
    func lists(header: String, tags: [String]) {
        #expect(EntityTags(header)?.named?.map(\.rawValue) == tags)
    }

    @Test(
        "What is no list of tags is none",
        arguments: ["", "a", "\"a", "\"a\" \"b\"", "\"a\",", ",\"a\"", "\"a\", *", "w/\"a\"", "\"a\"b", "* , *"])
    func others(header: String) {
        #expect(EntityTags(header) == nil)
    }

    @Test("A star is any state")
    func star() {
        #expect(EntityTags(" * ") == .any)
    }
}
