import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("The local provider")
struct LocalProviderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func content(_ url: URL) throws -> String {
        String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    @Test("A missing file reads as empty and is made by the first set")
    func makesFile() throws {
        let provider = LocalProvider(localURL: folder.file("flags.xml"))
        #expect(provider.name == "Local")
        #expect(try provider.storedValue(at: key("ui/blue")) == nil)
        try provider.setStoredValue(nil, at: key("ui/blue"))
        try provider.resetAllData()
        #expect(try folder.names.isEmpty)
        try provider.setStoredValue(.bool(true), at: key("ui/blue"))
        #expect(try provider.storedValue(at: key("ui/blue")) == .bool(true))
        #expect(try folder.names == ["flags.xml"])
        #expect(
            try content(folder.file("flags.xml")).hasSuffix(
                "<dict>\n\t<key>ui</key>\n\t<dict>\n\t\t<key>blue</key>\n\t\t<true/>\n\t</dict>\n</dict>\n</plist>\n"))
    }

    @Test("Each change is saved at once and touches only the flag's bytes, mode and link stay")
    func savesFaithfully() throws {
        let (file, link) = (folder.file("real.xml"), folder.file("link.xml"))
        try Data(PropertyListEditorTests.file.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let provider = LocalProvider(localURL: link)
        try provider.setStoredValue(.bool(false), at: key("alpha"))
        #expect(try content(file) == PropertyListEditorTests.file.replacing("<true/>", with: "<false/>"))
        try provider.setStoredValue(nil, at: key("alpha"))
        #expect(try provider.storedValue(at: key("alpha")) == nil)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
        try provider.resetAllData()
        #expect(try content(file).contains("<!-- Kept. -->\n<plist version=\"1.0\">\n<dict>\n</dict>\n</plist>\n"))
        #expect(try folder.names == ["link.xml", "real.xml"])
    }

    @Test("Without a watch, edits from outside are seen at once, even those of the same size at the same moment")
    func seesOutsideEdits() throws {
        let file = folder.file("flags.xml")
        let provider = LocalProvider(localURL: file, isWatched: false)
        #expect(provider.store == nil)
        for number in 100..<200 {
            try Data("<plist><dict><key>n</key><integer>\(number)</integer></dict></plist>".utf8).write(to: file)
            #expect(try provider.storedValue(at: key("n")) == .integer(Int128(number)))
        }
        try FileManager.default.removeItem(at: file)
        let problem = try #require(throws: FlagValueError.self) { try provider.storedValue(at: key("n")) }
        #expect(problem.description.contains("\(file.path) is missing"))
        #expect(try provider.lastValues(at: key("n")).contains(.integer(199)))
    }

    @Test("A corrupt file is broken for reads and never overwritten")
    func keepsCorruptFile() throws {
        let file = folder.file("flags.xml")
        let corrupt = "<plist version=\"1.0\">\n<dict>\n<key>a</key>\n</dict>\n</plist>\n"
        try Data(corrupt.utf8).write(to: file)
        let provider = LocalProvider(localURL: file)
        let problem = try #require(throws: FlagValueError.self) { try provider.storedValue(at: key("a")) }
        #expect(
            problem.description.contains("can't read \(file.path): line 3, column 1: the key \"a\" has no value"))
        #expect(throws: FlagValueError.self) { try provider.setStoredValue(.bool(true), at: key("a")) }
        #expect(throws: FlagValueError.self) { try provider.resetAllData() }
        #expect(throws: FlagValueError.self) { try provider.saveToDisk(to: folder.file("copy.xml")) }
        #expect(throws: FlagValueError.self) { try provider.saveToDisk() }
        #expect(try content(file) == corrupt)
        #expect(try folder.names == ["flags.xml"])
    }

    @Test("A read-only provider changes nothing")
    func enforcesReadOnly() throws {
        let file = folder.file("flags.xml")
        let providers = [
            LocalProvider(localURL: file, name: "File", isWritable: false),
            LocalProvider(name: "Memory", values: [:], isWritable: false),
        ]
        for provider in providers {
            let problem = try #require(throws: FlagError.self) {
                try provider.setStoredValue(.bool(true), at: key("a"))
            }
            #expect(problem.description.contains("the provider \(provider.name) is read-only"))
            #expect(throws: FlagError.self) { try provider.resetAllData() }
        }
        #expect(try folder.names.isEmpty)
    }

    @Test("Values in memory behave as those in a file, and can be saved")
    func keepsValuesInMemory() throws {
        let provider = LocalProvider(name: "Memory", values: ["ui": .dictionary(["blue": .bool(true)])])
        try provider.setStoredValue(.integer(1), at: key("ui/count"))
        try provider.setStoredValue(nil, at: key("ui/blue"))
        #expect(throws: FlagValueError.self) { try provider.storedValue(at: key("ui/count/x")) }
        #expect(throws: FlagValueError.self) { try provider.setStoredValue(.bool(true), at: key("ui/count/x")) }
        let copy = folder.file("copy.xml")
        try provider.saveToDisk(to: copy)
        let values = FlagValue.dictionary(["ui": .dictionary(["count": .integer(1)])])
        #expect(try PropertyListDocument(source: Data(contentsOf: copy)).root == values)
        try provider.resetAllData()
        #expect(try provider.storedValue(at: key("ui/count")) == nil)
    }

    @Test("Many tasks that use one provider lose no change, with a watch and without", arguments: [true, false])
    func worksConcurrently(isWatched: Bool) async throws {
        let provider = LocalProvider(localURL: folder.file("flags.xml"), isWatched: isWatched)
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<15 {
                        try provider.setStoredValue(.integer(Int128(number)), at: key("t\(task)/n\(number)"))
                        #expect(try provider.storedValue(at: key("t\(task)/n\(number)")) == .integer(Int128(number)))
                    }
                }
            }
            try await group.waitForAll()
        }
        for task in 0..<8 {
            let group = try #require(try provider.storedValue(at: key("t\(task)")))
            #expect(
                group
                    == .dictionary(Dictionary(uniqueKeysWithValues: (0..<15).map { ("n\($0)", .integer(Int128($0))) })))
        }
        #expect(try folder.names == ["flags.xml"])
    }
}
