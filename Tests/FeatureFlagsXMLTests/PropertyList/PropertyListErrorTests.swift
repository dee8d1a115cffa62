import FeatureFlagsXML
import Foundation
import Testing

@Suite("What is wrong with a property list, for people who must not see all of it")
struct PropertyListErrorTests {
    @Test(
        "The outline of a fault says what to do and nothing of what the file holds",
        arguments: [
            ("<dict><key>secret</key></dict>", "a key has no value"),
            ("<dict><secret/></dict>", "this is not a property list element; correct its name"),
            ("<dict><key>a</key><string>&secret;</string></dict>", "entity references"),
            ("<dict><key>a</key><string>x</secret></dict>", "invalid XML"),
        ])
    func outlines(element: String, outline: String) throws {
        let error = try failure(Data("<plist>\(element)</plist>".utf8))
        #expect(error.description.contains("secret"))
        #expect(error.outline.contains(outline), "\(error.outline)")
        #expect(!error.outline.contains("secret"), "\(error.outline)")
        #expect(error.location != nil)
    }

    @Test(
        "Git's markers of a merge conflict are told as such, with the line where they begin", arguments: ["\n", "\r\n"])
    func mergeConflict(lineEnd: String) throws {
        let lines = [
            "<plist><dict>", "<key>a</key>", "<<<<<<< ours", "<true/>", "=======", "<false/>", ">>>>>>> theirs",
            "</dict></plist>",
        ]
        let error = try failure(Data(lines.joined(separator: lineEnd).utf8))
        #expect(error.description.hasPrefix("line 3, column 1: git left both sides of a merge conflict here"))
        #expect(error.outline == error.description.dropFirst("line 3, column 1: ".count))
    }
}
