import FeatureFlags
import FeatureFlagsXML
import Foundation
import Testing

@Suite("A values file behind symbolic links")
struct LinkedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("A link to a file that does not exist yet stays, and the file is made where it leads")
    func danglingLink() throws {
        try FileManager.default.createDirectory(at: folder.file("values"), withIntermediateDirectories: true)
        let (link, second) = (folder.file("flags.xml"), folder.file("values/link.xml"))
        #expect(symlink("values/link.xml", link.path) == 0)
        #expect(symlink("../real.xml", second.path) == 0)
        let provider = LocalProvider(localURL: link)
        try provider.setStoredValue(.bool(true), at: key("a"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "values/link.xml")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: second.path) == "../real.xml")
        #expect(try folder.names == ["flags.xml", "real.xml", "values"])
        #expect(try provider.storedValue(at: key("a")) == .bool(true))
    }

    @Test("Links that lead to one another, or into no folder, are replaced by nothing")
    func linksToNowhere() throws {
        #expect(symlink("b.xml", folder.file("a.xml").path) == 0)
        #expect(symlink("a.xml", folder.file("b.xml").path) == 0)
        #expect(symlink("none/c.xml", folder.file("c.xml").path) == 0)
        for name in ["a.xml", "c.xml"] {
            let provider = LocalProvider(localURL: folder.file(name))
            #expect(throws: (any Error).self) { try provider.setStoredValue(.bool(true), at: key("a")) }
        }
        #expect(try folder.names == ["a.xml", "b.xml", "c.xml"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("c.xml").path) == "none/c.xml")
    }

    @Test("A file's time may be in any year", arguments: [-10_000_000_000, 10_000_000_000])
    func farTimes(seconds: Int) throws {
        let file = folder.file("flags.xml")
        try Data("<plist><dict><key>a</key><true/></dict></plist>".utf8).write(to: file)
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, file.path, [time, time], 0) == 0)
        #expect(try LocalProvider(localURL: file).storedValue(at: try key("a")) == .bool(true))
    }
}
