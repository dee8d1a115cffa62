import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import GRDB
import Testing

@testable import FlagChanges

@Suite("Recovery at start-up")
struct RecoveryTests {
    let project: Project
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws {
        project = try Project()
        _ = try project.service()
    }

    /// What the file holds after the change that was interrupted.
    private var after: Data {
        Data(Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>6<").utf8)
    }

    /// Leaves the history as a crash after the first transaction leaves it; returns the temporary file.
    private func interrupt() throws -> URL {
        let temporary = try AtomicFile.writeTemporary(after, beside: project.file)
        let before = ContentHash.sha256(Data(Project.values.utf8))
        let event = HistoryEvent(
            batch: UUID(), at: Project.now, actor: "ada", role: "admin", origin: .form, kind: .set,
            provider: "Local", key: key, type: .integer, before: .integer(5), after: .integer(6), reason: "why",
            fileHashBefore: before, fileHashAfter: ContentHash.sha256(after))
        let history = try HistoryStore(url: project.folder.appending(path: "flags.history.sqlite"))
        _ = try history.begin(
            ChangeIntent(
                files: [
                    ChangeIntent.File(
                        role: .values, path: project.file.path, temporaryName: temporary.lastPathComponent,
                        hashBefore: before, hashAfter: ContentHash.sha256(after),
                        edit: ContentEdit(from: Data(Project.values.utf8), to: after))
                ],
                events: [event], at: Project.now))
        return temporary
    }

    private func restart() throws -> [HistoryRecord] {
        let service = try project.service()
        #expect(try service.history.openIntents().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
        return try service.rows()
    }

    @Test("What a crash left of a manifest that was to be made is removed, and nothing of another project's")
    func removesUnmadeManifest() throws {
        let project = try Project(manifest: nil)
        let manifest = FlagManifest.empty().document.source
        for name in ["flags.manifest.xml", "other.manifest.xml"] {
            _ = try AtomicFile.writeTemporary(
                manifest, beside: project.folder.appending(path: name), writer: FlagFiles.temporaryWriter)
        }
        let service = try project.service()
        let left = try project.names().filter { $0.hasSuffix(".tmp") }
        #expect(left.count == 1 && left[0].hasPrefix(".other.manifest.xml."))
        #expect(try service.rows().isEmpty)
    }

    @Test("A change whose file was not replaced is recorded as aborted, and its temporary file removed")
    func abortsBeforeRename() throws {
        _ = try interrupt()
        let rows = try restart()
        #expect(rows.map(\.event.kind) == [.aborted])
        #expect(try project.text() == Project.values)
    }

    /// Leaves the history as a crash leaves it behind a change of the file, and reasons for an earlier change that waited with it:
    /// one that was asked for by itself, and one that was asked for together with the change.
    private func interruptWithNotes() throws -> URL {
        let temporary = try interrupt()
        let history = try HistoryStore(url: project.folder.appending(path: "flags.history.sqlite"))
        var intent = try #require(try history.openIntents().first)
        try history.abandon(intent.id, appending: [])
        var earlier = intent.events[0]
        earlier.batch = UUID()
        let change = try #require(try history.append([earlier], head: nil).first)
        for (reason, batch) in [("alone", UUID()), ("together", intent.events[0].batch)] {
            intent.events.append(
                HistoryEvent(
                    batch: batch, at: Project.now, actor: "bo", role: "editor", origin: .api, kind: .note,
                    provider: change.event.provider, key: change.event.key, type: change.event.type, before: nil,
                    after: .integer(Int128(change.id)), reason: reason, idempotencyKey: reason))
        }
        intent.answers = [("alone", [1]), ("together", [0, 2])].map { key, events in
            RequestAnswer(actor: "bo", idempotencyKey: key, request: ContentHash.sha256(Data(key.utf8)), events: events)
        }
        _ = try history.begin(intent)
        history.close()
        return temporary
    }

    @Test(
        "A reason that waited with an interrupted change is kept with its answer, unless it was asked for together with that"
    )
    func keepsNotes() throws {
        _ = try interruptWithNotes()
        let rows = try restart()
        #expect(rows.map(\.event.kind) == [.set, .aborted, .note, .aborted])
        #expect(rows[2].event.reason == "alone" && rows[2].event.notedRow == 1)
        let history = try HistoryStore(reading: project.folder.appending(path: "flags.history.sqlite"))
        #expect(try history.answer(to: "bo", idempotencyKey: "alone")?.records == [rows[2]])
        #expect(try history.answer(to: "bo", idempotencyKey: "together") == nil)
    }

    @Test("A reason whose author was told that it was not kept is dropped while the service runs")
    func dropsRefusedNotes() throws {
        _ = try interruptWithNotes()
        let history = try HistoryStore(url: project.folder.appending(path: "flags.history.sqlite"))
        let recovery = Recovery(
            files: FlagFiles(values: project.file), history: history, clock: { Project.now }, isStart: false)
        try recovery.run()
        let rows = try history.newest(HistoryQuery()).reversed()
        #expect(rows.map(\.event.kind) == [.set, .aborted, .aborted])
        #expect(rows.dropFirst().allSatisfy { $0.event.reason.contains("[not applied: it failed") })
        #expect(try history.answer(to: "bo", idempotencyKey: "alone") == nil)
        #expect(try history.openIntents().isEmpty)
        history.close()
    }

    @Test("A reason that waited with a change which took place is recorded as it was given")
    func completesNotes() throws {
        try AtomicFile.rename(try interruptWithNotes(), to: project.file)
        let rows = try restart()
        #expect(rows.map(\.event.kind) == [.set, .set, .note, .note])
        #expect(rows.dropFirst(2).map(\.event.reason) == ["alone", "together"])
    }

    @Test("A change whose file was replaced is recorded as made, and marked recovered")
    func completesAfterRename() throws {
        try AtomicFile.rename(try interrupt(), to: project.file)
        let rows = try restart()
        #expect(rows.map(\.event.kind) == [.set])
        #expect(rows.first?.event.after == .integer(6))
        #expect(rows.first?.event.reason == "why [recovered after an interruption]")
        #expect(try Data(contentsOf: project.file) == after)
    }

    @Test("A change whose file was swapped with the new one is recorded as made, and what it displaced is removed")
    func completesAfterSwap() throws {
        let temporary = try interrupt()
        try AtomicFile.exchange(temporary, with: project.file)
        let rows = try restart()
        #expect(rows.map(\.event.kind) == [.set])
        #expect(try Data(contentsOf: project.file) == after)
    }

    @Test("An edit that a change displaced before it was interrupted is put back and recorded, and the change aborted")
    func restoresDisplacedEdit() throws {
        let temporary = try interrupt()
        let edit = Project.values.replacingOccurrences(of: "nobody defined me", with: "edited")
        try project.write(edit)
        try AtomicFile.exchange(temporary, with: project.file)
        let rows = try restart()
        #expect(rows.map(\.event.kind) == [.aborted, .external])
        #expect(try project.text() == edit)
    }

    @Test("A change is recovered by the second name of what it displaced, where files can't be swapped")
    func completesWithSecondName() throws {
        let temporary = try interrupt()
        try AtomicFile.link(
            project.file, as: FileReplacement(url: project.file, temporary: temporary, exchanges: false).backup)
        try AtomicFile.rename(temporary, to: project.file)
        #expect(try restart().map(\.event.kind) == [.set])
        #expect(try Data(contentsOf: project.file) == after)
    }

    @Test("What is not in the file is not recorded as made, and what is there instead as an edit from outside")
    func abortsBeforeOutsideEdit() throws {
        try AtomicFile.rename(try interrupt(), to: project.file)
        try project.write(Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>9<"))
        let rows = try restart()
        #expect(rows.map(\.event.kind) == [.aborted, .external])
        #expect(rows.last?.event.before == .integer(5))
        #expect(rows.last?.event.after == .integer(9))
    }

    @Test("A change whose temporary file somebody removed is aborted while the file is as before")
    func abortsWithoutTemporary() throws {
        try FileManager.default.removeItem(at: try interrupt())
        let rows = try restart()
        #expect(rows.map(\.event.kind) == [.aborted])
        #expect(try project.text() == Project.values)
    }

    @Test("An interrupted change of a file that is not served now waits until it is")
    func leavesOtherFiles() throws {
        let temporary = try interrupt()
        let other = project.folder.appending(path: "other.xml")
        try Data(Project.values.utf8).write(to: other)
        do {
            let service = try ChangeService(
                files: FlagFiles(values: other, history: project.folder.appending(path: "flags.history.sqlite")))
            #expect(try service.rows().isEmpty)
            #expect(try service.history.openIntents().count == 1)
        }
        #expect(FileManager.default.fileExists(atPath: temporary.path))
        try FileManager.default.removeItem(at: other)
        #expect(try restart().map(\.event.kind) == [.aborted])
    }

    @Test("The temporary file of another program that writes the same file is left to it")
    func leavesOtherTemporaries() throws {
        let living = try AtomicFile.writeTemporary(after, beside: project.file)
        let left = try AtomicFile.writeTemporary(after, beside: project.file, writer: "flagboard")
        _ = try project.service()
        #expect(FileManager.default.fileExists(atPath: living.path))
        #expect(!FileManager.default.fileExists(atPath: left.path))
    }

    @Test(
        "A history whose interrupted change names another file than a temporary one is refused, and no file is touched",
        arguments: ["../flags.xml", "flags.manifest.xml", "", "..", ".flags.xml.a/../x.tmp", "/etc/hostname"])
    func refusesForeignTemporary(name: String) throws {
        let temporary = try interrupt()
        let history = try DatabaseQueue(path: project.folder.appending(path: "flags.history.sqlite").path)
        try history.write { db in
            try db.execute(sql: "UPDATE intent_file SET temporary_name = ?", arguments: [name])
        }
        try history.close()
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains("flags.history.sqlite"))
        #expect(error.description.contains("damaged"))
        #expect(try project.text() == Project.values)
        #expect(try project.names() == [temporary.lastPathComponent, "flags.manifest.xml", "flags.xml"])
    }

    @Test("When the history can't take a change, the file is put back, and the next one is made as soon as it can")
    func putsBack() async throws {
        let historyFile = project.folder.appending(path: "flags.history.sqlite").path
        let service = try project.service()
        let other = try DatabaseQueue(path: historyFile)
        try await other.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER refuse BEFORE INSERT ON history
                    BEGIN SELECT RAISE(ABORT, 'no more rows'); END
                    """)
        }
        for value in ["6", "7"] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(Change(key: key, action: .setText(value)), by: Project.author)
            }
            #expect(refusal.reason == .unavailable)
            #expect(refusal.description.contains("no more rows"))
            #expect(try project.text() == Project.values)
            #expect(try service.history.openIntents().isEmpty)
        }
        #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .integer(5))
        try await other.write { db in try db.execute(sql: "DROP TRIGGER refuse") }
        try other.close()
        _ = try await service.apply(Change(key: key, action: .setText("7")), by: Project.author)
        #expect(try project.text().contains("<integer>7</integer>"))
        #expect(try service.rows().map(\.event.kind) == [.set])
    }
}
