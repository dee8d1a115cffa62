import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import FlagChanges

@Suite("The environment of the main file")
struct NamedEnvironmentTests {
    private let project: Project
    private static let key = FlagKeyPath.of("checkout", "limit")

    init() throws { project = try Project() }

    /// Serves the file under a name, and closes the history afterwards.
    @discardableResult
    private func serving<Value>(
        _ environment: String?, others: [FlagFiles.Provider] = [],
        _ body: (ChangeService) async throws -> Value
    ) async throws -> Value {
        let files = FlagFiles(values: project.file, environment: environment, others: others)
        let service = try ChangeService(files: files, options: ChangeService.Options(clock: { Project.now }))
        let value = try await body(service)
        service.history.close()
        return value
    }

    private func set(_ value: Int, _ service: ChangeService, in provider: String? = nil) async throws -> HistoryRecord {
        let outcome = try await service.apply(
            Change(key: Self.key, action: .setValue(.integer(Int128(value))), provider: provider),
            by: Project.author)
        guard case .applied(let record) = outcome else { throw ChangeError.unknown(Self.key) }
        return record
    }

    @Test("A history goes on whatever the file is called: each name shows all rows as its own, and the chain is whole")
    func switched() async throws {
        for (environment, value) in [(nil, 6), ("Production", 7), ("Live", 8), (nil, 9)] as [(String?, Int)] {
            try await serving(environment) { (service: ChangeService) async throws in
                let name = environment ?? FlagFiles.localProviderName
                let record = try await set(value, service)
                #expect(record.event.provider == name)
                #expect(try service.rows().allSatisfy { $0.event.provider == name })
                #expect(try service.rows().allSatisfy { !$0.isAltered })
                #expect(try await service.catalogue()[Self.key]?.resolution.source == .provider(name))
                #expect(try service.history.providersWithChanges() == [name])
                guard case .sound = try service.history.verify() else {
                    Issue.record("The chain is broken under \(name).")
                    return
                }
            }
        }
        try await serving("Production") { (service: ChangeService) async throws in
            #expect(try service.rows().map(\.event.after) == [6, 7, 8, 9].map { .integer($0) })
        }
    }

    @Test("A change is reverted to its exact bytes under another name", arguments: [nil, "Production"] as [String?])
    func reverted(later: String?) async throws {
        let before = try project.text()
        let id = try await serving(later == nil ? "Production" : nil) { try await set(9, $0).id }
        try await serving(later) { (service: ChangeService) async throws in
            let record = try #require(try service.history.record(id, hiddenKeys: []))
            let changes = Reversal.reversals(of: [record], reason: "back").map(\.change)
            var author = Project.author
            author.origin = .revert
            let outcomes = try await service.apply(ChangeRequest(changes, by: author))
            #expect(outcomes.count == 1)
        }
        #expect(try project.text() == before)
    }

    @Test("The time machine shows and restores what the file held under another name")
    func past() async throws {
        let id = try await serving(nil) { try await set(9, $0).id }
        try await serving("Production") { (service: ChangeService) async throws in
            let past = try #require(try await service.flags(at: .before(row: id)))
            #expect(past.then[Self.key]?.resolution["Production"]?.stored == .integer(5))
            #expect(past.missingProviders.isEmpty)
            let changes = past.flags.flatMap { $0.restoring(in: ["Production"], defines: false) }
            #expect(changes.map(\.key) == [Self.key] && changes.map(\.provider) == ["Production"])
        }
    }

    @Test("Programs that name the file as before change it, and are answered with the name of now")
    func alias() async throws {
        try await serving("Production") { (service: ChangeService) async throws in
            #expect(try await set(9, service, in: FlagFiles.localProviderName).event.provider == "Production")
        }
    }

    @Test("The rows of another file that once had the name stay apart")
    func namesake() async throws {
        let url = project.folder.appending(path: "production.xml")
        try Data(Project.plist("").utf8).write(to: url)
        let other = FlagFiles.Provider(name: "Production", url: url, isWritable: true, isAsked: false)
        let id = try await serving(nil, others: [other]) { try await set(9, $0, in: "Production").id }
        try await serving("Production") { (service: ChangeService) async throws in
            #expect(try service.history.record(id, hiddenKeys: [])?.event.provider == "Production (another file)")
            #expect(try service.history.lastValue(of: Self.key, in: "Production") == nil)
            #expect(try service.history.lastValue(of: Self.key, in: "Production (another file)") == .integer(9))
        }
    }

    @Test("A change that was interrupted under one name is decided under another")
    func interrupted() async throws {
        let event = try await serving("Production") { (service: ChangeService) async throws in
            let record = try await set(6, service)
            let url = project.file.path(percentEncoded: false)
            let file = ChangeIntent.File(
                role: .values, path: url, temporaryName: ".flags.xml.none.tmp",
                hashBefore: try #require(record.event.fileHashBefore),
                hashAfter: try #require(record.event.fileHashAfter))
            _ = try service.history.begin(ChangeIntent(files: [file], events: [record.event], at: Project.now))
            return record.event
        }
        try await serving(nil) { (service: ChangeService) async throws in
            let rows = try service.rows()
            #expect(rows.count == 2 && rows.last?.event.kind == event.kind)
            #expect(rows.last?.event.provider == FlagFiles.localProviderName && rows.last?.event.after == event.after)
            #expect(try service.history.openIntents().isEmpty)
        }
    }

    @Test("A flag that the app doesn't read from its file is so under the environment's name as well")
    func excluded() async throws {
        let more = "<key>excludedProviders</key><array><string>Local</string></array>"
        try project.writeManifest(Project.manifest([("checkout/limit", "integer", more)]))
        try await serving("Production") { (service: ChangeService) async throws in
            await #expect(throws: ChangeError.self) { try await set(6, service, in: "Production") }
        }
    }
}
