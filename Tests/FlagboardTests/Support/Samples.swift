import FeatureFlags
import FlagChanges
import FlagHistory
import Foundation

@testable import Flagboard

/// A provider over fixed answers, so that a page can be shown any of them.
struct FixedProvider: FlagsProvider {
    let name: String
    var shortDescription = "Fixed values"
    var isWritable = true
    var isAsked = true
    var connectedApp: String?
    var values: [String: FlagValue] = [:]
    var problems: [String: String] = [:]
    var lastGood: [String: FlagValue] = [:]

    func lastValues(at key: FlagKeyPath) -> [FlagValue] { lastGood[key.text].map { [$0] } ?? [] }

    func storedValue(at key: FlagKeyPath) throws(FlagValueError) -> FlagValue? {
        if let problem = problems[key.text] { throw FlagValueError(problem) }
        return values[key.text]
    }

    func setStoredValue(_ value: FlagValue?, at key: FlagKeyPath) throws {
        throw FlagValueError("fixed")
    }
}

/// What the pages are tested with; every time is fixed.
enum Samples {
    static let now = Date(timeIntervalSince1970: 1_795_269_909)

    static func key(_ text: String) -> FlagKeyPath {
        guard let key = FlagKeyPath(text: text) else { preconditionFailure("\(text) is no key path") }
        return key
    }

    static func entry(
        _ definition: FlagDefinition, in providers: [FixedProvider], isDefined: Bool = true
    ) -> FlagEntry {
        FlagEntry(
            definition: definition, isDefined: isDefined,
            resolution: definition.resolve(in: providers, after: nil) { providers[$0].isAsked },
            writable: providers.map(\.name))
    }

    /// One flag under one provider, `local`.
    static func entry(
        _ key: String, _ type: FlagType, default defaultValue: FlagValue? = nil, stored: FlagValue? = nil,
        constraints: FlagConstraints = FlagConstraints(), metadata: FlagMetadata = FlagMetadata(),
        isDefined: Bool = true
    ) -> FlagEntry {
        let definition = FlagDefinition(
            key: Self.key(key), type: type, defaultValue: defaultValue, constraints: constraints, metadata: metadata)
        let local = FixedProvider(name: "local", values: stored.map { [key: $0] } ?? [:])
        return entry(definition, in: [local], isDefined: isDefined)
    }

    static func catalogue(
        _ entries: [FlagEntry], collections: [FlagCollectionDefinition] = [], providers: [FixedProvider]? = nil
    ) -> FlagCatalogue {
        let providers = providers ?? [FixedProvider(name: "local")]
        return FlagCatalogue(
            entries: entries,
            collections: Dictionary(uniqueKeysWithValues: collections.map { ($0.key, $0) }),
            providers: providers.map {
                ProviderSummary(
                    name: $0.name, description: $0.shortDescription, isWritable: $0.isWritable, isAsked: $0.isAsked,
                    connectedApp: $0.connectedApp)
            })
    }

    static func frame(_ providers: [ProviderSummary] = [], status: ServiceStatus = .clear) -> PageFrame {
        PageFrame(fileName: "flags.xml", providers: providers, status: status)
    }

    static func view(
        _ catalogue: FlagCatalogue = everything, _ status: ServiceStatus = .clear, by role: ChangeAuthor.Role? = nil
    ) -> CatalogueView {
        let visitor = role.map { Visitor(person: Dashboard.Person(name: "ada", role: $0), proof: .open) }
        return CatalogueView(catalogue: catalogue, status: status, now: now, visitor: visitor)
    }

    static func record(
        _ id: Int64, _ key: String, _ kind: HistoryRecord.Kind = .set, before: FlagValue? = nil,
        after: FlagValue? = nil, reason: String = "", provider: String? = "local", actor: String = "ada",
        origin: HistoryRecord.Origin = .form,
        batch: UUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), isAltered: Bool = false
    ) -> HistoryRecord {
        let event = HistoryEvent(
            batch: batch, at: now.addingTimeInterval(Double(id) * 61), actor: actor, role: "editor", origin: origin,
            kind: kind, provider: provider, key: Self.key(key), type: .bool, before: before, after: after,
            reason: reason, requestID: "request-\(id)", fileHashBefore: Data(repeating: 0xA0, count: 32),
            fileHashAfter: Data(repeating: 0x0B, count: 32))
        return HistoryRecord(
            id: id, event: event, previousHash: Data(repeating: 0, count: 32), hash: Data(repeating: 0xFE, count: 32),
            isAltered: isAltered)
    }

    /// Two providers; a flag of every type, in groups two deep, with everything that can be the matter with one.
    static let everything: FlagCatalogue = {
        let overrides = FixedProvider(
            name: "overrides", shortDescription: "Values set in this session",
            values: ["checkout/new_flow": .bool(true), "limits/retries": .string("many"), "ui/theme": .string("dark")])
        let local = FixedProvider(
            name: "local", shortDescription: "flags.xml",
            values: [
                "checkout/new_flow": .bool(false), "checkout/payments/wallet": .bool(false),
                "limits/big": .integer(18_446_744_073_709_551_615), "ui/banner": .string(""),
                "ui/motd": .string("Two\nlines"), "blob": .data(Data(repeating: 7, count: 12)),
                "left_over": .dictionary(["a": .integer(1), "b": .array([.string("x")])]),
            ], problems: ["net/endpoint": "the file ends in the middle of the value"])
        let providers = [overrides, local]
        func entry(
            _ key: String, _ type: FlagType, _ value: FlagValue?, _ metadata: FlagMetadata = FlagMetadata(),
            _ constraints: FlagConstraints = FlagConstraints(), suggestions: [FlagValue] = [], isDefined: Bool = true
        ) -> FlagEntry {
            Self.entry(
                FlagDefinition(
                    key: Self.key(key), type: type, defaultValue: value, suggestions: suggestions,
                    constraints: constraints, metadata: metadata),
                in: providers, isDefined: isDefined)
        }
        let many = FlagConstraints(choices: ["a", "b", "c", "d", "e", "f", "g"].map { .string($0) })
        return catalogue(
            [
                entry("blob", .data, nil, FlagMetadata(description: "A signing key", tags: ["security"])),
                entry("left_over", .dictionary, nil, FlagMetadata(), isDefined: false),
                entry("ui/banner", .string, .string("Welcome"), FlagMetadata(), FlagConstraints(pattern: ".{0,80}")),
                entry("ui/launch", .date, .date(now)),
                entry("ui/layout", .json, .dictionary(["columns": .integer(2)])),
                entry("ui/letters", .choice, .string("a"), FlagMetadata(), many),
                entry("ui/motd", .string, nil, suggestions: ["Hello", "Two\nlines", ""]),
                entry("ui/order", .array, nil),
                entry(
                    "ui/theme", .choice, .string("light"), FlagMetadata(description: "Which colours"),
                    FlagConstraints(choices: [.string("light"), .string("dark"), .string("system")])),
                entry(
                    "checkout/new_flow", .bool, .bool(false),
                    FlagMetadata(
                        name: "New checkout", description: "Three steps become one.", tags: ["checkout", "beta"],
                        owner: "Team Basket", expires: now.addingTimeInterval(-86_400))),
                entry("checkout/payments/wallet", .bool, .bool(true), FlagMetadata(requiresRestart: true)),
                entry(
                    "checkout/payments/refunds", .bool, .bool(true),
                    FlagMetadata(description: "Refunds without a call", isLocked: true, tags: ["beta"])),
                entry(
                    "limits/big", .integer, .integer(1),
                    FlagMetadata(userInfo: ["ticket": "SHOP-12", "screens": ["list", 2], "since": .date(now)])),
                entry("limits/ratio", .double, .double(0.25), FlagMetadata(), FlagConstraints(minimum: 0, maximum: 1)),
                entry("limits/retries", .integer, .integer(3), FlagMetadata(description: "How often to try again")),
                entry("net/endpoint", .url, .string("https://example.com/api"), FlagMetadata(isLocked: false)),
            ],
            collections: [
                FlagCollectionDefinition(
                    key: key("checkout"), name: "Checkout", description: "From the basket to the receipt", order: 2),
                FlagCollectionDefinition(key: key("ui"), name: "Interface", order: 1, icon: "paintbrush.fill"),
                FlagCollectionDefinition(key: key("checkout/payments"), description: "Ways to pay", isSection: true),
            ], providers: providers)
    }()

    private static let longReason = String(repeating: "because ", count: 60)

    static let history: [HistoryRecord] = [
        record(5, "ui/motd", before: nil, after: .string(String(repeating: "long ", count: 80)), reason: longReason),
        record(4, "checkout/new_flow", before: .bool(false), after: .bool(true), reason: "Beta starts"),
        record(3, "ui/motd", .external, after: .string("Two\nlines"), actor: "outside", origin: .external),
        record(2, "checkout/payments/refunds", .denied, before: nil, after: .bool(false), origin: .api),
        record(1, "checkout/payments/refunds", .lock, provider: nil, actor: "grace", origin: .cli),
    ]
}
