import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@testable import FlagChanges

@Suite("A catalogue that follows from another one")
struct CatalogueUpdateTests {
    /// A project's files in memory, with a catalogue that is carried on from edit to edit.
    private struct Files {
        var manifest: FlagManifest?
        let showsInternal: Bool
        var documents: [PropertyListDocument]
        var catalogue: FlagCatalogue
        /// How often the catalogue could be carried on.
        var carriedOn = 0

        init(_ documents: [PropertyListDocument], manifest: String?, showsInternal: Bool = false) throws {
            self.manifest = try manifest.map { try FlagManifest(source: Data($0.utf8)) }
            self.showsInternal = showsInternal
            self.documents = documents
            catalogue = Self.fresh(documents, self.manifest, showsInternal)
        }

        static func snapshots(
            _ documents: [PropertyListDocument], _ manifest: FlagManifest?
        ) -> [ValuesSnapshot] {
            documents.enumerated().map { place, document in
                ValuesSnapshot(
                    name: "P\(place)", shortDescription: "the file \(place)", isWritable: place == 0,
                    areOverrides: place == 0,
                    content: .success(.file(document)), dictionaryKeys: manifest?.dictionaryKeys ?? [])
            }
        }

        static func fresh(
            _ documents: [PropertyListDocument], _ manifest: FlagManifest?, _ showsInternal: Bool
        ) -> FlagCatalogue {
            FlagCatalogue(
                manifest: manifest?.content, snapshots: snapshots(documents, manifest), showsInternal: showsInternal,
                unknownFields: manifest?.unknownFields ?? [])
        }

        var fresh: FlagCatalogue { Self.fresh(documents, manifest, showsInternal) }

        mutating func take(_ document: PropertyListDocument, at place: Int) {
            change { $0.documents[place] = document }
        }

        mutating func redefine(_ body: (FlagManifest) throws -> FlagManifest) throws {
            let next = try body(try #require(manifest))
            change { $0.manifest = next }
        }

        private var state: CatalogueUpdate.State {
            CatalogueUpdate.State(manifest: manifest, snapshots: Self.snapshots(documents, manifest))
        }

        private mutating func change(_ body: (inout Files) -> Void) {
            let before = state
            body(&self)
            let update = CatalogueUpdate(from: before, to: state, showsInternal: showsInternal)
            let followed = update.applied(to: catalogue)
            if followed != nil { carriedOn += 1 }
            catalogue = followed ?? fresh
        }

        mutating func edit(_ place: Int, _ body: (PropertyListDocument) throws -> PropertyListDocument) rethrows {
            take(try body(documents[place]), at: place)
        }
    }

    private static let manifest = """
        <plist version="1.0"><dict>
        <key>version</key><integer>1</integer>
        <key>flags</key>
        <array>
        <dict><key>key</key><string>a/one</string><key>type</key><string>bool</string><key>order</key><integer>9</integer></dict>
        <dict><key>key</key><string>a/two</string><key>type</key><string>integer</string><key>default</key><integer>2</integer></dict>
        <dict><key>key</key><string>a/c</string><key>type</key><string>dictionary</string><key>group</key><string>c/a</string></dict>
        <dict><key>key</key><string>b/one</string><key>type</key><string>string</string></dict>
        <dict><key>key</key><string>b/secret</string><key>type</key><string>string</string><key>isInternal</key><true/></dict>
        </array>
        <key>collections</key>
        <array>
        <dict><key>key</key><string>a</string><key>name</key><string>First</string><key>order</key><integer>2</integer></dict>
        <dict><key>key</key><string>b</string><key>name</key><string>Second</string></dict>
        <dict><key>key</key><string>c/a</string><key>name</key><string>Third</string><key>order</key><integer>1</integer></dict>
        </array>
        </dict></plist>
        """

    private static let names = ["a", "b", "c", "one", "two", "secret"]

    private static func value(_ random: inout SplitMix) -> FlagValue {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: .bool(true)
        case 1: .bool(false)
        case 2: .integer(Int128(Int.random(in: 0...3, using: &random)))
        case 3: .string(names.randomElement(using: &random) ?? "")
        case 4: .dictionary([:])
        case 5: .dictionary(["one": .integer(1)])
        case 6: .dictionary(["a": .dictionary(["two": .bool(true)]), "c": .string("x")])
        case 7: .array([.integer(1)])
        default: .double(1.5)
        }
    }

    /// Replaces or removes an entry of a tree, whatever is in its way.
    private static func changed(_ value: FlagValue, at path: ArraySlice<String>, to new: FlagValue?) -> FlagValue {
        guard let name = path.first else { return new ?? value }
        var entries: [String: FlagValue] = [:]
        if case .dictionary(let known) = value { entries = known }
        entries[name] =
            path.count == 1 ? new : changed(entries[name] ?? .dictionary([:]), at: path.dropFirst(), to: new)
        return .dictionary(entries)
    }

    /// Fields of a definition, whatever it is now.
    private static func fields(_ random: inout SplitMix) -> [String: FlagValue?] {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: ["type": .string("dictionary"), "default": nil]
        case 1: ["type": .string(["bool", "json", "string"].randomElement(using: &random) ?? ""), "default": nil]
        case 2: ["type": .string("integer"), "default": .integer(Int128(Int.random(in: 0...3, using: &random)))]
        case 3: ["order": .integer(Int128(Int.random(in: 0...3, using: &random)))]
        case 4: ["order": nil, "description": .string(names.randomElement(using: &random) ?? "")]
        case 5: ["isInternal": Bool.random(using: &random) ? .bool(true) : nil]
        case 6:
            [
                "group": Int.random(in: 0..<3, using: &random) == 0
                    ? nil : .string(["c/a", "a", "b/b"].randomElement(using: &random) ?? "")
            ]
        case 7: ["tags": .array([.string(names.randomElement(using: &random) ?? "")]), "ours": .integer(1)]
        default: ["islocked": Bool.random(using: &random) ? .bool(true) : nil, "name": nil]
        }
    }

    @Test(
        "After any of ten thousand edits it is the catalogue that the files have when they are read anew",
        arguments: [(false, true), (true, false), (true, true), (false, false)])
    func followsEdits(hasManifest: Bool, showsInternal: Bool) throws {
        var random = SplitMix(seed: hasManifest ? 25 : 26)
        var files = try Files(
            [.empty(), .empty()], manifest: hasManifest ? Self.manifest : nil, showsInternal: showsInternal)
        for edit in 0..<2500 {
            if hasManifest, edit % 3 == 0 {
                let fields = Self.fields(&random)
                try files.redefine { manifest in
                    let key = manifest.definitions.randomElement(using: &random)?.key
                    return try manifest.setting(fields, of: try #require(key))
                }
            }
            let depth = Int.random(in: 1...3, using: &random)
            let path = (0..<depth).map { _ in Self.names.randomElement(using: &random) ?? "a" }
            let value = Int.random(in: 0..<4, using: &random) == 0 ? nil : Self.value(&random)
            try files.edit(Int.random(in: 0..<2, using: &random)) {
                try PropertyListDocument(root: Self.changed($0.root, at: path[...], to: value))
            }
            guard edit % 5 == 4 else { continue }
            let difference = difference(of: files.catalogue, from: files.fresh)
            try #require(difference == nil, "edit \(edit) at \(path): \(String(describing: value))")
        }
        #expect(files.carriedOn > 1500)
    }

    /// Where a catalogue is not what the files have when they are read anew; `nil` where it is.
    private func difference(of next: FlagCatalogue, from fresh: FlagCatalogue) -> String? {
        guard next.entries.map(\.key) == fresh.entries.map(\.key) else {
            return "\(next.entries.map(\.key)), not \(fresh.entries.map(\.key))"
        }
        for (next, fresh) in zip(next.entries, fresh.entries) where next != fresh {
            return "\(next.definition.type) \(next.resolution), not \(fresh.definition.type) \(fresh.resolution)"
        }
        if next.places != fresh.places { return "places \(next.places), not \(fresh.places)" }
        if next.blocked != fresh.blocked { return "blocked \(next.blocked), not \(fresh.blocked)" }
        if next.mistakenFields != fresh.mistakenFields {
            return "mistaken \(next.mistakenFields), not \(fresh.mistakenFields)"
        }
        if next.collections != fresh.collections { return "groups \(next.collections), not \(fresh.collections)" }
        let words = FlagSearchIndex.Words("one")
        let found = [next, fresh].map { catalogue in
            catalogue.searchIndex.matches(words, texts: Array(repeating: nil, count: catalogue.entries.count))
        }
        return found[0] == found[1] ? nil : "found at \(found[0]), not \(found[1])"
    }

    @Test("A key that is spelt otherwise in the same characters is told as it is spelt now")
    func takesUpSpelling() throws {
        let source = { (name: String) in
            try PropertyListDocument(
                root: .dictionary([name: .integer(1), "other": .integer(2), "third": .integer(3)]))
        }
        var files = try Files([try source("caf\u{E9}")], manifest: nil)
        files.take(try source("cafe\u{301}"), at: 0)
        #expect(files.carriedOn == 1)
        #expect(
            files.catalogue.entries.map { Array($0.key.text.utf8) }
                == files.fresh.entries.map { Array($0.key.text.utf8) })
    }

    @Test("Flags that a value changes nothing for are the same objects as before")
    func keepsOthers() throws {
        let root = Dictionary(uniqueKeysWithValues: (0..<50).map { ("f\($0)", FlagValue.integer(Int128($0))) })
        var files = try Files([try PropertyListDocument(root: .dictionary(root))], manifest: nil)
        let before = files.catalogue
        try files.edit(0) { try $0.setting(.integer(-1), at: FlagKeyPath(components: ["f7"])) }
        #expect(files.carriedOn == 1)
        #expect(files.catalogue.hasSameFlags(as: before))
        let shared = zip(files.catalogue.entries, before.entries).count { $0.isShared(with: $1) }
        #expect(shared == 49)
        try files.edit(0) { try $0.setting(.integer(-1), at: FlagKeyPath(components: ["new"])) }
        #expect(files.carriedOn == 2)
        #expect(!files.catalogue.hasSameFlags(as: before))
    }

    @Test("A flag that is defined otherwise is made anew alone, and found by what it is called now")
    func redefines() throws {
        var files = try Files([.empty()], manifest: Self.manifest)
        let before = files.catalogue
        let key = FlagKeyPath(components: ["a", "two"])
        try files.redefine { try $0.setting(["description": .string("A lamp")], of: key) }
        #expect(files.carriedOn == 1)
        #expect(files.catalogue.hasSameFlags(as: before))
        #expect(
            zip(files.catalogue.entries, before.entries).count { $0.isShared(with: $1) } == before.entries.count - 1)
        #expect(found("lamp", in: files.catalogue) == [key])
        try files.redefine { try $0.setting(["isInternal": .bool(true)], of: key) }
        #expect(files.carriedOn == 2)
        #expect(files.catalogue[key] == nil)
        #expect(found("lamp", in: files.catalogue).isEmpty)
    }

    private static func many(_ count: Int) throws -> FlagManifest {
        let entries = (0..<count).map { (number: Int) in
            let group = number < count / 2 ? "first" : "second"
            return FlagValue.dictionary(["key": .string("\(group)/flag\(number)"), "type": .string("bool")])
        }
        let root: FlagValue = .dictionary(["version": .integer(1), "flags": .array(entries)])
        return try FlagManifest(document: PropertyListDocument(root: root))
    }

    @Test("Wherever a definition stands, and whoever has changed it, its flag alone is made anew")
    func redefinesAnywhere() throws {
        let source = try Self.many(600).document.source
        var files = try Files([.empty()], manifest: String(decoding: source, as: UTF8.self))
        for grown in 0..<3 {
            let count = files.catalogue.entries.count
            for (turn, place) in [0, 1, 255, 256, 511, 512, count - 1].enumerated() {
                for isReadAnew in [false, true] {
                    let (before, carriedOn) = (files.catalogue, files.carriedOn)
                    let key = try #require(files.manifest?.definitions[place].key)
                    try files.redefine { manifest in
                        let name: FlagValue = .string("Turn \(grown) \(turn) \(isReadAnew)")
                        let edited = try manifest.setting(["name": name], of: key)
                        return isReadAnew ? try FlagManifest(source: edited.document.source) : edited
                    }
                    #expect(files.carriedOn == carriedOn + 1)
                    let others = zip(files.catalogue.entries, before.entries).filter { !$0.isShared(with: $1) }
                    #expect(others.map(\.0.key) == [key])
                    try #require(difference(of: files.catalogue, from: files.fresh) == nil)
                }
            }
            // Definitions that come in the middle split the runs of the file's tree, where one that is read anew has full ones.
            for number in 0..<5 {
                let text = "first/grown\(grown)-\(number)"
                let key = FlagKeyPath(components: text.components(separatedBy: "/"))
                try files.redefine { try $0.adding(["key": .string(text), "type": .string("bool")], for: key) }
            }
        }
    }

    @Test("Where another definition comes, or a group is named otherwise, all flags are made anew")
    func definesAnew() throws {
        var files = try Files([.empty()], manifest: Self.manifest)
        let key = FlagKeyPath(components: ["d"])
        try files.redefine { try $0.adding(["key": .string("d"), "type": .string("bool")], for: key) }
        #expect(files.carriedOn == 0)
        #expect(files.catalogue[key] != nil)
        let renamed = Self.manifest.replacing("Second", with: "Zweite")
        try files.redefine { _ in try FlagManifest(source: Data(renamed.utf8)) }
        #expect(files.carriedOn == 0)
        #expect(files.catalogue.collections.values.contains { $0.name == "Zweite" })
    }

    private func found(_ word: String, in catalogue: FlagCatalogue) -> [FlagKeyPath] {
        let matches = catalogue.searchIndex.matches(
            FlagSearchIndex.Words(word), texts: Array(repeating: nil, count: catalogue.entries.count))
        return zip(catalogue.entries, matches).filter(\.1).map(\.0.key)
    }

    @Test("Where a line in front of it is gone, a flag that can't be read is told with the line of now")
    func movesLines() throws {
        let source = """
            <plist version="1.0">
            <dict>
            <key>first</key>
            <string>a
            b</string>
            <key>b</key>
            <true/>
            </dict>
            </plist>
            """
        var files = try Files([try PropertyListDocument(source: Data(source.utf8))], manifest: Self.manifest)
        let key = FlagKeyPath(components: ["b", "one"])
        let text = { (files: Files) in "\(String(describing: files.catalogue[key]?.resolution.readings.first?.answer))"
        }
        #expect(text(files).contains("line 7"))
        try files.edit(0) { try $0.setting(.string("a"), at: FlagKeyPath(components: ["first"])) }
        #expect(files.carriedOn == 1)
        #expect(text(files).contains("line 6"))
        #expect(files.catalogue.entries == files.fresh.entries)
    }
}
