import DurableFiles
import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation
import Testing

@testable import FeatureFlagsConnection
@testable import FlagApps
@testable import FlagChanges

private struct ShopFlags: FlagCollectionProtocol {
    @Flag("Pay in one click") var quickCheckout = false
    @Flag("How often a payment is tried") var retries: UInt8 = 3
    @Flag(default: 1, description: FlagMetadata(description: "Nobody's business", isInternal: true)) var secret: Int
}

private struct MoreFlags: FlagCollectionProtocol {
    @Flag("Beside the shop's") var isOpen = false
}

/// A served file, and the apps of a test.
private final class Shop: Sendable {
    let folder: URL
    var registry: URL { folder.appending(path: "run") }
    var file: URL { folder.appending(path: "shop.xml") }

    init(manifest: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "apps-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try PropertyListDocument.empty().source.write(to: file)
        if manifest {
            let manager = FlagsManager(providers: [])
            manager.addCollection(ShopFlags.self)
            try manager.writeManifest(to: folder.appending(path: "shop.manifest.xml"))
        }
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("\(folder) stays: \(error)\n".utf8))
        }
    }

    /// Runs a body beside a server that accepts apps.
    func serving(
        patience: Duration = .seconds(30), _ body: (ChangeService, ConnectedApps) async throws -> Void
    ) async throws {
        let files = FlagFiles(values: file)
        let apps = ConnectedApps(beside: files, patience: patience) { _ in }
        var options = ChangeService.Options()
        options.servedFolder = registry
        options.appProviders = { apps.providers }
        let service = try ChangeService(files: files, options: options)
        try await service.announce("http://127.0.0.1:1/", answersSocket: true)
        let socket = try #require(service.socketForApps)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await apps.run(at: socket) { await service.lookSoon() } }
            while AtomicFile.look(at: socket) == nil { await Task.yield() }
            try await body(service, apps)
            group.cancelAll()
        }
        service.history.close()
    }

    func app(
        named name: String = "shop", _ memory: InMemoryProvider = InMemoryProvider(name: "Session")
    ) -> RunningApp {
        RunningApp(self, name, memory)
    }
}

private final class RunningApp: Sendable {
    let memory: InMemoryProvider
    let manager: FlagsManager
    let flags: FlagsLoader<ShopFlags>
    let connection: DashboardConnection

    init(_ shop: Shop, _ name: String, _ memory: InMemoryProvider) {
        self.memory = memory
        manager = FlagsManager(providers: [memory, LocalProvider(localURL: shop.file, isWatched: false)])
        flags = manager.addCollection(ShopFlags.self)
        connection = DashboardConnection(manager, file: shop.file, name: name, folder: shop.registry)
    }

    /// Connects, and waits until the server knows it under a name.
    func connected() async -> String? {
        await connection.start()
        for await state in connection.states { if case .connected(let name) = state { return name } }
        return nil
    }
}

private let quick = FlagKeyPath(components: ["quick_checkout"])
private let retries = FlagKeyPath(components: ["retries"])

@Suite("Running apps that are connected")
struct ConnectedAppTests {
    private static let author = ChangeAuthor(name: "ada", role: .editor, origin: .form)

    private func until(_ service: ChangeService, _ condition: (FlagCatalogue) -> Bool) async throws {
        while try await !condition(service.overview().catalogue) { await Task.yield() }
    }

    private func set(_ text: String, _ key: FlagKeyPath, in provider: String) -> Change {
        Change(key: key, action: .setText(text), provider: provider, reason: "try")
    }

    @Test(
        "A debug build connects, and a release build only where it is told to",
        arguments: [(true, false, true), (true, true, true), (false, true, true), (false, false, false)])
    func builds(isDebugBuild: Bool, inReleaseBuilds: Bool, isOn: Bool) async throws {
        let shop = try Shop()
        let app = shop.app()
        let connection = try await DashboardConnection.open(
            app.manager, nil, "shop", inReleaseBuilds: inReleaseBuilds, isDebugBuild: isDebugBuild,
            folder: shop.registry)
        #expect(connection.state == (isOn ? .searching : .off))
        try await shop.serving { service, _ in
            if isOn {
                for await state in connection.states where state == .connected(as: "shop") { break }
                try await until(service) { $0.providers.contains { $0.name == "shop/Session" } }
            } else {
                // Another app is connected by then, and this one still isn't.
                #expect(await app.connected() == "shop")
                #expect(connection.state == .off)
                app.connection.disconnect()
            }
            connection.disconnect()
        }
        #expect(connection.state == .ended)
    }

    @Test("What an app holds is shown with what it reads, and can be changed and undone, with a history")
    func changes() async throws {
        let shop = try Shop()
        let app = shop.app()
        try app.flags.$retries.set(5, in: app.memory)
        try await shop.serving { service, _ in
            #expect(await app.connected() == "shop")
            try await until(service) { $0[retries]?.resolution["shop"] != nil }
            let catalogue = try await service.overview().catalogue
            #expect(catalogue.providers.map(\.name) == ["Local", "shop", "shop/Session", "shop/Local"])
            #expect(catalogue.providers.map(\.isWritable) == [true, false, true, false])
            let entry = try #require(catalogue[retries])
            #expect(entry.resolution["shop"]?.stored == .integer(5))
            #expect(entry.resolution["shop/Session"]?.stored == .integer(5))
            #expect(entry.resolution.effectiveValue == .integer(3), "The file's own value is not the app's")

            _ = try await service.apply(set("true", quick, in: "shop/Session"), by: Self.author)
            #expect(app.flags.quickCheckout)
            let row = try #require(try service.history.page(HistoryQuery(limit: 9)).records.first)
            #expect(row.event.provider == "shop/Session" && row.event.reason == "try" && row.event.actor == "ada")
            let undo = Reversal.reversals(of: [row], reason: "")
            _ = try await service.apply(ChangeRequest(undo.map(\.change), by: Self.author))
            #expect(!app.flags.quickCheckout)
            #expect(try app.memory.storedValue(at: quick) == nil)
            app.connection.disconnect()
        }
    }

    @Test("A change by the app itself is shown")
    func live() async throws {
        let shop = try Shop()
        let app = shop.app()
        try await shop.serving { service, _ in
            _ = await app.connected()
            try app.flags.$retries.set(9, in: app.memory)
            try await until(service) { $0[retries]?.resolution["shop/Session"]?.stored == .integer(9) }
            app.connection.disconnect()
            try await until(service) { $0.providers.map(\.name) == ["Local"] }
        }
    }

    @Test("RealFlags: loaders without a manager are one app, and each flag is in its own loader's provider")
    func loaders() async throws {
        let shop = try Shop(manifest: false)
        let session = InMemoryProvider(name: "Session", values: ["retries": 5])
        let other = InMemoryProvider(name: "Session", values: ["retries": 9])
        let local = LocalProvider(localURL: shop.file, isWatched: false)
        let first = FlagsLoader(ShopFlags.self, providers: [session, local])
        let second = FlagsLoader(MoreFlags.self, providers: [other, InMemoryProvider(name: "More")])
        let connection = DashboardConnection(
            LoaderFlags([first, second]), file: shop.file, name: "shop", folder: shop.registry)
        let open = FlagKeyPath(components: ["is_open"])
        try await shop.serving { service, _ in
            await connection.start()
            try await until(service) { $0[open] != nil }
            let catalogue = try await service.overview().catalogue
            #expect(
                catalogue.providers.map(\.name) == ["Local", "shop", "shop/Session", "shop/Local", "shop/More"])
            #expect(catalogue[retries]?.resolution["shop/Session"]?.stored == .integer(5))
            _ = try await service.apply(set("true", open, in: "shop/Session"), by: Self.author)
            #expect(second.isOpen)
            #expect(try other.storedValue(at: open) == true && session.storedValue(at: open) == nil)
            connection.disconnect()
        }
    }

    @Test("Internal flags stay unknown, also where the server has no manifest")
    func internals() async throws {
        let shop = try Shop(manifest: false)
        let app = shop.app()
        try app.flags.$secret.set(7, in: app.memory)
        try await shop.serving { service, _ in
            _ = await app.connected()
            try await until(service) { $0[quick] != nil }
            #expect(try await service.overview().catalogue[FlagKeyPath(components: ["secret"])] == nil)
            app.connection.disconnect()
        }
    }

    @Test("A value that the app can't use is refused with the app's reason, and the former one stays")
    func unusable() async throws {
        let shop = try Shop(manifest: false)
        let app = shop.app()
        try app.flags.$retries.set(5, in: app.memory)
        try await shop.serving { service, _ in
            _ = await app.connected()
            try await until(service) { $0[retries] != nil }
            let refusal = await #expect(throws: ChangeError.self) {
                _ = try await service.apply(set("300", retries, in: "shop/Session"), by: Self.author)
            }
            #expect(refusal?.description.contains("255") == true)
            #expect(app.flags.retries == 5)
            #expect(try service.history.page(HistoryQuery(limit: 9)).records.isEmpty)
            app.connection.disconnect()
        }
    }

    @Test("Two apps of one name are told apart, and each is changed by itself")
    func two() async throws {
        let shop = try Shop()
        let (first, second) = (shop.app(), shop.app())
        try await shop.serving { service, _ in
            #expect(await first.connected() == "shop")
            #expect(await second.connected() == "shop-2")
            try await until(service) { $0[quick]?.resolution["shop-2"] != nil }
            _ = try await service.apply(set("true", quick, in: "shop-2/Session"), by: Self.author)
            #expect(!first.flags.quickCheckout && second.flags.quickCheckout)
            first.connection.disconnect()
            second.connection.disconnect()
        }
    }

    @Test(
        "An app that takes the name of a provider gets another one",
        arguments: ["Local", "default", " \n", "\u{202E}\u{0}", "a\u{202E}b"])
    func names(_ name: String) async throws {
        let shop = try Shop()
        let app = shop.app(named: name)
        try await shop.serving { _, _ in
            let shown = await app.connected()
            #expect(shown != name && shown?.isEmpty == false)
            app.connection.disconnect()
        }
    }

    @Test("An app finds the dashboard when that starts, and again when that was restarted")
    func restarts() async throws {
        let shop = try Shop()
        let app = shop.app()
        await app.connection.start()
        #expect(app.connection.state == .searching)
        var states = app.connection.states.makeAsyncIterator()
        for _ in 1...2 {
            try await shop.serving { _, _ in
                while let state = await states.next(), state != .connected(as: "shop") {}
                #expect(app.connection.state == .connected(as: "shop"))
            }
            while let state = await states.next(), state != .searching {}
        }
        app.connection.disconnect()
        #expect(app.connection.state == .ended)
    }

    @Test("An app that doesn't answer in time is refused and no longer shown, so that it makes the change neither then")
    func silence() async throws {
        let shop = try Shop()
        try await shop.serving(patience: .milliseconds(200)) { service, _ in
            let socket = try LineSocket(at: try #require(service.socketForApps))
            try socket.send(AppMessage(hello: .init(name: "till", process: 1)))
            let memory = AppMessage.Provider(
                name: "Memory", description: nil, isWritable: true, file: nil, values: [:], broken: [:], lastGood: [:])
            try socket.send(AppMessage(state: .init(providers: [memory], effective: [:])))
            try await until(service) { $0.providers.contains { $0.name == "till/Memory" } }
            let refusal = await #expect(throws: ChangeError.self) {
                _ = try await service.apply(set("true", quick, in: "till/Memory"), by: Self.author)
            }
            #expect(refusal?.description.contains("didn't respond") == true)
            try await until(service) { $0.providers.map(\.name) == ["Local"] }
            // The welcome and the request, then the end.
            var lines = 0
            while case .line = try socket.read() { lines += 1 }
            #expect(lines == 2 && socket.isEnded)
            #expect(try service.history.page(HistoryQuery(limit: 9)).records.isEmpty)
        }
    }

    @Test(
        "What is no app is turned away with the reason",
        arguments: ["nonsense", "{}", #"{"hello":{"version":2,"name":"x","process":1}}"#])
    func strangers(_ line: String) async throws {
        let shop = try Shop()
        try await shop.serving { service, apps in
            let socket = try LineSocket(at: try #require(service.socketForApps))
            try socket.send(Data(line.utf8))
            guard case .line(let answer) = try socket.read() else {
                Issue.record("no answer")
                return
            }
            #expect(try LineSocket.message(ServerMessage.self, in: answer).refusal?.isEmpty == false)
            #expect(try socket.read() == .end)
            #expect(apps.providers.isEmpty)
        }
    }

    @Test("Without a values file there is nothing to find a dashboard by")
    func noFile() async throws {
        let manager = FlagsManager(providers: [InMemoryProvider(name: "Memory")])
        await #expect(throws: ConnectionError.noFile) { try await manager.connect() }
        let loader = FlagsLoader(ShopFlags.self, providers: [InMemoryProvider()])
        await #expect(throws: ConnectionError.noFile) {
            try await DashboardConnection.connect(loaders: [loader])
        }
    }
}
