import FeatureFlags
import FlagHistory
import Foundation
import Testing

@Suite("Asking the history")
struct QueryTests {
    private static let keys = ["ui/blue_text", "ui/Größe", "checkout/limit_100%", "a~1b", "secret", "secret/below"]
    private static let reasons = ["", "100% sure", "under_score", "ÄRGER", "say \"hi\"", "a*b OR c", "x'; --"]
    private static let actors = ["ann", "Bob", "Érik", "cli"]
    private static let start = Date(timeIntervalSince1970: 1_767_225_600)

    private static func events(_ count: Int, _ random: inout SeededGenerator) -> [HistoryEvent] {
        (0..<count).map { _ in
            let value: FlagValue = random.pick([
                .bool(true), .bool(false), .integer(Int128(Int.random(in: -50...50, using: &random))),
                .string(random.pick(reasons)),
            ])
            return .sample(
                key: random.pick(keys), at: start + Double(Int.random(in: 0..<100, using: &random)),
                actor: random.pick(actors), origin: random.pick(HistoryRecord.Origin.allCases),
                kind: random.pick(HistoryRecord.Kind.allCases), before: Bool.random(using: &random) ? nil : value,
                after: Bool.random(using: &random) ? nil : value, reason: random.pick(reasons))
        }
    }

    private static func query(_ random: inout SeededGenerator, maximum: Int64) -> HistoryQuery {
        func maybe<Value>(_ value: Value) -> Value? { Int.random(in: 0..<4, using: &random) == 0 ? value : nil }
        let texts = [
            "a", "A", "är", "ger", "UNDER_", "100%", "%", "_", "\"hi\"", "r O", "érik", "TRUE", "é", "größe", "-4",
        ]
        let newerThan = Int64.random(in: -1...maximum, using: &random)
        let olderThan = Int64.random(in: 0...maximum + 2, using: &random)
        return HistoryQuery(
            key: maybe(.make(random.pick(keys))), group: maybe(.make(random.pick(["ui", "secret", "checkout"]))),
            actor: maybe(random.pick(actors)),
            origin: maybe(random.pick(HistoryRecord.Origin.allCases)),
            kind: maybe(random.pick(HistoryRecord.Kind.allCases)),
            from: maybe(start + Double(Int.random(in: 0..<100, using: &random))),
            until: maybe(start + Double(Int.random(in: 0..<100, using: &random))),
            since: maybe(Int64.random(in: 0...maximum + 1, using: &random)), text: maybe(random.pick(texts)),
            hiddenKeys: maybe([.make("secret"), .make("a~1b")]) ?? [], olderThan: maybe(olderThan),
            newerThan: maybe(newerThan), limit: random.pick([0, 1, 7, 50, 1000]))
    }

    /// What a page must hold, worked out by looking at every row.
    private static func model(_ query: HistoryQuery, _ rows: [HistoryRecord]) -> HistoryPage {
        let matching = rows.reversed().filter { row in
            let event = row.event
            let texts =
                [event.key.text, event.actor, event.reason]
                + [event.before, event.after].compactMap { value in
                    switch value {
                    case .bool(let value): "\(value)"
                    case .integer(let number): "\(number)"
                    case .string(let text): text
                    default: nil
                    }
                }
            return (query.key.map { $0 == event.key } ?? true) && (query.group.map(event.key.isInside) ?? true)
                && (query.actor.map { $0 == event.actor } ?? true)
                && (query.origin.map { $0 == event.origin } ?? true) && (query.kind.map { $0 == event.kind } ?? true)
                && (query.since.map { row.id > $0 } ?? true)
                && (query.from.map { event.at >= $0 } ?? true) && (query.until.map { event.at < $0 } ?? true)
                && (query.text.map { text in texts.contains { $0.lowercased().contains(text.lowercased()) } } ?? true)
                && !query.hiddenKeys.flags.contains(where: event.key.isInside)
        }
        let between = matching.filter { row in
            (query.olderThan.map { row.id < $0 } ?? true) && (query.newerThan.map { row.id > $0 } ?? true)
        }
        let records = query.newerThan == nil ? between.prefix(query.limit) : between.suffix(query.limit)
        let newest = records.first?.id ?? query.olderThan.map { $0 - 1 } ?? .max
        let oldest = records.last?.id ?? query.newerThan.map { $0 + 1 } ?? .min
        return HistoryPage(
            records: Array(records), total: matching.count, hasNewer: matching.contains { $0.id > newest },
            hasOlder: matching.contains { $0.id < oldest })
    }

    @Test("Any mixture of filters gives what looking at every row gives", arguments: [1, 2, 3] as [UInt64])
    func filters(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let history = try TemporaryHistory()
        let store = try history.open()
        let rows = try store.append(Self.events(300, &random), head: nil)
        var found = 0
        for _ in 0..<300 {
            let query = Self.query(&random, maximum: 300)
            let page = try store.page(query)
            try #require(page == Self.model(query, rows), "\(query)")
            found += page.records.isEmpty ? 0 : 1
        }
        #expect(found > 50)
    }

    @Test("Pages of 50 walked down and up again give every row once, in order")
    func walk() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append((0..<230).map { .sample(kind: $0.isMultiple(of: 2) ? .set : .reset) }, head: nil)
        for kind in [nil, HistoryRecord.Kind.set] {
            let all = try store.page(HistoryQuery(kind: kind, limit: 1000)).records.map(\.id)
            var page = try store.page(HistoryQuery(kind: kind))
            #expect(!page.hasNewer)
            var down = page.records.map(\.id)
            while page.hasOlder {
                page = try store.page(HistoryQuery(kind: kind, olderThan: page.records.last?.id))
                #expect(page.hasNewer)
                #expect(page.total == all.count)
                down += page.records.map(\.id)
            }
            #expect(down == all)
            var up = page.records.map(\.id)
            while page.hasNewer {
                page = try store.page(HistoryQuery(kind: kind, newerThan: page.records.first?.id))
                #expect(page.hasOlder)
                up = page.records.map(\.id) + up
            }
            #expect(up == all)
        }
    }

    @Test(
        "Search finds text whatever its case and spelling, literally, in any field",
        arguments: [
            ("BLUE", [1]), ("ui/", [1, 2]), ("ß", [2]), ("STRASSE", [2]), ("stras", [2]), ("cafe\u{301}", [3]),
            ("CAFÉ", [3]), ("%", [3]), ("_", [1]), ("e_t", [1]), ("e%t", []), ("\"q\"", [3]), ("Q\" and", [3]),
            ("deep key", [4]), ("DEEP VALUE", [4]), ("2026-01-31t12", [4]), ("ann", [1, 2, 3]), ("zed", [4]),
            ("\u{1F600}", [4]), ("18446744073709551615", [2]), ("\\", []), ("OR", [4]), ("NEAR(", []), ("\0", []),
        ] as [(String, [Int64])])
    func search(_ text: String, _ ids: [Int64]) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append(
            [
                .sample(key: "ui/blue_text", before: nil, after: nil),
                .sample(key: "ui/straße", before: .integer(FlagValue.integerRange.upperBound), after: nil),
                .sample(key: "c", before: nil, after: nil, reason: "100% Café \"q\" and"),
                .sample(
                    key: "d", actor: "Zed", before: .date(Date(timeIntervalSince1970: 1_769_860_800)),
                    after: .dictionary(["deep key": .array([.string("deep value or \u{1F600}")])])),
            ], head: nil)
        let page = try store.page(HistoryQuery(text: text))
        #expect(page.records.map(\.id).reversed() == ids)
        #expect(page.total == ids.count)
    }

    @Test("A hidden flag and what is inside it leave no trace in rows, totals and search, and its neighbours stay")
    func hidden() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append(
            [
                .sample(key: "open", actor: "ann"), .sample(key: "secret", actor: "insider", reason: "hush"),
                .sample(key: "secret/below/deep", actor: "insider"), .sample(key: "secrets", actor: "bob"),
                .sample(key: "caf\u{E9}", actor: "insider"), .sample(key: "a~1secret", actor: "bob"),
            ], head: nil)
        let hidden: HiddenKeys = [.make("secret"), .make("cafe\u{301}")]
        let page = try store.page(HistoryQuery(hiddenKeys: hidden))
        #expect(page.records.map(\.event.key.text) == ["a~1secret", "secrets", "open"])
        #expect(page.total == 3)
        #expect(try store.records(matching: HistoryQuery(hiddenKeys: hidden), after: 0).map(\.id) == [1, 4, 6])
        for key in ["secret", "secret/below/deep"] {
            #expect(try store.page(HistoryQuery(key: .make(key), hiddenKeys: hidden)).total == 0)
        }
        for text in ["hush", "hu", "insider", "below"] {
            #expect(try store.page(HistoryQuery(text: text, hiddenKeys: hidden)).total == 0)
        }
        for id: Int64 in 1...6 {
            #expect(try (store.record(id, hiddenKeys: hidden) != nil) == [1, 4, 6].contains(id))
        }
    }

    @Test("Hidden with a flag are the rows in which a dictionary above it was one value, and no others above it")
    func hiddenAbove() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let group = FlagValue.dictionary(["secret": .string("hush")])
        try store.append(
            [
                .sample(key: "net", type: .dictionary, before: nil, after: group),
                .sample(key: "net", type: .dictionary, before: group, after: nil),
                .sample(key: "net", type: .string, before: nil, after: .string("plain")),
                .sample(key: "net", provider: nil, type: nil, before: nil, after: .dictionary([:])),
                .sample(key: "other", type: .dictionary, before: nil, after: group),
            ], head: nil)
        let hidden = HiddenKeys(flags: [.make("net/secret")])
        #expect(try store.page(HistoryQuery(hiddenKeys: hidden)).records.map(\.id) == [5, 4, 3])
    }

    @Test("The definition of a hidden group, and of those in it, does not appear; flags of its name do")
    func hiddenGroups() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let entry = FlagValue.dictionary(["name": .string("Secret project")])
        try store.append(
            ["net", "net/inner", "network"].map {
                .sample(key: $0, provider: nil, type: nil, before: nil, after: entry)
            } + [.sample(key: "net/flag")], head: nil)
        let hidden = HiddenKeys(flags: [], groups: [.make("net")])
        #expect(try store.page(HistoryQuery(hiddenKeys: hidden)).records.map(\.id) == [4, 3])
    }

    @Test(
        "A flag is found and hidden in whichever of its canonically equivalent spellings it was written",
        arguments: [
            ["\u{E9}", "e\u{301}"], ["Key", "\u{212A}ey"], ["\u{1E69}", "s\u{307}\u{323}", "s\u{323}\u{307}"],
        ])
    func spellings(_ spellings: [String]) throws {
        for stored in spellings {
            let history = try TemporaryHistory()
            let store = try history.open()
            try store.append([.sample(key: stored), .sample(key: stored + "/inner")], head: nil)
            for asked in spellings {
                #expect(try store.page(HistoryQuery(hiddenKeys: [.make(asked)])).total == 0)
                #expect(try store.page(HistoryQuery(key: .make(asked))).records.map(\.id) == [1])
            }
        }
    }

    @Test(
        "Searching for text that the index's own language knows finds that text and nothing fails",
        arguments: ["ab\"\u{301}cd", "\"\u{301}\"", "\" OR \"", "a\"\"b", "{key}:abc", "^abc", "abc*", "\u{301}\"ab"])
    func searchesLiterally(_ text: String) throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample(reason: "<\(text)>"), .sample(reason: "abcd")], head: nil)
        #expect(try store.page(HistoryQuery(text: text)).records.map(\.id) == [1])
    }

    @Test("An export reads every matching row once, oldest first, a few at a time")
    func export() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        let rows = try store.append((0..<25).map { .sample(key: "flag_\($0 % 3)") }, head: nil)
        let query = HistoryQuery(hiddenKeys: [.make("flag_1")], olderThan: 3, limit: 1)
        var exported: [HistoryRecord] = []
        while case let next = try store.records(matching: query, after: exported.last?.id ?? 0, limit: 4), !next.isEmpty
        {
            #expect(next.count <= 4)
            exported += next
        }
        #expect(exported == rows.filter { $0.event.key.text != "flag_1" })
    }

    @Test("A row that nobody wrote is not found")
    func noRow() throws {
        let history = try TemporaryHistory()
        let store = try history.open()
        try store.append([.sample()], head: nil)
        for id: Int64 in [-1, 0, 2, .max] { #expect(try store.record(id, hiddenKeys: []) == nil) }
        #expect(try store.record(1, hiddenKeys: [])?.id == 1)
    }
}
