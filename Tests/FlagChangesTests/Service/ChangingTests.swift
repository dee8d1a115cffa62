import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Synchronization
import Testing

@Suite("Changing a flag")
struct ChangingTests {
    let project: Project

    init() throws { project = try Project() }

    private func apply(
        _ service: ChangeService, _ key: FlagKeyPath, _ action: Change.Action, provider: String? = nil,
        revision: FlagRevision? = nil, reason: String = ""
    ) async throws -> ChangeOutcome {
        try await service.apply(
            Change(key: key, action: action, provider: provider, revision: revision, reason: reason),
            by: Project.author)
    }

    @Test("A change replaces the value's bytes and stands in the history with both hashes")
    func changesFileAndHistory() async throws {
        let service = try project.service()
        let before = try Data(contentsOf: project.file)
        let outcome = try await apply(
            service, .of("checkout", "enabled"), .setText("false"), reason: "the shop is closed")
        let text = Project.values.replacingOccurrences(of: "<true/>", with: "<false/>")
        #expect(try project.text() == text)
        let row = try #require(try service.rows().last)
        #expect(outcome == .applied(row))
        #expect(row.event.before == .bool(true))
        #expect(row.event.after == .bool(false))
        #expect(row.event.kind == .set)
        #expect(row.event.actor == "ada")
        #expect(row.event.reason == "the shop is closed")
        #expect(row.event.requestID == "request-1")
        #expect(row.event.provider == "Local")
        #expect(row.event.type == .bool)
        #expect(row.event.at == Project.now)
        #expect(row.event.fileHashBefore == ContentHash.sha256(before))
        #expect(row.event.fileHashAfter == ContentHash.sha256(Data(text.utf8)))
        #expect(try service.history.openIntents().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("What else reads the files is told before the answer, of what changes something alone")
    func tellsThatFilesAreWritten() async throws {
        let found = Mutex<[String]>([])
        var options = ChangeService.Options()
        options.written = { [file = project.file] in
            let text = Result { try String(contentsOf: file, encoding: .utf8) }
            found.withLock { $0.append("\(text)") }
        }
        let service = try project.service(options)
        #expect(try await apply(service, .of("checkout", "limit"), .setValue(.integer(5))) == .unchanged)
        await #expect(throws: ChangeError.self) { try await apply(service, .of("nothing"), .reset) }
        #expect(found.withLock(\.self).isEmpty)
        _ = try await apply(service, .of("checkout", "limit"), .setValue(.integer(6)))
        let texts = found.withLock(\.self)
        #expect(texts.count == 1 && texts[0].contains("<integer>6</integer>"))
    }

    @Test("A reset removes the entry, and the flag falls back to its default")
    func resets() async throws {
        let service = try project.service()
        _ = try await apply(service, .of("checkout", "enabled"), .reset)
        #expect(try !project.text().contains("enabled"))
        let entry = try #require(try await service.catalogue()[.of("checkout", "enabled")])
        #expect(entry.resolution.effectiveValue == .bool(false))
        #expect(entry.resolution.source == .defaultValue)
        #expect(entry.state == .off)
        #expect(try service.rows().last?.event.kind == .reset)
        #expect(try service.rows().last?.event.after == nil)
    }

    @Test("A flag that the file does not hold is inserted in key order")
    func inserts() async throws {
        let service = try project.service()
        _ = try await apply(service, .of("checkout", "fast"), .setText("false"))
        let expected = Project.values.replacingOccurrences(
            of: "\t\t<key>limit</key>", with: "\t\t<key>fast</key>\n\t\t<false/>\n\t\t<key>limit</key>")
        #expect(try project.text() == expected)
        #expect(try service.rows().last?.event.before == nil)
    }

    @Test(
        "A change that changes nothing is answered as such and writes nothing",
        arguments: [
            (FlagKeyPath.of("checkout", "enabled"), Change.Action.setText("true")),
            (.of("checkout", "fast"), .reset), (.of("checkout", "limit"), .setValue(.integer(5))),
        ])
    func changesNothing(key: FlagKeyPath, action: Change.Action) async throws {
        let service = try project.service()
        let inode = try FileManager.default.attributesOfItem(atPath: project.file.path)[.systemFileNumber] as? Int
        #expect(try await apply(service, key, action) == .unchanged)
        #expect(try service.rows().isEmpty)
        let after = try FileManager.default.attributesOfItem(atPath: project.file.path)[.systemFileNumber] as? Int
        #expect(inode == after)
    }

    @Test("A date is recorded as the file keeps it, and one that differs by less than that is no change")
    func recordsStoredDate() async throws {
        let values = Project.plist("<key>at</key>\n<date>2026-01-31T12:00:00Z</date>")
        let project = try Project(values: values, manifest: Project.manifest([("at", "date", "")]))
        let service = try project.service()
        #expect(try await apply(service, .of("at"), .setText("2026-01-31T12:00:00.5Z")) == .unchanged)
        #expect(try project.text() == values)
        let later = FlagValue.date(try #require(FlagDate.parse("2026-01-31T12:00:01.5Z")))
        _ = try await apply(service, .of("at"), .setValue(later))
        let row = try #require(try service.rows().first?.event)
        #expect(row.after == .date(try #require(FlagDate.parse("2026-01-31T12:00:01Z"))))
        #expect(try await service.catalogue()[.of("at")]?.resolution.effectiveValue == row.after)
        #expect(try service.rows().count == 1)
    }

    @Test(
        "A date that is written with a fraction of a second is refused, with the date to write",
        arguments: ["\"2026-01-31T12:00:01.5Z\"", "2026-01-31T12:00:01.5Z"])
    func refusesFractionsOfSeconds(text: String) async throws {
        let values = Project.plist("<key>at</key>\n<date>2026-01-31T12:00:00Z</date>")
        let project = try Project(values: values, manifest: Project.manifest([("at", "date", "")]))
        let service = try project.service()
        let action: Change.Action = text.hasPrefix("\"") ? .setJSON(try JSONInput(text)) : .setText(text)
        let refusal = await #expect(throws: ChangeError.self) {
            try await apply(service, .of("at"), action)
        }
        #expect(refusal?.reason == .invalid)
        #expect(
            refusal?.description.contains("Dates have whole seconds; write them as in 2026-01-31T12:00:01Z") == true)
        #expect(try project.text() == values)
    }

    @Test(
        "Values are refused that are not of the flag's type or break its constraints",
        arguments: [
            (FlagKeyPath.of("checkout", "limit"), "abc", "Enter a whole number"),
            (.of("checkout", "limit"), "11", "Must be 10 or less"),
            (.of("checkout", "limit"), "0", "Must be 1 or more"),
            (.of("checkout", "enabled"), "maybe", "Enter true or false"),
            (.of("options"), "[1, ", "Invalid JSON"),
            (.of("options"), "5", "expected a JSON object or array"),
            (.of("blocked", "inner"), "true", "blocked"),
        ])
    func refusesInvalidValues(key: FlagKeyPath, text: String, message: String) async throws {
        let service = try project.service()
        let refusal = try await #require(throws: ChangeError.self) {
            try await apply(service, key, .setText(text))
        }
        #expect(refusal.reason == .invalid)
        #expect(refusal.key == key)
        #expect(refusal.description.contains(message), "\(refusal.description)")
        #expect(try project.text() == Project.values)
        #expect(try service.rows().isEmpty)
    }

    @Test("A locked flag is refused whatever is asked, and each attempt is recorded")
    func refusesLocked() async throws {
        let service = try project.service()
        for action in [Change.Action.setText("south"), .setText(""), .reset, .setValue(.bool(true))] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await apply(service, .of("checkout", "region"), action)
            }
            #expect(refusal.reason == .locked)
            #expect(refusal.remedy.contains("flags.manifest.xml"))
        }
        #expect(try project.text() == Project.values)
        #expect(try service.rows().map(\.event.kind) == [.denied, .denied, .denied, .denied])
        #expect(try service.rows().allSatisfy { $0.event.key == .of("checkout", "region") })
    }

    @Test("Refused attempts stop being recorded when there are too many in a minute")
    func capsDeniedRows() async throws {
        let service = try project.service(deniedRowsPerMinute: 3)
        for _ in 1...10 {
            await #expect(throws: ChangeError.self) {
                try await apply(service, .of("checkout", "region"), .reset)
            }
        }
        #expect(try service.rows().count == 3)
    }

    @Test("An internal flag is refused just as a flag that was never there, without a row")
    func hidesInternal() async throws {
        let service = try project.service()
        for key in [FlagKeyPath.of("hidden", "token"), .of("hidden", "nothing")] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await apply(service, key, .setText("x"))
            }
            #expect(refusal.reason == .unknown)
            #expect(refusal.description == "Flag “\(key)” not found.")
        }
        #expect(try project.text() == Project.values)
        #expect(try service.rows().isEmpty)
    }

    @Test("An internal flag can be changed where internal flags are shown")
    func showsInternal() async throws {
        let service = try project.service(showsInternal: true)
        _ = try await apply(service, .of("hidden", "token"), .setText("new"))
        #expect(try project.text() == Project.values.replacingOccurrences(of: "secret", with: "new"))
    }

    @Test("A read-only service refuses every change")
    func refusesWhenReadOnly() async throws {
        let service = try project.service(isReadOnly: true)
        let refusal = try await #require(throws: ChangeError.self) {
            try await apply(service, .of("checkout", "enabled"), .reset)
        }
        #expect(refusal.reason == .notAllowed)
        #expect(try project.text() == Project.values)
        #expect(try await !service.fileProblems().isEmpty)
    }

    @Test("A change goes to the provider that it names; a read-only or unknown one is refused")
    func choosesProvider() async throws {
        let second = project.folder.appending(path: "second.xml")
        let third = project.folder.appending(path: "third.xml")
        for url in [second, third] { try Data(Project.values.utf8).write(to: url) }
        let service = try project.service(others: [
            FlagFiles.Provider(name: "Second", url: second, isWritable: true),
            FlagFiles.Provider(name: "Third", url: third, isWritable: false),
        ])
        _ = try await apply(service, .of("checkout", "limit"), .setText("7"), provider: "Second")
        #expect(try project.text() == Project.values)
        #expect(try String(contentsOf: second, encoding: .utf8).contains("<integer>7</integer>"))
        #expect(try service.rows().last?.event.provider == "Second")
        for (name, reason) in [("Third", ChangeError.Reason.notAllowed), ("Nobody", .unknownProvider)] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await apply(service, .of("checkout", "limit"), .setText("7"), provider: name)
            }
            #expect(refusal.reason == reason)
            #expect(refusal.description.contains(name))
        }
        let entry = try #require(try await service.catalogue()[.of("checkout", "limit")])
        #expect(entry.resolution.source == .provider("Local"))
        #expect(entry.resolution["Second"] == .value(.integer(7), stored: .integer(7)))
        #expect(entry.revisions.keys.sorted() == ["Local", "Second"])
    }

    @Test("An edit that began before somebody else's is refused and shows what the value is now")
    func refusesStaleRevision() async throws {
        let service = try project.service()
        let key = FlagKeyPath.of("checkout", "limit")
        let seen = try #require(try await service.catalogue()[key]?.revisions["Local"])
        _ = try await apply(service, key, .setText("6"), revision: seen)
        let refusal = try await #require(throws: ChangeError.self) {
            try await apply(service, key, .setText("7"), revision: seen)
        }
        #expect(refusal.conflict?.theirs.value == .integer(6))
        #expect(try project.text().contains("<integer>6</integer>"))
        #expect(try service.rows().count == 1)
    }

    @Test("Many changes at once all arrive, each with its row, in a sound chain")
    func appliesConcurrentChanges() async throws {
        let service = try project.service()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<10 {
                        let change = Change(
                            key: .of("stray"), action: .setText("task \(task) step \(step)"), reason: "\(task)")
                        _ = try await service.apply(change, by: Project.author)
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try service.rows()
        #expect(rows.count == 80)
        for (row, next) in zip(rows, rows.dropFirst()) {
            #expect(row.event.after == next.event.before)
            #expect(row.event.fileHashAfter == next.event.fileHashBefore)
        }
        let last = try #require(rows.last)
        #expect(last.event.fileHashAfter == ContentHash.sha256(try Data(contentsOf: project.file)))
        #expect(try service.history.verifyChain() == .sound(count: 80, head: last.hash))
    }

    @Test("The file keeps its permissions, and a symbolic link to it stays one")
    func keepsModeAndLink() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: project.file.path)
        let link = project.folder.appending(path: "link.xml")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: project.file)
        let service = try ChangeService(files: FlagFiles(values: link))
        _ = try await apply(service, .of("checkout", "limit"), .setText("9"))
        let attributes = try FileManager.default.attributesOfItem(atPath: project.file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == project.file.path)
        #expect(try project.text().contains("<integer>9</integer>"))
    }

    @Test("A reason that the history does not keep whole is refused, whichever way the change comes in")
    func longReason() async throws {
        let service = try project.service()
        let before = try Data(contentsOf: project.file)
        let key = FlagKeyPath.of("checkout", "enabled")
        let reason = String(repeating: "\u{1F600}", count: Change.longestReason / 2)
        let error = await #expect(throws: ChangeError.self) {
            try await apply(service, key, .setJSON(JSONInput(.bool(false))), reason: reason + "r")
        }
        #expect(error?.reason == .reasonTooLong && error?.description.contains("1001") == true)
        #expect(try Data(contentsOf: project.file) == before)
        #expect(try service.rows().isEmpty)
        _ = try await apply(service, key, .setJSON(JSONInput(.bool(false))), reason: reason)
        #expect(try service.rows().map(\.event.reason) == [reason])
    }
}
