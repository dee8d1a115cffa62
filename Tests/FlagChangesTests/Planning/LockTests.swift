import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Testing

@Suite("Locks")
struct LockTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    private func apply(
        _ service: ChangeService, _ action: Change.Action, _ key: FlagKeyPath, role: ChangeAuthor.Role = .admin
    ) async throws -> ChangeOutcome {
        try await service.apply(
            Change(key: key, action: action, reason: "why"), by: ChangeAuthor(name: "bo", role: role, origin: .form))
    }

    private func manifest() throws -> String { try String(contentsOf: project.manifestFile, encoding: .utf8) }

    @Test("A lock changes its own bytes alone, holds at once, and is lifted without a trace in the manifest")
    func locksAndUnlocks() async throws {
        let service = try project.service()
        guard case .applied(let row) = try await apply(service, .lock, limit) else {
            Issue.record("nothing was locked")
            return
        }
        let locked = Project.manifest.replacingOccurrences(
            of: "<key>maximum</key><integer>10</integer>",
            with: "<key>maximum</key><integer>10</integer><key>isLocked</key><true/>")
        #expect(try manifest() == locked)
        #expect(row.event.kind == .lock && row.event.provider == nil && row.event.type == .integer)
        #expect(row.event.reason == "why")
        guard case .dictionary(let before) = row.event.before, case .dictionary(let after) = row.event.after else {
            Issue.record("the row does not hold the definitions")
            return
        }
        #expect(before["isLocked"] == nil && after["isLocked"] == .bool(true))
        #expect(row.event.fileHashAfter == ContentHash.sha256(Data(locked.utf8)))
        let refusal = try await #require(throws: ChangeError.self) { try await apply(service, .reset, limit) }
        #expect(refusal.reason == .locked)
        #expect(try await apply(service, .lock, limit) == .unchanged)
        _ = try await apply(service, .unlock, limit)
        #expect(try manifest() == Project.manifest)
        #expect(try await apply(service, .unlock, limit) == .unchanged)
        _ = try await apply(service, .setText("6"), limit)
        #expect(try service.rows().map(\.event.kind) == [.lock, .denied, .unlock, .set])
        #expect(try await service.fileProblems().isEmpty)
        #expect(try project.names() == ["flags.manifest.xml", "flags.xml"])
    }

    @Test("Only an admin locks, and a viewer changes nothing; whoever tries is recorded")
    func checksRole() async throws {
        let service = try project.service()
        for (role, action) in [
            (ChangeAuthor.Role.editor, Change.Action.lock), (.editor, .unlock), (.viewer, .lock), (.viewer, .reset),
            (.viewer, .setText("6")),
        ] {
            let refusal = try await #require(throws: ChangeError.self) {
                try await apply(service, action, limit, role: role)
            }
            #expect(refusal.reason == .notAllowed)
            #expect(refusal.description.contains("bo") && refusal.description.contains(role.rawValue))
        }
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == Array(repeating: .denied, count: 5))
        #expect(rows.map(\.event.role) == ["editor", "editor", "viewer", "viewer", "viewer"])
        #expect(try manifest() == Project.manifest && project.text() == Project.values)
        _ = try await apply(service, .setText("6"), limit, role: .editor)
    }

    @Test("A flag without a definition can't be locked, and the refusal says what to do")
    func needsDefinition() async throws {
        let refusal = try await #require(throws: ChangeError.self) {
            try await apply(try project.service(), .lock, .of("stray"))
        }
        #expect(refusal.reason == .invalid && refusal.remedy.contains("flags.manifest.xml"))
        let bare = try Project(manifest: nil)
        let other = try await #require(throws: ChangeError.self) {
            try await apply(try bare.service(), .lock, .of("stray"))
        }
        #expect(other.reason == .invalid && other.remedy.contains("flags.manifest.xml"))
        #expect(try bare.names() == ["flags.xml"])
    }

    @Test("An internal flag can't be locked, just as one that was never there")
    func hidesInternal() async throws {
        let refusal = try await #require(throws: ChangeError.self) {
            try await apply(try project.service(), .lock, .of("hidden", "token"))
        }
        #expect(refusal.reason == .unknown)
    }

    @Test("A lock that another program sets after a change was checked, and before it is made, holds")
    func holdsAtOnce() async throws {
        let edits = Counter()
        let service = try project.service(
            ChangeService.Options(
                clock: { [project] in
                    // The time is asked for when the change has been checked.
                    if edits.add() == 1 {
                        do {
                            try project.writeManifest(
                                Project.manifest.replacingOccurrences(
                                    of: "<key>minimum</key>", with: "<key>isLocked</key><true/><key>minimum</key>"))
                        } catch {
                            Issue.record(error)
                        }
                    }
                    return Project.now
                }))
        let refusal = try await #require(throws: ChangeError.self) { try await apply(service, .setText("6"), limit) }
        #expect(refusal.reason == .locked)
        #expect(try project.text() == Project.values)
        #expect(try service.rows().map(\.event.kind) == [.external, .denied])
        #expect(try service.history.openIntents().isEmpty)
    }

    @Test("A manifest that is a link stays one, and what it leads to is changed")
    func keepsLink() async throws {
        let real = project.folder.appending(path: "definitions.xml")
        try FileManager.default.moveItem(at: project.manifestFile, to: real)
        try FileManager.default.createSymbolicLink(at: project.manifestFile, withDestinationURL: real)
        let service = try project.service()
        _ = try await apply(service, .lock, limit)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: project.manifestFile.path) == real.path)
        #expect(try String(contentsOf: real, encoding: .utf8) != Project.manifest)
        _ = try await service.overview()
        #expect(try service.rows().map(\.event.kind) == [.lock])
    }
}
