import FeatureFlags
import Foundation
import Testing

@testable import FeatureFlagsXML

@Suite("Merging manifests")
struct ManifestMergeTests {
    private let limit = "<dict><key>key</key><string>limit</string><key>type</key><string>integer</string></dict>"
    private let flow =
        "<dict><key>key</key><string>flow</string><key>type</key><string>bool</string><key>default</key><false/></dict>"

    private func manifest(_ flags: String..., more: String = "") throws -> PropertyListDocument {
        try PropertyListDocument(source: manifestSource(flags: flags.joined(separator: "\n"), more: more))
    }

    private func merge(
        _ base: PropertyListDocument, _ ours: PropertyListDocument, _ theirs: PropertyListDocument
    ) throws -> PropertyListMerge {
        try PropertyListMerge(base: base, ours: ours, theirs: theirs)
    }

    private func with(_ field: String, in entry: String) -> String {
        entry.replacing("</dict>", with: "\(field)</dict>")
    }

    @Test("Changes of different fields of a flag come together, and only their bytes change")
    func fields() throws {
        let described = with("<key>description</key><string>New</string>", in: flow)
        let merge = try merge(
            manifest(limit, flow), manifest(limit, described), manifest(limit, flow.replacing("false", with: "true")))
        #expect(merge.conflicts == [])
        #expect(text(merge.document) == text(try manifest(limit, described.replacing("false", with: "true"))))
    }

    @Test("A field that both sides change each in another way is a conflict of that field alone")
    func disputed() throws {
        let field = "<key>owner</key><string>Ada</string>"
        let merge = try merge(
            manifest(with(field, in: flow)), manifest(with(field, in: flow).replacing("Ada", with: "Bob")),
            manifest(with(field, in: flow).replacing("Ada", with: "Eve").replacing("false", with: "true")))
        #expect(merge.conflicts.map(\.place.text) == ["flow owner"])
        #expect(text(merge.document).contains("Bob") && text(merge.document).contains("<true/>"))
        let marked = text(try merge.marked())
        #expect(marked.contains("<string>Bob</string>\n<!-- conflict: flow owner\n<<<<<<< ours"))
        _ = try FlagManifest(source: Data(marked.utf8))
    }

    @Test("A new flag of theirs stands behind the one that it stands behind there, also where others moved or went")
    func added() throws {
        let (one, two) = (limit.replacing("limit", with: "one"), limit.replacing("limit", with: "two"))
        let merge = try merge(manifest(limit, flow), manifest(flow, limit), manifest(limit, one, two))
        #expect(merge.conflicts == [])
        #expect(try FlagManifest(document: merge.document).definitions.map(\.key.text) == ["limit", "one", "two"])
    }

    @Test("A flag that both sides define alike is defined once; defined otherwise, its fields are merged or conflict")
    func bothAdded() throws {
        #expect(try merge(manifest(), manifest(flow), manifest(flow)).conflicts == [])
        let other = flow.replacing("false", with: "true")
        let merge = try merge(manifest(limit), manifest(limit, flow), manifest(limit, other))
        #expect(merge.conflicts.map(\.place.text) == ["flow default"])
    }

    @Test("A definition that one side removes and the other changes is a conflict as a whole")
    func removed() throws {
        let changed = flow.replacing("false", with: "true")
        let kept = try merge(manifest(limit, flow), manifest(limit, changed), manifest(limit))
        #expect(kept.conflicts.map(\.place.text) == ["flow"])
        #expect(text(kept.document) == text(try manifest(limit, changed)))
        let gone = try merge(manifest(limit, flow), manifest(limit), manifest(limit, changed))
        #expect(gone.conflicts.map(\.ours) == [nil])
        #expect(text(try gone.marked()).contains("<<<<<<< ours, which the file holds\nno definition\n"))
        #expect(try merge(manifest(limit, flow), manifest(limit), manifest(limit, flow)).conflicts == [])
    }

    @Test("Changes that are valid alone and not together are a conflict of the definition")
    func invalid() throws {
        let ours = limit.replacing("</dict>", with: "<key>minimum</key><integer>5</integer></dict>")
        let theirs = limit.replacing("</dict>", with: "<key>default</key><integer>1</integer></dict>")
        let together = with("<key>default</key><integer>1</integer>", in: ours)
        guard case .failure = Result(catching: { try FlagManifest(document: manifest(together)) }) else {
            Issue.record("a default below the minimum is valid")
            return
        }
        let merge = try merge(manifest(limit), manifest(ours), manifest(theirs))
        #expect(merge.conflicts.map(\.place.text) == ["limit"])
        #expect(text(merge.document) == text(try manifest(ours)))
    }

    @Test(
        "What the common ancestors disagree on is a conflict, though one side has the value that stayed in their merge",
        arguments: ["flow", "flow owner", "limit"])
    func ancestors(place: String) throws {
        let changed = flow.replacing("false", with: "true")
        let owned = with("<key>owner</key><string>Ada</string>", in: flow)
        let (ours, theirs) =
            switch place {
            case "flow": (try manifest(limit, changed), try manifest(limit))
            case "flow owner": (try manifest(limit, owned), try manifest(limit, owned.replacing("Ada", with: "Eve")))
            default: (try manifest(flow), try manifest(limit.replacing("integer", with: "double"), flow))
            }
        let base = try merge(manifest(limit, flow), ours, theirs)
        #expect(base.conflicts.map(\.place.text) == [place])
        for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
            let merge = try merge(base.marked(), ours, theirs)
            #expect(merge.conflicts.map(\.place.text) == [place])
            #expect(merge.conflicts.map(\.base) == [nil])
            #expect(merge.document.source == ours.source)
        }
    }

    @Test("Groups are merged by their keys as well, and what else the manifest holds by its names")
    func groups() throws {
        func groups(_ name: String, _ more: String = "") -> String {
            "<key>collections</key><array><dict><key>key</key><string>checkout</string>"
                + "<key>name</key><string>\(name)</string></dict></array>\(more)"
        }
        let merge = try merge(
            manifest(limit, more: groups("A")), manifest(limit, more: groups("B")),
            manifest(limit, more: groups("C", "<key>team</key><string>x</string>")))
        #expect(merge.conflicts.map(\.place.text) == ["group checkout name"])
        #expect(merge.document.value(of: [.key("team")]) == .string("x"))
    }

    @Test("A manifest says one statement for each field, by key path, whatever its order")
    func statements() throws {
        let list = try manifest(limit, flow)
        #expect(list.statements.map(\.place.text) == ["version", "flow default", "flow type", "limit type"])
        #expect(list.statements.map(\.place) == (try manifest(flow, limit)).statements.map(\.place))
        let values = try document("<dict><key>b</key><dict/><key>a</key><dict><key>c/d</key><true/></dict></dict>")
        #expect(values.statements.map(\.place.text) == ["a/c~1d", "b"])
    }
}
