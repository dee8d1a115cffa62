import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("The bytes that a revert brings back")
struct FormerBytesTests {
    private let editor = ChangeAuthor(name: "eve", role: .editor, origin: .revert)
    private let keys = ["quoted", "many", "empty", "first"].map { FlagKeyPath.of($0) }

    /// Nothing of it is as an edit would write it.
    private static let entries = """
        <key>quoted</key> <!-- by hand -->
              <string>it&apos;s &#x41;&#66;</string>
        <key>many</key><array>
          <string>one</string> <!-- the first -->
            <integer>+2</integer></array>
        <key>empty</key><true></true>
        <key>first</key>   <!-- last by the alphabet? --> <real>1.50</real>
        """

    private let project: Project

    init() throws { project = try Project(values: Project.plist(Self.entries), manifest: nil) }

    private func change(_ key: FlagKeyPath) -> Change {
        switch key.text {
        case "quoted": Change(key: key, action: .setText("that's it"))
        case "many": Change(key: key, action: .setValue(.array([.string("none")])))
        case "empty": Change(key: key, action: .setValue(.bool(false)))
        default: Change(key: key, action: .reset)
        }
    }

    @Test("They are those from before each change, in whatever order the changes are taken back")
    func each() async throws {
        let before = try project.text()
        let service = try project.service()
        for key in keys { _ = try await service.apply(change(key), by: Project.author) }
        let rows = try service.rows()
        try #require(rows.count == 4)
        for place in [1, 3, 0, 2] {
            #expect(try project.text() != before)
            let reversal = try #require(Reversal.reversals(of: [rows[place]], reason: "back").first)
            guard case .applied = try await service.apply(reversal.change, by: editor) else {
                Issue.record("\(keys[place]) was not put back")
                return
            }
        }
        #expect(try project.text() == before)
    }

    @Test("They are those from before a batch that is taken back as a whole")
    func batch() async throws {
        let before = try project.text()
        let service = try project.service()
        _ = try await service.apply(ChangeRequest(keys.map(change), by: Project.author))
        #expect(try project.text() != before)
        let reversals = Reversal.reversals(of: try service.rows(), reason: "back")
        _ = try await service.apply(ChangeRequest(reversals.map(\.change), by: editor))
        #expect(try project.text() == before)
    }

    @Test("Where one change of a batch is taken back, the others stay")
    func partOfBatch() async throws {
        let service = try project.service()
        _ = try await service.apply(ChangeRequest(keys.map(change), by: Project.author))
        let reversal = try #require(Reversal.reversals(of: [try service.rows()[0]], reason: "back").first)
        _ = try await service.apply(reversal.change, by: editor)
        let catalogue = try await service.catalogue()
        #expect(catalogue[keys[0]]?.resolution.effectiveValue == .string("it's AB"))
        #expect(catalogue[keys[1]]?.resolution.effectiveValue == .array([.string("none")]) && catalogue[keys[3]] == nil)
    }

    @Test("After another program's edit the value comes back, written anew, and its edit stays")
    func outsideEdit() async throws {
        let service = try project.service()
        _ = try await service.apply(change(keys[0]), by: Project.author)
        try project.write(try project.text().replacing("+2", with: "3"))
        let row = try #require(try service.rows().first)
        let reversal = try #require(Reversal.reversals(of: [row], reason: "back").first)
        _ = try await service.apply(reversal.change, by: editor)
        let text = try project.text()
        #expect(text.contains("<string>it's AB</string>") && text.contains("<integer>3</integer>"))
    }

    @Test("They are those from before a change of nearly the whole file")
    func largeEdit() async throws {
        let elements = (0..<700).map { "  <!-- item \($0): why it is so --><integer>0x\($0)</integer>\n" }.joined()
        try project.write(Project.plist("<key>list</key><array>\n\(elements)</array>\n<key>on</key><true/>"))
        let before = try project.text()
        let service = try project.service()
        _ = try await service.apply(Change(key: .of("list"), action: .reset), by: Project.author)
        #expect(try project.text().utf8.count < 200)
        let reversal = try #require(Reversal.reversals(of: try service.rows(), reason: "back").first)
        _ = try await service.apply(reversal.change, by: editor)
        #expect(try project.text() == before)
    }

    @Test("They are those from before a small change, after a large one of another flag too")
    func smallBeforeLarge() async throws {
        try project.write(Project.plist("<key>a</key> <integer>0x10</integer>\n<key>b</key><string>short</string>"))
        let service = try project.service()
        _ = try await service.apply(Change(key: .of("a"), action: .setText("5")), by: Project.author)
        let text = String(repeating: "long ", count: 4000)
        _ = try await service.apply(Change(key: .of("b"), action: .setText(text)), by: Project.author)
        let row = try #require(try service.rows().first)
        let reversal = try #require(Reversal.reversals(of: [row], reason: "back").first)
        _ = try await service.apply(reversal.change, by: editor)
        #expect(try project.text().contains("<key>a</key> <integer>0x10</integer>\n"))
    }

    @Test(
        "After the first value in a new group is taken back, the group is gone too",
        arguments: ["group/skip", "new/one/two", "kept/inner/flag"])
    func newGroup(key: String) async throws {
        let key = try #require(FlagKeyPath(text: key))
        try project.write(Project.plist(Self.entries + "\n<key>kept</key>\n<dict>\n</dict>"))
        try project.writeManifest(Project.manifest([(key.text, "bool", "")]))
        let before = try project.text()
        let service = try project.service()
        _ = try await service.apply(Change(key: key, action: .setText("false")), by: Project.author)
        #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .bool(false))
        let set = try project.text()
        for text in [before, set] {
            let row = try #require(try service.rows().last)
            let reversal = try #require(Reversal.reversals(of: [row], reason: "back").first)
            _ = try await service.apply(reversal.change, by: editor)
            #expect(try project.text() == text)
        }
    }

    @Test("A group that has another value by now stays")
    func usedGroup() async throws {
        let (one, two) = (FlagKeyPath.of("group", "one"), FlagKeyPath.of("group", "two"))
        try project.writeManifest(Project.manifest([(one.text, "bool", ""), (two.text, "bool", "")]))
        let service = try project.service()
        for key in [one, two] {
            _ = try await service.apply(Change(key: key, action: .setText("true")), by: Project.author)
        }
        let reversal = try #require(Reversal.reversals(of: [try service.rows()[0]], reason: "back").first)
        _ = try await service.apply(reversal.change, by: editor)
        let catalogue = try await service.catalogue()
        #expect(catalogue[one]?.resolution["Local"] == .absent)
        #expect(catalogue[two]?.resolution["Local"]?.stored == .bool(true))
    }
}
