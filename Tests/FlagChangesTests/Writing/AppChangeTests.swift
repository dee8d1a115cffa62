import DurableFiles
import FeatureFlags
import FlagHistory
import Foundation
import Synchronization
import Testing

@testable import FlagChanges

/// A provider in the memory of an app that the test plays.
private final class App: Sendable {
    private struct State {
        var values: [FlagKeyPath: FlagValue] = [:]
        var problem: String?
        var requests: [[AppProvider.Change]] = []
    }

    private let state = Mutex(State())
    let name: String

    init(_ name: String = "shop/Memory", _ values: [FlagKeyPath: FlagValue] = [:]) {
        self.name = name
        state.withLock { $0.values = values }
    }

    var values: [FlagKeyPath: FlagValue] { state.withLock(\.values) }
    var requests: [[AppProvider.Change]] { state.withLock(\.requests) }

    func refuse(_ problem: String?) { state.withLock { $0.problem = problem } }

    var provider: AppProvider {
        AppProvider(
            name: name, description: "a test", declaredName: "Memory", connectedApp: "shop", values: values,
            writer: { changes throws(PlainError) in try self.make(changes) })
    }

    private func make(_ changes: [AppProvider.Change]) throws(PlainError) {
        try state.withLock { (state) throws(PlainError) in
            state.requests.append(changes)
            if let problem = state.problem { throw PlainError(problem) }
            for change in changes { state.values[change.key] = change.after }
        }
    }
}

@Suite("Changes of a running app's values")
struct AppChangeTests {
    let project: Project
    private let limit = FlagKeyPath.of("checkout", "limit")
    private let enabled = FlagKeyPath.of("checkout", "enabled")

    init() throws { project = try Project() }

    private func service(_ apps: App...) throws -> ChangeService {
        var options = ChangeService.Options(clock: { Project.now })
        options.halfWrittenPatience = .zero
        options.appProviders = { apps.map(\.provider) }
        return try project.service(options)
    }

    private func change(_ text: String, of key: FlagKeyPath, in provider: String = "shop/Memory") -> Change {
        Change(key: key, action: .setText(text), provider: provider, reason: "why")
    }

    @Test("A value is set in the app and recorded, and the file stays as it is")
    func set() async throws {
        let app = App()
        let service = try service(app)
        _ = try await service.apply(change("7", of: limit), by: Project.author)
        #expect(app.values == [limit: .integer(7)])
        let row = try #require(try service.rows().last)
        #expect(row.event.provider == "shop/Memory" && row.event.kind == .set)
        #expect(row.event.before == nil && row.event.after == .integer(7) && row.event.reason == "why")
        #expect(row.event.fileHashBefore == nil && row.event.fileHashAfter == nil)
        #expect(try project.text() == Project.values)
        #expect(try service.history.openIntents().isEmpty)
        let resolution = try #require(try await service.catalogue()[limit]).resolution
        #expect(resolution["shop/Memory"]?.stored == .integer(7))
        #expect(resolution.source == .provider("Local"), "What an app holds counts in the app alone")
    }

    @Test("A revert puts the former value back, or removes the value")
    func reverts() async throws {
        let app = App("shop/Memory", [limit: .integer(3)])
        let service = try service(app)
        _ = try await service.apply(change("7", of: limit), by: Project.author)
        _ = try await service.apply(change("true", of: enabled), by: Project.author)
        let reversals = Reversal.reversals(of: try service.rows(), reason: "back")
        _ = try await service.apply(ChangeRequest(reversals.map(\.change), by: Project.author))
        #expect(app.values == [limit: .integer(3)])
    }

    @Test(
        "The rules of a file hold: constraints, types, locks, roles",
        arguments: [
            ("70", "checkout/limit", ChangeAuthor.Role.editor), ("seven", "checkout/limit", .editor),
            ("south", "checkout/region", .admin), ("7", "checkout/limit", .viewer), ("x", "hidden/token", .admin),
        ])
    func rules(_ text: String, _ key: String, _ role: ChangeAuthor.Role) async throws {
        let app = App()
        let service = try service(app)
        let author = ChangeAuthor(name: "ada", role: role, origin: .form)
        await #expect(throws: ChangeError.self) {
            _ = try await service.apply(change(text, of: try #require(FlagKeyPath(text: key))), by: author)
        }
        #expect(app.requests.isEmpty && app.values.isEmpty)
    }

    @Test("A flag that the app doesn't read from a provider is not set there")
    func excluded() async throws {
        let manifest = Project.manifest([
            ("checkout/limit", "integer", "<key>excludedProviders</key><array><string>Memory</string></array>")
        ])
        try project.writeManifest(manifest)
        let app = App()
        let service = try service(app)
        let refusal = await #expect(throws: ChangeError.self) {
            _ = try await service.apply(change("7", of: limit), by: Project.author)
        }
        #expect(refusal?.description.contains("doesn't read checkout/limit from shop/Memory") == true)
        #expect(app.requests.isEmpty)
    }

    @Test("A flag that the app reads from no writable provider says so where no provider is named")
    func excludedEverywhere() async throws {
        let more = "<key>excludedProviders</key><array><string>Local</string></array>"
        try project.writeManifest(Project.manifest([("checkout/limit", "integer", more)]))
        let before = try project.text()
        let refusal = await #expect(throws: ChangeError.self) {
            _ = try await service().apply(Change(key: limit, action: .setText("7")), by: Project.author)
        }
        #expect(refusal?.reason == .invalid)
        #expect(refusal?.description.contains("doesn't read checkout/limit from Local") == true)
        #expect(try project.text() == before)
    }

    @Test("An outdated revision is refused with the value of now")
    func conflict() async throws {
        let app = App("shop/Memory", [limit: .integer(3)])
        let service = try service(app)
        var change = change("7", of: limit)
        change.revisions = [FlagRevision(of: .integer(2))]
        let refusal = await #expect(throws: ChangeError.self) { try await service.apply(change, by: Project.author) }
        #expect(refusal?.conflict?.theirs.value == .integer(3))
        #expect(app.requests.isEmpty)
    }

    @Test("A refusal by the app undoes the files of the same request, and leaves no row and no intent")
    func refused() async throws {
        let app = App()
        app.refuse("it is busy")
        let service = try service(app)
        let request = ChangeRequest(
            [change("8", of: limit, in: "Local"), change("7", of: limit)], by: Project.author)
        let refusal = await #expect(throws: BatchError.self) { _ = try await service.apply(request) }
        #expect(refusal?.cause.description == "shop/Memory was not changed: it is busy.")
        #expect(try project.text() == Project.values)
        #expect(try service.rows().isEmpty && service.history.openIntents().isEmpty)
        #expect(try await service.overview().saveProblem == nil, "No file is at fault")
        app.refuse(nil)
        _ = try await service.apply(request)
        #expect(app.values == [limit: .integer(7)])
        #expect(try project.text().contains("<integer>8</integer>"))
    }

    @Test("What can't be recorded is taken back in the app")
    func unrecorded() async throws {
        let app = App("shop/Memory", [limit: .integer(3)])
        let service = try service(app)
        try RowRefusal.begin(in: service.history.url)
        await #expect(throws: ChangeError.self) {
            _ = try await service.apply(change("7", of: limit), by: Project.author)
        }
        #expect(app.values == [limit: .integer(3)])
        #expect(app.requests.map { $0.map(\.after) } == [[.integer(7)], [.integer(3)]])
        try RowRefusal.end(in: service.history.url)
        _ = try await service.apply(change("7", of: limit), by: Project.author)
        #expect(try service.rows().filter { $0.event.kind == .set }.count == 1)
    }

    @Test("One app's refusal takes back what another app took before")
    func twoApps() async throws {
        let (first, second) = (App(), App("till/Memory"))
        second.refuse("no")
        let service = try service(first, second)
        let request = ChangeRequest(
            [change("7", of: limit), change("8", of: limit, in: "till/Memory")], by: Project.author)
        await #expect(throws: BatchError.self) { _ = try await service.apply(request) }
        #expect(first.values.isEmpty && second.values.isEmpty)
    }

    @Test("Changes of one value in one request reach the app as one")
    func joined() async throws {
        let app = App()
        let service = try service(app)
        let request = ChangeRequest(
            [change("7", of: limit), change("true", of: enabled), change("8", of: limit)], by: Project.author)
        _ = try await service.apply(request)
        #expect(
            app.requests == [
                [
                    .init(key: enabled, before: nil, after: .bool(true)),
                    .init(key: limit, before: nil, after: .integer(8)),
                ]
            ])
        #expect(try service.rows().map(\.event.after) == [.integer(7), .bool(true), .integer(8)])
    }

    @Test("A change that a crash cut off before the app's answer is recorded as such")
    func crash() throws {
        let history = try HistoryStore(url: project.folder.appending(path: "flags.history.sqlite"))
        let event = HistoryEvent(
            batch: UUID(), at: Project.now, actor: "ada", role: "admin", origin: .form, kind: .set,
            provider: "shop/Memory", key: limit, type: .integer, before: nil, after: .integer(7))
        _ = try history.begin(ChangeIntent(files: [], events: [event], at: Project.now))
        history.close()
        let service = try service(App())
        let row = try #require(try service.rows().first)
        #expect(row.event.kind == .aborted && row.event.reason.contains("interrupted before the app responded"))
        #expect(try service.history.openIntents().isEmpty)
    }

    @Test("A provider that only the app's code changes is read-only here")
    func readOnly() async throws {
        var options = ChangeService.Options(clock: { Project.now })
        options.appProviders = {
            [AppProvider(name: "shop/Remote", description: "", connectedApp: "shop", values: [:])]
        }
        let service = try project.service(options)
        let refusal = await #expect(throws: ChangeError.self) {
            _ = try await service.apply(change("7", of: limit, in: "shop/Remote"), by: Project.author)
        }
        #expect(refusal?.reason == .notAllowed && refusal?.description.contains("the app's code sets") == true)
    }

    @Test("Those who follow hear of a value that the app itself changed")
    func followed() async throws {
        let app = App()
        let service = try service(app)
        var updates = try await service.updates().makeAsyncIterator()
        _ = try await service.overview()
        app.refuse(nil)
        let other = App("shop/Memory", [limit: .integer(4)])
        #expect([app.provider].changedKeys(to: [other.provider]) == [limit])
        _ = try await service.apply(change("7", of: limit), by: Project.author)
        #expect(await updates.next()?.keys?.contains(limit) == true)
    }
}
