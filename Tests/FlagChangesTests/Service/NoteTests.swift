import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("Reasons that are given after the change")
struct NoteTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    private func author(
        _ role: ChangeAuthor.Role = .editor, _ name: String = "bo", idempotencyKey: String? = nil
    ) -> ChangeAuthor {
        ChangeAuthor(name: name, role: role, origin: .form, requestID: "request-2", idempotencyKey: idempotencyKey)
    }

    private func set(_ service: ChangeService, _ text: String, reason: String = "") async throws -> HistoryRecord {
        let change = Change(key: limit, action: .setText(text), reason: reason)
        return try #require(try await service.apply(change, by: Project.author).row)
    }

    private func give(
        _ reason: String, to record: HistoryRecord, _ service: ChangeService, by author: ChangeAuthor
    ) async throws -> HistoryRecord {
        try #require(try await service.apply(.note(on: record, reason: reason), by: author).row)
    }

    private func refusal(_ change: Change, _ service: ChangeService, by author: ChangeAuthor) async throws
        -> ChangeError
    {
        try await #require(throws: ChangeError.self) { try await service.apply(change, by: author) }
    }

    @Test(
        "An editor, or an admin, gives another one's change a reason: a row, and not a byte of a file",
        arguments: [
            ChangeAuthor.Role.editor, .admin,
        ])
    func gives(role: ChangeAuthor.Role) async throws {
        let service = try project.service()
        let change = try await set(service, "6", reason: "first")
        let (text, manifest) = (try project.text(), try Data(contentsOf: project.manifestFile))
        let note = try await give("Asked for by sales.", to: change, service, by: author(role))
        #expect(
            note.event.kind == .note && note.event.notedRow == change.id && note.event.reason == "Asked for by sales.")
        #expect(note.event.actor == "bo" && note.event.role == role.rawValue && note.event.origin == .form)
        #expect(note.event.at == Project.now && note.event.requestID == "request-2")
        #expect(note.event.batch != change.event.batch && note.event.fileHashAfter == nil)
        #expect(try project.text() == text && Data(contentsOf: project.manifestFile) == manifest)
        let more = try await give("And it stays.", to: change, service, by: Project.author)
        let notes = try service.history.notes(on: [change], hiddenKeys: [])
        #expect(notes == [change.id: [note, more]])
        #expect(try await service.catalogue()[limit]?.resolution.effectiveValue == .integer(6))
        #expect(try service.isChainSound)
    }

    @Test("A lock, and that the flag is gone, do not stand in the way; so a lock itself gets a reason too")
    func lockedOrGone() async throws {
        let service = try project.service()
        let change = try await set(service, "6")
        let lock = try await #require(service.apply(Change(key: limit, action: .lock), by: Project.author).row)
        for record in [change, lock] { _ = try await give("why", to: record, service, by: author()) }
        _ = try await service.apply(Change(key: limit, action: .unlock), by: Project.author)
        let removal = try await #require(
            service.apply(Change(key: limit, action: .remove(withValues: true)), by: Project.author).row)
        for record in [change, removal] { _ = try await give("gone since", to: record, service, by: author()) }
        #expect(
            try service.history.notes(on: [change, lock, removal], hiddenKeys: []).mapValues(\.count)
                == [change.id: 2, lock.id: 1, removal.id: 1])
    }

    @Test("What was edited outside gets a reason, also a group's entry of the manifest")
    func outside() async throws {
        let service = try project.service()
        try project.write(Project.values.replacingOccurrences(of: "<integer>5<", with: "<integer>9<"))
        try project.writeManifest(
            Project.manifest.replacingOccurrences(
                of: "<key>flags</key>",
                with: "<key>collections</key><array><dict><key>key</key><string>checkout</string>"
                    + "<key>name</key><string>Shop</string></dict></array><key>flags</key>"))
        _ = try await service.catalogue()
        let rows = try service.rows()
        #expect(rows.map(\.event.kind) == [.external, .external] && rows[1].event.type == nil)
        for row in rows { _ = try await give("by hand", to: row, service, by: author()) }
        #expect(try service.history.notes(on: rows, hiddenKeys: []).count == 2)
    }

    @Test("A viewer gives none, and the attempt is recorded; a read-only server takes none")
    func notAllowed() async throws {
        let change = try await refusedViewer()
        let readOnly = try project.service(isReadOnly: true)
        let other = try await refusal(.note(on: change, reason: "please"), readOnly, by: author(.admin))
        #expect(other.reason == .notAllowed && other.description.contains("read-only"))
    }

    private func refusedViewer() async throws -> HistoryRecord {
        let service = try project.service()
        let change = try await set(service, "6")
        let refused = try await refusal(.note(on: change, reason: "please"), service, by: author(.viewer, "vic"))
        #expect(
            refused.reason == .notAllowed && refused.description.contains("add reasons to changes to checkout/limit"))
        let row = try #require(try service.rows().last?.event)
        #expect(row.kind == .denied && row.actor == "vic" && row.before == nil && row.after == nil)
        #expect(row.reason.contains("please"))
        #expect(try service.history.notes(on: [change], hiddenKeys: []).isEmpty)
        return change
    }

    @Test("It is said what is wrong with a reason: empty, too long, for no change, for a row that there is not")
    func refusals() async throws {
        let service = try project.service()
        let change = try await set(service, "6")
        for reason in ["", " \n\t\u{2003}"] {
            let empty = try await refusal(.note(on: change, reason: reason), service, by: author())
            #expect(empty.reason == .invalid && empty.description == "Enter a reason for change 1.")
            #expect(empty.problems["reason"] != nil)
        }
        let long = String(repeating: "x", count: Change.longestReason + 1)
        #expect(try await refusal(.note(on: change, reason: long), service, by: author()).reason == .reasonTooLong)
        let note = try await give("why", to: change, service, by: author())
        let none = try await refusal(.note(on: note, reason: "why that"), service, by: author())
        #expect(none.reason == .invalid && none.description.contains("Row 2 of the history isn't a change"))
        for id in [Int64(0), -1, 99, .max] {
            let unknown = try await refusal(
                Change(key: limit, action: .note(id), provider: "Local", reason: "why"), service, by: author())
            #expect(unknown.reason == .unknown && unknown.description == "Change \(id) not found.")
        }
        // A row of another flag, or of another provider, is another one.
        for other in [
            Change(key: .of("checkout", "fast"), action: .note(1), provider: "Local", reason: "why"),
            Change(key: limit, action: .note(1), reason: "why"),
        ] {
            #expect(try await refusal(other, service, by: author()).reason == .unknown)
        }
        #expect(try service.rows().map(\.event.kind) == [.set, .note])
    }

    @Test("A change of an internal flag is none that there is, of whatever role the author is")
    func hidden() async throws {
        let secret = try await changeOfSecret()
        let service = try project.service()
        for role in ChangeAuthor.Role.allCases {
            let hidden = try await refusal(.note(on: secret, reason: "why"), service, by: author(role))
            let missing = try await refusal(
                Change(key: secret.event.key, action: .note(77), provider: "Local", reason: "why"), service,
                by: author(role))
            #expect(hidden.reason == missing.reason)
            #expect(hidden.description.replacing("1", with: "77") == missing.description || role == .viewer)
        }
        #expect(try service.isChainSound)
    }

    private func changeOfSecret() async throws -> HistoryRecord {
        let service = try project.service(showsInternal: true)
        let change = Change(key: .of("hidden", "token"), action: .setText("new"))
        let secret = try await #require(service.apply(change, by: Project.author).row)
        _ = try await give("why", to: secret, service, by: author())
        return secret
    }

    @Test("A repeated request gets the same row, also after a restart; another reason with its key is refused")
    func repeated() async throws {
        let (change, first): (HistoryRecord, HistoryRecord)
        do {
            let service = try project.service()
            change = try await set(service, "6")
            first = try await give("why", to: change, service, by: author(idempotencyKey: "k"))
            service.history.close()
        }
        let service = try project.service()
        #expect(try await give("why", to: change, service, by: author(idempotencyKey: "k")) == first)
        let reused = try await refusal(.note(on: change, reason: "other"), service, by: author(idempotencyKey: "k"))
        #expect(reused.reason == .keyReused)
        #expect(try service.rows().count == 2)
    }

    @Test("It can't be reverted, and what it is for can as before")
    func reverting() async throws {
        let service = try project.service()
        let change = try await set(service, "6")
        let note = try await give("why", to: change, service, by: author())
        #expect(Reversal.problem(of: note) == .changedNothing)
        let reversals = Reversal.reversals(of: [change, note], reason: "back")
        #expect(reversals.map(\.record.id) == [change.id])
        _ = try await service.apply(try #require(reversals.first).change, by: Project.author)
        #expect(try project.text() == Project.values)
    }

    @Test(
        "Reasons of one request are each judged by its own change, and one that is refused keeps all from being given")
    func many() async throws {
        let secret = try await changeOfSecret()
        let service = try project.service()
        let changes = [try await set(service, "6"), try await set(service, "7")]
        let notes = changes.map { Change.note(on: $0, reason: "why") }
        let unknown = Change(key: limit, action: .note(99), provider: "Local", reason: "why")
        let refused = try await service.preview(
            ChangeRequest(
                notes + [.note(on: secret, reason: "why"), unknown, .note(on: changes[0], reason: " ")], by: author()))
        #expect(refused.map(\.refusal?.reason) == [nil, nil, .unknown, .unknown, .invalid])
        #expect(refused[3].refusal?.description.contains("99") == true)
        let rows = try await service.apply(ChangeRequest(notes, by: author())).compactMap(\.row)
        #expect(rows.map(\.event.notedRow) == changes.map(\.id))
        let viewer = try await service.preview(ChangeRequest(notes + [unknown], by: author(.viewer)))
        #expect(Set(viewer.map(\.refusal?.reason)).count == 1 && viewer[0].refusal != nil)
    }

    @Test("It goes with changes of values in one round and one request, all or none")
    func together() async throws {
        let service = try project.service()
        let change = try await set(service, "6")
        let request = ChangeRequest(
            [.note(on: change, reason: "why"), Change(key: limit, action: .setText("7"))], by: author())
        let rows = try await service.apply(request).compactMap(\.row)
        #expect(rows.map(\.event.kind) == [.note, .set] && Set(rows.map(\.event.batch)).count == 1)
        let refused = ChangeRequest(
            [.note(on: change, reason: "more"), Change(key: limit, action: .setText("99"))], by: author())
        await #expect(throws: BatchError.self) { try await service.apply(refused) }
        #expect(try service.rows().map(\.event.kind) == [.set, .note, .set])
        #expect(try project.text().contains("<integer>7<"))
    }
}

extension ChangeService {
    fileprivate var isChainSound: Bool {
        get throws { if case .sound = try history.verifyChain() { true } else { false } }
    }
}

extension ChangeOutcome {
    /// The row; `nil` where there was nothing to do.
    fileprivate var row: HistoryRecord? {
        if case .applied(let record) = self { record } else { nil }
    }
}
