import Foundation
import Synchronization
import Testing

@testable import DurableFiles

@Suite("Reading and replacing files")
struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func failure(_ url: URL, maximumSize: Int = 100) throws -> FileAccessError {
        try #require(throws: FileAccessError.self) { _ = try AtomicFile.read(url, maximumSize: maximumSize) }
    }

    private func read(_ url: URL) throws -> AtomicFile.Contents { try AtomicFile.read(url, maximumSize: 100) }

    @Test("A name that leaves no room for the files beside it is named as the cause")
    func longName() throws {
        let file = folder.file(String(repeating: "f", count: 244))
        try Data().write(to: file)
        let error = try #require(throws: FileAccessError.self) {
            try AtomicFile.writeTemporary(Data("new".utf8), beside: file)
        }
        #expect(error.clause == "File name too long; use a shorter name or path")
    }

    @Test(
        "A file that holds what is known is told by it, and one that differs anywhere is read",
        arguments: [0, 1, 131_071, 131_072, 131_073, 300_000])
    func known(size: Int) throws {
        let held = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = folder.file("known")
        try held.write(to: file)
        func found(_ known: [Data]) throws -> AtomicFile.Contents {
            try AtomicFile.read(file, maximumSize: 1_000_000, known: known)
        }
        #expect(try found([]).known == nil)
        #expect(try found([held]).known == 0)
        #expect(try found([held]).data == held)
        #expect(try found([held + [0], held]).known == 1)
        for place in Set([0, size / 2, size - 1]) where held.indices.contains(place) {
            var other = held
            other[place] ^= 1
            #expect(try found([other]).known == nil)
            #expect(try found([other]).data == held)
            #expect(try found([other, held]).known == 1)
        }
        #expect(try found([held.dropLast()]).known == (size == 0 ? 0 : nil))
        // A part of a buffer does not begin at 0.
        #expect(try found([(Data([9]) + held).dropFirst()]).known == 0)
    }

    @Test("What is no readable regular file is refused, with its path and the cause")
    func refuses() throws {
        let missing = try failure(folder.file("none"))
        #expect(missing.isMissing)
        #expect(missing.path == folder.file("none").path)
        #expect(missing.description == "can't read \(missing.path): the file doesn't exist; check the path")
        #expect(try failure(folder.url).description.contains("it is a folder"))
        #expect(try failure(folder.file("none/deeper")).isMissing)
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        #expect(try failure(pipe).description.contains("it is a named pipe, not a regular file"))
        #expect(try failure(URL(filePath: "/dev/zero")).description.contains("it is a device, not a regular file"))
        let socket = folder.file("socket")
        #expect(mknod(socket.path, S_IFSOCK | 0o600, 0) == 0)
        #expect(try failure(socket).description.contains("it is a socket, not a regular file"))
        try Data(count: 101).write(to: folder.file("large"))
        #expect(try failure(folder.file("large")).description.contains("101 bytes, and the limit is 100"))
        #expect(try AtomicFile.read(folder.file("large"), maximumSize: 101).data.count == 101)
    }

    @Test("Of links to a file that does not exist yet, the target is where they lead; of links to nowhere, themselves")
    func targets() throws {
        try FileManager.default.createDirectory(at: folder.file("values"), withIntermediateDirectories: true)
        #expect(symlink("values/link.xml", folder.file("flags.xml").path) == 0)
        #expect(symlink("../real.xml", folder.file("values/link.xml").path) == 0)
        #expect(AtomicFile.target(of: folder.file("flags.xml")).lastPathComponent == "real.xml")
        #expect(symlink("b.xml", folder.file("a.xml").path) == 0)
        #expect(symlink("a.xml", folder.file("b.xml").path) == 0)
        #expect(AtomicFile.target(of: folder.file("a.xml")) == folder.file("a.xml"))
    }

    @Test("What was read stays trusted only if the file had been at rest for two seconds")
    func settles() throws {
        let file = folder.file("flags.xml")
        try Data("old".utf8).write(to: file)
        // The time of the attributes counts: that of the contents can be set back.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file.path)
        #expect(try !read(file).isSettled)
        #expect(try AtomicFile.read(file, maximumSize: 100, at: Date(timeIntervalSinceNow: 3)).isSettled)
        #expect(try !AtomicFile.read(file, maximumSize: 100, at: Date(timeIntervalSinceNow: -3)).isSettled)
    }

    @Test("A private file is made once, for its owner alone, and a second maker is told that there is one")
    func makesPrivate() throws {
        let file = folder.file("key")
        #expect(try AtomicFile.makePrivate(file, with: Data("first".utf8)))
        #expect(try !AtomicFile.makePrivate(file, with: Data("second".utf8)))
        #expect(try read(file).data == Data("first".utf8))
        #expect(try read(file).signature.mode == 0o600)
        #expect(try folder.names == ["key"])
        #expect(try AtomicFile.readIfThere(folder.file("none"), maximumSize: 100)?.data == nil)
    }

    @Test("A temporary file has the bytes and the mode, and replaces the file at one stroke")
    func replaces() throws {
        let file = folder.file("flags.xml")
        try Data("old".utf8).write(to: file)
        let old = try read(file)
        let temporary = try AtomicFile.writeTemporary(Data("new".utf8), beside: file, mode: 0o604)
        #expect(try read(temporary).signature.mode == 0o604)
        #expect(try read(file).data == Data("old".utf8))
        try AtomicFile.rename(temporary, to: file)
        let new = try read(file)
        #expect(new.data == Data("new".utf8))
        #expect(new.signature != old.signature)
        #expect(try AtomicFile.signature(of: file) == new.signature)
        #expect(try AtomicFile.signature(of: temporary) == nil)
        #expect(try folder.names == ["flags.xml"])
    }

    @Test(
        "A file that replaces another has its owner and group, whoever writes it",
        .enabled(if: geteuid() == 0, "only root may give a file away"))
    func keepsOwner() throws {
        let file = folder.file("flags.xml")
        try Data("old".utf8).write(to: file)
        try #require(chown(file.path, 65534, 65533) == 0)
        let temporary = try AtomicFile.writeTemporary(Data("new".utf8), beside: file, mode: 0o600)
        try AtomicFile.rename(temporary, to: file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.ownerAccountID] as? Int == 65534)
        #expect(attributes[.groupOwnerAccountID] as? Int == 65533)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("Only the temporary files of one writer are removed, and nothing else")
    func removesTemporaries() throws {
        let file = folder.file("flags.xml")
        let others = [
            "flags.xml", "notes.tmp", ".flags.xml.mine.backup.tmp", ".flags.xml.mine.\(UUID().uuidString).swp",
            ".other.xml.mine.\(UUID().uuidString).tmp",
        ]
        for name in others { try Data().write(to: folder.file(name)) }
        let living = try AtomicFile.writeTemporary(Data(), beside: file)
        let left = try AtomicFile.writeTemporary(Data(), beside: file, writer: "mine")
        try AtomicFile.removeTemporaries(of: "mine", beside: file)
        #expect(try AtomicFile.signature(of: left) == nil)
        #expect(try folder.names == (others + [living.lastPathComponent]).sorted())
    }

    @Test("A failed write names the cause and leaves nothing behind")
    func failsCleanly() throws {
        let nowhere = try #require(throws: FileAccessError.self) {
            try AtomicFile.writeTemporary(Data(), beside: folder.file("none/flags.xml"))
        }
        #expect(nowhere.description.contains("its folder doesn't exist"))
        let temporary = try AtomicFile.writeTemporary(Data(), beside: folder.file("flags.xml"))
        #expect(throws: FileAccessError.self) { try AtomicFile.rename(temporary, to: folder.url) }
        #expect(try folder.names.isEmpty)
    }

    @Test("What can't be put back stays, since it may be the only copy")
    func keepsWhatCannotBeRestored() throws {
        let kept = folder.file("kept")
        try Data("edit".utf8).write(to: kept)
        #expect(throws: FileAccessError.self) { try AtomicFile.restore(kept, to: folder.url) }
        #expect(try Data(contentsOf: kept) == Data("edit".utf8))
    }

    @Test("An edit that was displaced and can't be put back is kept beside the file")
    func keepsDisplacedEdit() throws {
        let file = folder.file("flags.xml")
        try Data("old".utf8).write(to: file)
        var actions = FileReplacement.Actions()
        let isFirst = Mutex(true)
        actions.exchange = { temporary, url throws(FileAccessError) in
            let installs = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            // The swap back fails, as on a disk that went away.
            guard installs else { return try AtomicFile.exchange(temporary, with: url.appending(path: "nowhere")) }
            do {
                try Data("an edit by somebody else".utf8).write(to: url, options: .atomic)
            } catch {
                Issue.record(error)
            }
            try AtomicFile.exchange(temporary, with: url)
        }
        let before = try AtomicFile.signature(of: file)
        #expect(throws: FileAccessError.self) {
            try FileReplacement.replace(file, ifStill: before, with: Data("new".utf8), actions: actions)
        }
        let texts = try folder.names.map { try String(contentsOf: folder.file($0), encoding: .utf8) }
        #expect(texts.contains("an edit by somebody else"))
    }

    @Test("Of two edits at the moment of a replacement, the one on top of it stands and the other is kept")
    func keepsOverwrittenEdit() throws {
        let file = folder.file("flags.xml")
        try Data("old".utf8).write(to: file)
        var actions = FileReplacement.Actions()
        let isFirst = Mutex(true)
        actions.exchange = { temporary, url throws(FileAccessError) in
            let isRaced = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            func edit(_ text: String) {
                #expect(throws: Never.self) { try Data(text.utf8).write(to: url, options: .atomic) }
            }
            if isRaced { edit("an edit right before") }
            try AtomicFile.exchange(temporary, with: url)
            if isRaced { edit("an edit on top") }
        }
        let before = try AtomicFile.signature(of: file)
        #expect(try !FileReplacement.replace(file, ifStill: before, with: Data("new".utf8), actions: actions))
        #expect(try String(contentsOf: file, encoding: .utf8) == "an edit on top")
        let kept = try #require(try folder.names.first { $0.hasPrefix("flags.xml.overwritten-") })
        #expect(try String(contentsOf: folder.file(kept), encoding: .utf8) == "an edit right before")
        #expect(try folder.names.count == 2)
    }

    @Test("A file's time may be in any year", arguments: [-10_000_000_000, 10_000_000_000])
    func farTimes(seconds: Int) throws {
        let file = folder.file("flags.xml")
        try Data("<plist><dict><key>a</key><true/></dict></plist>".utf8).write(to: file)
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, file.path, [time, time], 0) == 0)
        // A file system keeps the nearest time that it can.
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        let stored = try #require(attributes[.modificationDate] as? Date)
        let signature = try #require(try AtomicFile.signature(of: file))
        #expect(Double(signature.modified) == stored.timeIntervalSince1970 * 1e9)
        #expect(try read(file).data.count == 47)
    }
}
