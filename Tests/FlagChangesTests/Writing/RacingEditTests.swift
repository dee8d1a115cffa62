import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Synchronization
import Testing

@testable import FlagChanges

/// Edits of one value from outside, each with the next number.
private final class NumberedEdits: Sendable {
    private let project: Project
    private let number = Mutex(0)

    init(_ project: Project) { self.project = project }

    /// How many were made.
    var count: Int { number.withLock { $0 } }

    @Sendable func makeNext() throws {
        let number = number.withLock { number in
            number += 1
            return number
        }
        try project.write(Project.values.replacingOccurrences(of: "nobody defined me", with: "edit \(number)"))
    }
}

/// Another program that edits the file at the very moment of a change.
@Suite("Edits at the moment of a change", .serialized)
struct RacingEditTests {
    let project: Project
    private let log = Log()
    private let key = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    /// Options in which another program acts right before, and right after, the first few replacements.
    private func options(
        swapping: Bool, times: Int = 1, racesAlways: Bool = false, before: @escaping @Sendable () throws -> Void = {},
        after: @escaping @Sendable () throws -> Void = {}
    ) -> ChangeService.Options {
        var options = ChangeService.Options(clock: { Project.now }, log: log.add)
        let left = Mutex(times)
        @Sendable func race(
            _ act: () throws -> Void, _ replace: () throws(FileAccessError) -> Void, _ then: () throws -> Void
        )
            throws(FileAccessError)
        {
            let isRaced = left.withLock { left in
                defer { left -= 1 }
                return left > 0
            }
            do {
                if isRaced { try act() }
            } catch {
                Issue.record(error)
            }
            try replace()
            do {
                if isRaced { try then() }
            } catch {
                Issue.record(error)
            }
        }
        options.canExchange = { _ throws(FileAccessError) in swapping }
        options.actions.exchange = { temporary, url throws(FileAccessError) in
            // What is put back is not raced.
            let isInstalled = (try? String(contentsOf: temporary, encoding: .utf8))?.contains("<integer>6<") ?? false
            let exchange = { () throws(FileAccessError) in try AtomicFile.exchange(temporary, with: url) }
            if isInstalled || racesAlways { try race(before, exchange, after) } else { try exchange() }
        }
        options.actions.link = { url, backup throws(FileAccessError) in
            try race(before, { () throws(FileAccessError) in try AtomicFile.link(url, as: backup) }, {})
        }
        return options
    }

    private func edit(_ old: String, _ new: String) -> @Sendable () throws -> Void {
        { [project] in try project.write(try project.text().replacingOccurrences(of: old, with: new)) }
    }

    @Test("An edit of another flag is kept and recorded, and the change is made on top of it")
    func editOfAnotherFlag() async throws {
        let service = try project.service(
            options(swapping: true, before: edit("nobody defined me", "somebody edited me")))
        _ = try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        let text = try project.text()
        #expect(text.contains("<integer>6</integer>") && text.contains("somebody edited me"))
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.external, .set])
        #expect(rows.first?.event.after == .string("somebody edited me"))
        let verdict = try service.history.verifyChain()
        if case .broken = verdict { Issue.record("\(verdict)") }
        #expect(try service.history.openIntents().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("An edit of the same flag stands, and the change is refused as a conflict")
    func editOfTheSameFlag() async throws {
        let service = try project.service(
            options(swapping: true, before: edit("<integer>5<", "<integer>9<")))
        let revision = try #require(try await service.catalogue()[key]?.revisions["Local"])
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.apply(Change(key: key, action: .setText("6"), revision: revision), by: Project.author)
        }
        #expect(refusal.conflict?.theirs.value == .integer(9))
        #expect(try project.text().contains("<integer>9</integer>"))
        #expect(try service.rows().map(\.event.kind) == [.external])
    }

    @Test("A half-written edit stands too, and nothing is changed until it is mended")
    func brokenEdit() async throws {
        let broken: @Sendable () throws -> Void = { [project] in try project.write("<plist><dict><key>a") }
        let service = try project.service(options(swapping: true, before: broken))
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        }
        #expect(refusal.reason == .unavailable)
        #expect(try project.text() == "<plist><dict><key>a")
        #expect(try service.rows().isEmpty)
        #expect(try service.history.openIntents().isEmpty)
    }

    /// Options in which one program edits right before the first replacement, and another one right after it.
    private func crossing(swapping: Bool, after: @escaping @Sendable () throws -> Void) -> ChangeService.Options {
        let before = edit("nobody defined me", "somebody edited me")
        guard !swapping else { return options(swapping: true, before: before, after: after) }
        var options = options(swapping: false, before: before)
        let isFirst = Mutex(true)
        options.actions.rename = { temporary, url throws(FileAccessError) in
            try AtomicFile.rename(temporary, to: url)
            let isRaced = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isRaced { #expect(throws: Never.self) { try after() } }
        }
        return options
    }

    @Test(
        "Where one program edits right before a change and another right on top of it, all three are told and kept",
        arguments: [true, false])
    func editsBeforeAndOnTop(swapping: Bool) async throws {
        let service = try project.service(crossing(swapping: swapping, after: edit("<true/>", "<false/>")))
        let outcome = try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        let text = try project.text()
        #expect(text.contains("<integer>6</integer>") && text.contains("<false/>"))
        #expect(text.contains("nobody defined me"))
        let kept = try #require(try project.names().first { $0.hasPrefix("flags.xml.overwritten-") })
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml", kept])
        let displaced = try String(contentsOf: project.folder.appending(path: kept), encoding: .utf8)
        #expect(displaced == Project.values.replacingOccurrences(of: "nobody defined me", with: "somebody edited me"))
        _ = try await service.overview()
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.external, .external, .set, .external])
        #expect(rows.map(\.event.key.description) == ["stray", "stray", "checkout/limit", "checkout/enabled"])
        #expect(rows[0].event.after == .string("somebody edited me"))
        #expect(rows[1].event.after == .string("nobody defined me"))
        #expect(rows[1].event.reason.contains("saved as \(kept)"))
        guard case .applied(rows[2]) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        if case .broken(let row, let reason) = try service.history.verifyChain() { Issue.record("\(row): \(reason)") }
        #expect(try service.history.openIntents().isEmpty)
        #expect(log.lines.contains { $0.contains(kept) })
    }

    @Test(
        "Where the other program's file lacks the change, that is made again on top of it, and the first edit is kept",
        arguments: [true, false])
    func editsBeforeAndInPlaceOf(swapping: Bool) async throws {
        let service = try project.service(
            crossing(swapping: swapping) { [project] in
                try project.write(Project.values.replacingOccurrences(of: "<true/>", with: "<false/>"))
            })
        _ = try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        let text = try project.text()
        #expect(text.contains("<integer>6</integer>") && text.contains("<false/>"))
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.external, .external, .external, .set])
        #expect(rows.map(\.event.key.description) == ["stray", "stray", "checkout/enabled", "checkout/limit"])
        #expect(try project.names().count { $0.hasPrefix("flags.xml.overwritten-") } == 1)
        #expect(try service.history.openIntents().isEmpty)
        guard case .sound = try HistoryAudit.run(service.files) else {
            Issue.record("the history is not sound")
            return
        }
    }

    @Test("Where a change that crossed with two edits can't be completed, the next start completes it")
    func crossingThatIsNotCompleted() async throws {
        var options = crossing(swapping: true, after: edit("<true/>", "<false/>"))
        options.actions.synchronizeFolder = { url throws(FileAccessError) in
            try AtomicFile.synchronizeFolder(of: url.appending(path: "nowhere/flags.xml"))
        }
        do {
            let service = try project.service(options)
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
            }
            #expect(refusal.remedy.contains("Don't repeat the change"))
        }
        let service = try project.service()
        let text = try project.text()
        #expect(text.contains("<integer>6</integer>") && text.contains("<false/>"))
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.external, .external, .set, .external])
        #expect(rows[2].event.reason == "[recovered after an interruption]")
        #expect(try service.history.openIntents().isEmpty)
        #expect(try project.names().filter { $0.hasPrefix(".") && $0.hasSuffix(".tmp") }.isEmpty)
    }

    @Test("An edit of what was just written is kept when the change can't be completed, and the next look records both")
    func editAfterwards() async throws {
        let edit = edit("nobody defined me", "somebody edited me")
        var options = options(swapping: true, after: edit)
        options.actions.synchronizeFolder = { url throws(FileAccessError) in
            try AtomicFile.synchronizeFolder(of: url.appending(path: "nowhere/flags.xml"))
        }
        do {
            let service = try project.service(options)
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
            }
            #expect(refusal.remedy.contains("Don't repeat the change"))
            // The next look finds out that the file holds both.
            #expect(try await service.fileProblems().isEmpty)
            #expect(try service.rows().map(\.event.kind) == [.set, .external])
        }
        let text = try project.text()
        #expect(text.contains("<integer>6</integer>") && text.contains("somebody edited me"))
        #expect(try project.service().rows().map(\.event.kind) == [.set, .external])
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("An editor that never stops is answered after five tries, and its last edit stands")
    func endlessEdits() async throws {
        let edits = NumberedEdits(project)
        let service = try project.service(options(swapping: true, times: 100, before: edits.makeNext))
        let refusal = try await #require(throws: ChangeError.self) {
            try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        }
        #expect(refusal.reason == .unavailable)
        #expect(try project.text().contains("<integer>5</integer>"))
        #expect(try service.history.openIntents().isEmpty)
        _ = try await service.overview()
        #expect(try service.rows().allSatisfy { $0.event.kind == .external })
        #expect(try service.rows().last?.event.after == .string("edit \(edits.count)"))
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("An editor that is there at every step loses nothing, and the next start asks to look at what crossed")
    func editsEverywhere() async throws {
        let edits = NumberedEdits(project)
        do {
            let service = try project.service(
                options(swapping: true, times: 1000, racesAlways: true, before: edits.makeNext))
            let refusal = try await #require(throws: ChangeError.self) {
                try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
            }
            #expect(refusal.remedy.contains("Don't repeat the change"))
            let aside = try #require(try project.names().first { $0.hasSuffix(".tmp") })
            let told = try await service.fileProblems().map(\.description).joined()
            #expect(told.contains("\(aside) beside it. Move that file away"), "\(told)")
        }
        let last = edits.count
        let aside = try #require(try project.names().first { $0.hasSuffix(".tmp") })
        let texts = [
            try project.text(), try String(contentsOf: project.folder.appending(path: aside), encoding: .utf8),
        ]
        #expect(texts.contains { $0.contains("edit \(last)<") })
        #expect(texts.contains { $0.contains("edit \(last - 1)<") })
        let error = try #require(throws: ChangeServiceStartError.self) { try project.service() }
        #expect(error.description.contains(aside))
        try FileManager.default.removeItem(at: project.folder.appending(path: aside))
        #expect(try project.service().rows().map(\.event.kind) == [.aborted, .external])
    }

    @Test("Where files can't be swapped, an edit right before the replacement is found and kept all the same")
    func withoutSwapping() async throws {
        let service = try project.service(
            options(swapping: false, before: edit("nobody defined me", "somebody edited me")))
        _ = try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        let text = try project.text()
        #expect(text.contains("<integer>6</integer>") && text.contains("somebody edited me"))
        #expect(try service.rows().map(\.event.kind) == [.external, .set])
        #expect(log.lines.contains { $0.contains("can't swap two files") })
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("An app and the dashboard write one file at once: nothing is lost, and every edit of the app's is recorded")
    func appBesideDashboard() async throws {
        let service = try project.service()
        let count = 40
        let app = LocalProvider(localURL: project.file, name: "App")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 1...count {
                    try app.setStoredValue(.integer(Int128(number)), at: .of("app", "value\(number % 4)"))
                }
            }
            group.addTask { [key] in
                for number in 1...count {
                    let value = "\(1 + number % 9)"
                    _ = try await service.apply(Change(key: key, action: .setText(value)), by: Project.author)
                }
            }
            try await group.waitForAll()
        }
        _ = try await service.overview()
        let document = try PropertyListDocument(source: Data(contentsOf: project.file))
        #expect(try document.value(at: key) == .integer(Int128(1 + count % 9)))
        for number in count - 3...count {
            #expect(try document.value(at: .of("app", "value\(number % 4)")) == .integer(Int128(number)))
        }
        let rows = try service.rows()
        #expect(rows.count { $0.event.kind == .set } == count)
        // The last of the app's edits of each key is recorded; ones in between may have been seen as one.
        for number in count - 3...count {
            let last = rows.last { $0.event.key == .of("app", "value\(number % 4)") }
            #expect(last?.event.kind == .external && last?.event.after == .integer(Int128(number)))
        }
        #expect(try service.history.openIntents().isEmpty)
    }
}
