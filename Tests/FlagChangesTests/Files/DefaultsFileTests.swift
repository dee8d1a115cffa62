import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Flags in a property list of UserDefaults")
struct DefaultsFileTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")

    init() throws { project = try Project() }

    private var url: URL { project.folder.appending(path: "shop.plist") }

    private func service(
        _ form: UserDefaultsProvider.Form, prefix: String = "", isWritable: Bool = true
    ) throws -> ChangeService {
        var files = FlagFiles(values: project.file)
        files.defaults = [
            DefaultsFile(name: "Defaults", url: url, form: form, keyPrefix: prefix, isWritable: isWritable)
        ]
        var options = ChangeService.Options(clock: { Project.now })
        options.halfWrittenPatience = .zero
        return try ChangeService(files: files, options: options)
    }

    private func write(_ entries: String) throws {
        try Data(Project.plist(entries).utf8).write(to: url)
    }

    private func change(_ text: String, of key: FlagKeyPath) -> Change {
        Change(key: key, action: .setText(text), provider: "Defaults")
    }

    @Test("Flat keys under a prefix are read, and set by the bytes of one value")
    func flat() async throws {
        try write(
            "<key>other</key><string>the system's</string>\n<!-- kept -->\n<key>flags/checkout/limit</key>  <integer>7</integer>"
        )
        let service = try service(.values, prefix: "flags/")
        let catalogue = try await service.catalogue()
        #expect(catalogue.providers.map(\.name) == ["Local", "Defaults"])
        #expect(catalogue[limit]?.resolution["Defaults"]?.stored == .integer(7))
        #expect(catalogue[FlagKeyPath.of("other")] == nil)
        _ = try await service.apply(change("8", of: limit), by: Project.author)
        let expected = Project.plist(
            "<key>other</key><string>the system's</string>\n<!-- kept -->\n<key>flags/checkout/limit</key>  <integer>8</integer>"
        )
        #expect(try String(contentsOf: url, encoding: .utf8) == expected)
        _ = try await service.apply(
            Change(key: limit, action: .reset, provider: "Defaults"), by: Project.author)
        #expect(try !String(contentsOf: url, encoding: .utf8).contains("checkout"))
        #expect(try service.rows().map(\.event.provider) == ["Defaults", "Defaults"])
    }

    @Test("Override's words are Booleans, and stay its words")
    func override() async throws {
        try write(
            "<key>Override_checkout/enabled</key><string>OFF</string><key>Override_checkout/fast</key><string>Default</string>"
        )
        let service = try service(.override, prefix: "Override_")
        let catalogue = try await service.catalogue()
        #expect(catalogue[enabled]?.resolution["Defaults"]?.stored == .bool(false))
        #expect(catalogue[FlagKeyPath.of("checkout", "fast")]?.resolution["Defaults"] == .absent)
        _ = try await service.apply(change("true", of: enabled), by: Project.author)
        #expect(try String(contentsOf: url, encoding: .utf8).contains("<string>ON</string>"))
        let before = try Data(contentsOf: url)
        let error = await #expect(throws: ChangeError.self) {
            _ = try await service.apply(change("7", of: limit), by: Project.author)
        }
        #expect(error?.reason == .invalid && error?.isOfApp == false)
        #expect(error?.description.contains("expected a boolean, the only type that Override stores") == true)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("A dictionary under one key is read and changed in its place, and made where there is none")
    func dictionary() async throws {
        let service = try service(.dictionary("toggles"))
        _ = try await service.apply(change("8", of: limit), by: Project.author)
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains("<key>toggles</key>") && text.contains("<key>limit</key>"))
        #expect(try await service.catalogue()[limit]?.resolution["Defaults"]?.stored == .integer(8))
    }

    @Test(
        "A dictionary flag in a dictionary under one key is set again, reset and put back, in either format",
        arguments: [false, true])
    func dictionaryInDictionary(isBinary: Bool) async throws {
        let options = FlagKeyPath.of("options")
        if isBinary {
            let deeper: [String: any Sendable] = ["x": 1]
            let inner: [String: any Sendable] = ["depth": 2, "deeper": deeper]
            try writeBinary(["toggles": ["options": inner], "other": 1])
        } else {
            try write(
                "<key>toggles</key><dict><key>options</key><dict><key>depth</key><integer>2</integer>"
                    + "<key>deeper</key><dict><key>x</key><integer>1</integer></dict></dict></dict>")
        }
        let service = try service(.dictionary("toggles"))
        func stored() async throws -> FlagValue? {
            try await service.catalogue()[options]?.resolution["Defaults"]?.stored
        }
        #expect(try await stored() == ["depth": 2, "deeper": ["x": 1]])
        let new: FlagValue = ["depth": 3]
        for action in [Change.Action.setValue(new), .reset] {
            _ = try await service.apply(Change(key: options, action: action, provider: "Defaults"), by: Project.author)
        }
        #expect(try await stored() == nil)
        for value in [new, nil] {
            let row = try #require(try service.rows().last)
            let back = try #require(Reversal.reversals(of: [row], reason: "back").first)
            _ = try await service.apply(back.change, by: Project.author)
            #expect(try await stored() == value)
        }
    }

    @Test("An inner value of a dictionary flag that another program changed is not overwritten")
    func racedDictionary() async throws {
        func write(_ depth: Int) throws {
            try self.write(
                "<key>toggles</key><dict><key>options</key><dict><key>depth</key><integer>\(depth)</integer></dict></dict>"
            )
        }
        try write(4)
        let file = DefaultsFile(name: "Defaults", url: url, form: .dictionary("toggles"))
        let writer = try #require(file.read(known: nil, upTo: 1_000_000).provider.writer)
        let options = FlagKeyPath.of("options")
        try write(5)
        #expect(throws: PlainError.self) { try writer([.init(key: options, before: ["depth": 4], after: nil)]) }
        #expect(try String(contentsOf: url, encoding: .utf8).contains("<integer>5</integer>"))
        try writer([.init(key: options, before: ["depth": 5], after: nil)])
        #expect(try !String(contentsOf: url, encoding: .utf8).contains("options"))
    }

    @Test("One request changes the defaults and a values file in the same folder, without waiting for itself")
    func together() async throws {
        let service = try service(.values)
        let request = ChangeRequest(
            [change("7", of: limit), Change(key: limit, action: .setText("8"), provider: "Local")], by: Project.author)
        _ = try await service.apply(request)
        #expect(try String(contentsOf: url, encoding: .utf8).contains("<integer>7</integer>"))
        #expect(try project.text().contains("<integer>8</integer>"))
    }

    @Test("A value that another program changed between the look and the write is not overwritten")
    func raced() async throws {
        try write("<key>checkout/limit</key><integer>4</integer>")
        let file = DefaultsFile(name: "Defaults", url: url, form: .values)
        let provider = file.read(known: nil, upTo: 1_000_000).provider
        try write("<key>checkout/limit</key><integer>5</integer>")
        let writer = try #require(provider.writer)
        #expect(throws: PlainError.self) { try writer([.init(key: limit, before: .integer(4), after: .integer(7))]) }
        #expect(try String(contentsOf: url, encoding: .utf8).contains("<integer>5</integer>"))
    }

    @Test("An edit that leaves size and time as they were is seen")
    func sameSignature() throws {
        let file = DefaultsFile(name: "Defaults", url: url, form: .values)
        try write("<key>checkout/limit</key><integer>4</integer>")
        let known = file.read(known: nil, upTo: 1_000_000)
        #expect(!known.isSettled, "Two changes of one moment may leave no trace")
        let handle = try FileHandle(forUpdating: url)
        try handle.write(contentsOf: Data(Project.plist("<key>checkout/limit</key><integer>5</integer>").utf8))
        try handle.close()
        let now = file.read(known: known, upTo: 1_000_000).provider
        #expect(now.value(of: FlagKeyPath.of("checkout", "limit")) == .integer(5))
    }

    @Test("A file that can't be read is a problem of its provider, and is never overwritten")
    func broken() async throws {
        try Data("bplist00\u{1}".utf8).write(to: url)
        let service = try service(.values)
        let overview = try await service.overview()
        #expect(overview.catalogue.providers.last?.problem != nil)
        await #expect(throws: ChangeError.self) {
            _ = try await service.apply(change("7", of: limit), by: Project.author)
        }
        #expect(try Data(contentsOf: url) == Data("bplist00\u{1}".utf8))
    }

    private func writeBinary(_ entries: [String: Any]) throws {
        try PropertyListSerialization.data(fromPropertyList: entries, format: .binary, options: 0).write(to: url)
    }

    private func binaryEntries() throws -> [String: Any] {
        var format = PropertyListSerialization.PropertyListFormat.xml
        let root = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: &format)
        #expect(format == .binary)
        return try #require(root as? [String: Any])
    }

    @Test("A binary list, as on macOS, is changed at one key and stays binary, with all other values as they were")
    func binary() async throws {
        let moment = Date(timeIntervalSinceReferenceDate: 700_000_000.678)
        let list: [String: any Sendable] = ["a": true]
        let zones: [any Sendable] = [1, list]
        let before: [String: any Sendable] = [
            "other": "the system's\u{1}", "flags/checkout/limit": 7, "flags/checkout/since": moment,
            "flags/checkout/rate": 1.0, "flags/checkout/enabled": true, "flags/checkout/most": UInt64.max,
            "flags/checkout/raw": Data([0, 255]), "flags/checkout/zones": zones,
        ]
        try writeBinary(before)
        let service = try service(.values, prefix: "flags/")
        let catalogue = try await service.catalogue()
        #expect(catalogue.providers.last?.problem == nil)
        func stored(_ name: String) -> FlagValue? {
            catalogue[FlagKeyPath.of("checkout", name)]?.resolution["Defaults"]?.stored
        }
        #expect(stored("limit") == FlagValue.integer(7))
        #expect(stored("rate") == FlagValue.double(1))
        #expect(stored("most") == FlagValue.integer(Int128(UInt64.max)))
        #expect(stored("raw") == FlagValue.data(Data([0, 255])))
        let read = FlagValue.array([FlagValue.integer(1), FlagValue.dictionary(["a": FlagValue.bool(true)])])
        #expect(stored("zones") == read)
        _ = try await service.apply(change("8", of: limit), by: Project.author)
        var entries = try binaryEntries()
        #expect(entries["flags/checkout/limit"] as? Int == 8 && entries["other"] as? String == "the system's\u{1}")
        #expect(entries["flags/checkout/since"] as? Date == moment, "A binary list keeps fractions of a second")
        let rate = try #require(entries["flags/checkout/rate"] as? NSNumber)
        #expect(String(cString: rate.objCType) == "d")
        _ = try await service.apply(Change(key: limit, action: .reset, provider: "Defaults"), by: Project.author)
        entries = try binaryEntries()
        #expect(entries["flags/checkout/limit"] == nil && entries.count == 7)
        #expect(try service.rows().map(\.event.provider) == ["Defaults", "Defaults"])
    }

    @Test("A dictionary in a binary list is changed in its place")
    func binaryDictionary() async throws {
        let before: [String: any Sendable] = ["limit": 7, "enabled": true]
        try writeBinary(["toggles": ["checkout": before], "other": 1])
        let service = try service(.dictionary("toggles"))
        #expect(try await service.catalogue()[limit]?.resolution["Defaults"]?.stored == .integer(7))
        _ = try await service.apply(change("8", of: limit), by: Project.author)
        let group: [String: FlagValue] = ["limit": FlagValue.integer(8), "enabled": FlagValue.bool(true)]
        let toggles: [String: FlagValue] = ["checkout": FlagValue.dictionary(group)]
        let expected: [String: FlagValue] = ["toggles": FlagValue.dictionary(toggles), "other": FlagValue.integer(1)]
        let entries = try FlagValue.entries(foundation: try binaryEntries())
        #expect(entries == expected)
    }

    @Test("A value of a binary list that no flag can have breaks its flag alone")
    func binaryBroken() async throws {
        try writeBinary(["checkout/limit": 7, "checkout/enabled": "\u{1}"])
        let service = try service(.values)
        let catalogue = try await service.catalogue()
        #expect(catalogue[limit]?.resolution["Defaults"]?.stored == .integer(7))
        #expect(catalogue.providers.last?.problem == nil)
        let file = DefaultsFile(name: "Defaults", url: url, form: .values)
        let provider = file.read(known: nil, upTo: 1_000_000).provider
        #expect(Array(provider.broken.keys) == [enabled])
    }

    @Test("What Foundation writes is read, and what is set here Foundation reads", arguments: [true, false])
    func foundation(isReadOnly: Bool) async throws {
        try write("<key>checkout/limit</key><integer>4</integer>")
        let service = try service(.values, isWritable: !isReadOnly)
        let before = try await service.catalogue()
        #expect(before[limit]?.resolution["Defaults"]?.stored == .integer(4))
        #expect(before.providers.last?.isWritable == !isReadOnly)
        guard !isReadOnly else {
            await #expect(throws: ChangeError.self) {
                _ = try await service.apply(change("7", of: limit), by: Project.author)
            }
            return
        }
        _ = try await service.apply(change("9", of: limit), by: Project.author)
        let entries = try #require(
            try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any])
        #expect(entries["checkout/limit"] as? Int == 9)
        // Another program's edit is seen at the next look.
        try write("<key>checkout/limit</key><integer>5</integer>")
        #expect(try await service.catalogue()[limit]?.resolution["Defaults"]?.stored == .integer(5))
    }
}
