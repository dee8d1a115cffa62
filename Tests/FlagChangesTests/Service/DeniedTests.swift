import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation
import Testing

@Suite("Attempts that are refused")
struct DeniedTests {
    let project: Project

    init() throws { project = try Project() }

    private func refused(_ service: ChangeService, _ change: Change) async throws -> HistoryEvent? {
        await #expect(throws: ChangeError.self) { try await service.apply(change, by: Project.author) }
        return try service.rows().last?.event
    }

    @Test("The row says what there was, what was asked for, and why")
    func keepsValues() async throws {
        let service = try project.service()
        let key = FlagKeyPath.of("checkout", "region")
        let row = try await refused(service, Change(key: key, action: .setText("south"), reason: "we move"))
        #expect(row?.kind == .denied)
        #expect(row?.provider == "Local")
        #expect(row?.before == .string("north"))
        #expect(row?.after == .string("south"))
        #expect(row?.reason.contains("locked") == true)
        #expect(row?.reason.hasSuffix("Reason given: we move") == true)
        #expect(row?.role == "admin")
        let reset = try await refused(service, Change(key: key, action: .reset, provider: "Local"))
        #expect(reset?.before == .string("north"))
        #expect(reset?.after == nil)
    }

    @Test("However much is sent, the row stays small, and a provider that does not exist is not kept")
    func staysSmall() async throws {
        let service = try project.service()
        let long = String(repeating: "x", count: 900_000)
        let author = ChangeAuthor(name: long, role: .editor, origin: .api, requestID: long)
        for action in [Change.Action.setText(long), .setValue(.array(Array(repeating: .string(long), count: 3)))] {
            await #expect(throws: ChangeError.self) {
                try await service.apply(
                    Change(key: .of("checkout", "region"), action: action, provider: long, reason: long), by: author)
            }
        }
        let rows = try service.rows().map(\.event)
        #expect(rows.map(\.provider) == [nil, nil])
        #expect(rows.first?.after == .string(String(repeating: "x", count: 1000) + "…"))
        #expect(rows.last?.after == .string("an array of 3 elements"))
        for row in rows {
            let texts = [row.actor, row.reason, row.requestID ?? ""]
            #expect(texts.allSatisfy { $0.utf8.count < 5000 })
        }
    }

    @Test("Attempts at a read-only provider, and at a read-only service, are recorded as well")
    func recordsReadOnly() async throws {
        let key = FlagKeyPath.of("checkout", "limit")
        let third = project.folder.appending(path: "third.xml")
        try Data(Project.values.utf8).write(to: third)
        let others = [FlagFiles.Provider(name: "Third", url: third, isWritable: false)]
        do {
            let service = try project.service(others: others)
            let row = try await refused(service, Change(key: key, action: .setText("7"), provider: "Third"))
            #expect(row?.kind == .denied)
            #expect(row?.provider == "Third")
            #expect(row?.after == .integer(7))
        }
        let service = try project.service(isReadOnly: true, deniedRowsPerMinute: 2)
        for _ in 1...5 { _ = try await refused(service, Change(key: key, action: .setText("8"))) }
        #expect(try service.rows().map(\.event.after) == [.integer(7), .integer(8), .integer(8)])
    }

    @Test("What is no value, or meets a conflict, is no attempt to record")
    func leavesMistakes() async throws {
        let service = try project.service()
        #expect(try await refused(service, Change(key: .of("checkout", "limit"), action: .setText("many"))) == nil)
        let stale = Change(
            key: .of("checkout", "limit"), action: .setText("7"), revision: FlagRevision(rawValue: "absent"))
        #expect(try await refused(service, stale) == nil)
    }
}
