import FeatureFlags
import Testing

private struct Declared: FlagCollectionProtocol {
    @Flag(default: 1, description: "Declared")
    var limit: Int
}

@Suite("What can't be done")
struct FlagErrorTests {
    private let manager = FlagsManager(providers: [
        TestProvider(name: "Local"), InMemoryProvider(name: "Fixed", isWritable: false),
        DelegateProvider(name: "App", isWritable: true),
    ])
    private let flag = Flag(key: "beta", default: false, description: "Beta")

    init() throws {
        manager.addCollection(Declared.self)
        try manager.register(flag)
    }

    private func error(_ action: () throws -> Void) throws -> FlagError {
        try #require(throws: FlagError.self, performing: action)
    }

    @Test("An unknown provider is named with the ones that there are")
    func unknownProvider() throws {
        let error = try error { try flag.set(true, in: "Nobody") }
        #expect(error.isUnknownProvider && !error.isReadOnly && !error.isNotTaken)
        #expect(error.description == "no provider is named Nobody; use one of Local, Fixed, App")
    }

    @Test("A read-only provider, and one that takes no value, are told apart")
    func refusals() throws {
        let fixed = try error { try flag.set(true, in: "Fixed") }
        #expect(fixed.isReadOnly && !fixed.isNotTaken)
        #expect(fixed.description == "the provider Fixed is read-only; change the value in another one")
        let app = try error { try flag.set(true, in: "App") }
        #expect(app.isNotTaken && !app.isReadOnly)
        let alone = Flag(key: "alone", default: false, description: "No provider")
        #expect(try error { try alone.setOverride(.enabled) }.isReadOnly)
    }

    @Test("Why a flag is not registered is told apart")
    func registering() throws {
        let placed = try error { try manager.register(flag, in: ["other"]) }
        #expect(placed.isNotRegistered && !placed.isKeyCollision)
        let keyless = try error { try manager.register(Flag(default: 1, description: "Without a key")) }
        #expect(keyless.isNotRegistered && !keyless.isKeyCollision)
        let same = Flag(key: "beta", default: 1, description: "The same key")
        let collision = try error { try manager.register(same) }
        #expect(collision.isNotRegistered && collision.isKeyCollision)
        #expect(collision.description == "beta collides with the key path of Beta, beta; use another key")
        let declared = Flag(key: "limit", default: 1, description: "The key of a declared flag")
        #expect(try error { try manager.register(declared, forced: true) }.isKeyCollision)
    }

    @Test("A provider is not inserted under a name that is there")
    func inserting() throws {
        let error = try error { try manager.insert(TestProvider(name: "Local")) }
        #expect(error.isProviderCollision)
        #expect(error.description == "a provider named Local already exists; use another name")
    }
}
