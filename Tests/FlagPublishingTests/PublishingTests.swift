import FeatureFlags
import FeatureFlagsTesting
import FlagChanges
import FlagHistory
import Foundation
import TestClock
import Testing

@testable import FeatureFlagsRemote
@testable import FlagPublishing

@Suite("Flags are published to etcd and followed there", .enabled(if: Program.etcd.isThere), .timeLimit(.minutes(10)))
struct PublishingTests {
    @Test func `a change arrives at a reader, in the type that it has`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/enabled", "true")
        let reader = try await Self.reader(etcd) { try $0.bool("checkout/enabled") == true }
        for (key, text) in [
            ("checkout/limit", "-9007199254740993"), ("checkout/share", "2.0"),
            ("checkout/region", "nor\u{0301}th \"\\ \u{1F600}"), ("checkout/from", "2026-03-01T10:00:00Z"),
            ("checkout/logo", "AAECAw=="), ("checkout/options", "{\"a\": [1, null, 2.50]}"),
            ("checkout/shops", "[\"a\", \"b\"]"),
        ] { try await served.set(key, text) }
        try await served.reset("checkout/enabled")
        try await reader.wait { try $0.bool("checkout/enabled") == nil }

        let flags = FlagsLoader(ShopFlags.self, providers: [reader]).checkout
        #expect(flags.limit == -9_007_199_254_740_993)
        #expect(flags.share == 2)
        #expect(flags.region == "nor\u{0301}th \"\\ \u{1F600}")
        #expect(flags.from == Date(timeIntervalSince1970: 1_772_359_200))
        #expect(flags.logo == Data([0, 1, 2, 3]))
        #expect(flags.options.jsonString == "{\"a\":[1,null,2.5]}")
        #expect(flags.shops == ["a", "b"])
        #expect(reader.lastRow == 9)
        await reader.tearDown()
    }

    @Test func `the first provider that holds a value wins, and what it lets go falls to the next`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "1", in: "Team")
        try await served.set("checkout/limit", "2")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 2 }
        try await served.reset("checkout/limit")
        try await reader.wait { try $0.integer("checkout/limit") == 1 }
        try await served.reset("checkout/limit", in: "Team")
        try await reader.wait { try $0.integer("checkout/limit") == nil }
        await reader.tearDown()
    }

    @Test func `a value that is mistyped leaves the last good one, and one that is removed leaves none`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "1")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 1 }
        let entries = ["<key>limit</key><string>one</string>", "<key>limit</key><string>uno</string>"]
        for (entry, region) in zip(entries, ["north", "south"]) {
            try served.write("\(Served.values)<key>checkout</key><dict>\(entry)</dict>")
            try await served.set("checkout/region", region)
            try await reader.wait { try $0.storedValue(at: Served.key("checkout/region")) == .string(region) }
            #expect(try reader.integer("checkout/limit") == 1)
        }
        try served.write(Served.values)
        _ = try await served.service.shownFlags()
        try await reader.wait { try $0.integer("checkout/limit") == nil }
        await reader.tearDown()
    }

    @Test func `what another environment holds is not published, neither as it is nor as it changes`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try await served.set("checkout/limit", "7", in: "staging")
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "8", in: "staging")
        try await served.set("checkout/region", "north")
        let reader = try await Self.reader(etcd) { try $0.storedValue(at: Served.key("checkout/region")) == "north" }
        #expect(try reader.integer("checkout/limit") == nil)
        #expect(try await !Self.content(etcd).keys.contains { $0.contains("staging") })
        await reader.tearDown()
    }

    @Test func `nothing of an internal flag is published, and a flag that becomes one is gone`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/region", "north")
        let reader = try await Self.reader(etcd) { try $0.storedValue(at: Served.key("checkout/region")) == "north" }
        let before = try await Self.content(etcd)
        #expect(!before.keys.contains { $0.contains("secret") })
        #expect(!before.values.contains { String(decoding: $0.data, as: UTF8.self).contains("hush") })
        let internalRegion = Served.definitions.replacing(
            Served.definition("checkout/region", "string"),
            with: Served.definition("checkout/region", "string", "<key>isInternal</key><true/>"))
        try Data(
            "<plist version=\"1.0\"><dict><key>version</key><integer>1</integer><key>flags</key><array>\(internalRegion)</array></dict></plist>\n"
                .utf8
        ).write(to: served.service.files.manifest, options: .atomic)
        try await served.set("checkout/limit", "3")
        try await reader.wait { try $0.integer("checkout/limit") == 3 }
        #expect(try reader.storedValue(at: Served.key("checkout/region")) == nil)
        #expect(try await !Self.content(etcd).keys.contains { $0.contains("region") })
        await reader.tearDown()
    }

    @Test func `a flag's definition is published beside its values`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/enabled", "true")
        let reader = try await Self.reader(etcd) { try $0.bool("checkout/enabled") == true }
        let content = try await Self.content(etcd)
        let text = content["/flags/definitions/checkout/enabled"].map { String(decoding: $0.data, as: UTF8.self) }
        #expect(text == "{\"default\":false,\"key\":\"checkout/enabled\",\"type\":\"bool\"}")
        #expect(content["/flags/providers"].map { String(decoding: $0.data, as: UTF8.self) } == "[\"Local\",\"Team\"]")
        #expect(content["/flags/values/Local/checkout/enabled"]?.data == Data("true".utf8))
        await reader.tearDown()
    }

    @Test func `changes wait in the history while etcd is gone, and none is lost`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        let publisher = try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "0")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 0 }
        etcd.kill()
        for limit in 1...20 { try await served.set("checkout/limit", "\(limit)") }
        #expect(await served.log.line(with: "can't publish flags") != nil)
        #expect(publisher.status.problem != nil)
        #expect(try reader.integer("checkout/limit") == 0)
        var seen: [Int] = []
        let updates = try #require(reader.store).updates
        try await etcd.start()
        for await _ in updates {
            seen.append(try #require(try reader.integer("checkout/limit")))
            if seen.last == 20 { break }
        }
        #expect(seen == seen.sorted(), "values never go back")
        #expect(await served.log.line(with: "publishing resumed") != nil)
        #expect(publisher.status.problem == nil)
        #expect(publisher.status.row == 21)
        await reader.tearDown()
    }

    @Test func `the row that takes away the last value of a flag that nothing defines takes it away in etcd too`()
        async throws
    {
        let served = try Served()
        let (loose, layout) = (Served.key("loose/end"), EtcdLayout(prefix: "/flags"))
        let flags = PublishedFlags(layout: layout, catalogue: try await served.service.overview().catalogue)
        #expect(flags.catalogue[loose] == nil)
        #expect(flags.change(at: loose, in: "Local", to: nil) == [layout.value(of: "Local", at: loose): nil])
        #expect(flags.change(at: loose, in: "Local", to: .bool(true)) == [:])
        #expect(flags.change(at: loose, in: "staging", to: nil) == [:])
    }

    @Test func `a value that can't be read is not published as a text`() async throws {
        let texts = ["twice", "mixed", "dated", "listed"]
        let served = try Served(
            flags: texts.dropLast().map { Served.definition($0, "string") }.joined()
                + Served.definition("listed", "array") + Served.definition("wrong", "integer"),
            values: """
                <key>twice</key><string>a</string><key>twice</key><string>b</string>
                <key>mixed</key><string>a<b/>c</string><key>dated</key><date>soon</date>
                <key>listed</key><array><string>a<b/>c</string></array><key>wrong</key><string>text</string>
                """)
        let layout = EtcdLayout(prefix: "/flags")
        let flags = PublishedFlags(layout: layout, catalogue: try await served.service.overview().catalogue)
        for key in texts {
            #expect(flags.catalogue[Served.key(key)]?.resolution.isBroken == true)
            #expect(flags.all[layout.value(of: "Local", at: Served.key(key))] == nil)
        }
        #expect(flags.all[layout.value(of: "Local", at: Served.key("wrong"))] == "\"text\"")
    }

    @Test func `an etcd that is gone is not said to be back where there is nothing to publish`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        let (log, clock) = (served.log, ManualClock())
        let publisher = HistoryPublisher(
            of: served.service, to: try etcd.address(), access: EtcdAccess(), log: { log.add($0) }, clock: clock,
            now: { Date() })
        let task = Task { await publisher.run() }
        try await served.set("checkout/limit", "4")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 4 }
        await reader.tearDown()
        etcd.kill()
        // Heartbeats go on meanwhile, whose waits are longer than those for the next try.
        var failures = 0
        for await wait in clock.sleeps {
            if wait > .zero, wait <= .seconds(2) { failures += 1 }
            if failures == 4 { break }
            clock.advance(by: HistoryPublisher.heartbeat)
        }
        #expect(publisher.status.problem != nil)
        let told = log.all.filter { $0.contains("can't publish flags") }
        #expect(!told.isEmpty && !told.hasRepetition, "\(log.all)")
        #expect(!log.all.contains { $0.contains("publishing resumed") }, "\(log.all)")
        task.cancel()
        await task.value
    }

    @Test func `two publishers of one history don't disturb each other`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try served.publish(to: etcd.address())
        let reader = try await Self.reader(etcd) { _ in true }
        for limit in 1...50 { try await served.set("checkout/limit", "\(limit)") }
        try await reader.wait { try $0.integer("checkout/limit") == 50 }
        let held = try #require(try await Self.content(etcd)["/flags/row"])
        #expect(try EtcdRow(data: held.data).row == 50)
        await reader.tearDown()
    }

    @Test func `another history is not published over one, until somebody makes room for it`() async throws {
        let etcd = try await EtcdServer()
        let first = try Served()
        try first.publish(to: etcd.address())
        try await first.set("checkout/limit", "1")
        try await first.set("checkout/limit", "2")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 2 }
        await first.stopPublishing()
        let second = try Served()
        try await second.set("checkout/limit", "7")
        let refused = try second.publish(to: etcd.address())
        let line = try #require(await second.log.line(with: "a different history"))
        #expect(refused.status.row == 0, "none of its rows is published")
        #expect(line.contains("etcdctl del /flags/row"))
        #expect(try reader.integer("checkout/limit") == 2)
        try await Self.delete("/flags/row", etcd)
        try await reader.wait { try $0.integer("checkout/limit") == 7 }
        #expect(reader.lastRow == 1)
        await reader.tearDown()
    }

    @Test func `more than fits in one transaction is taken as a whole`() async throws {
        let etcd = try await EtcdServer()
        let keys = (0..<400).map { "many/flag_\($0)" }
        let served = try Served(
            flags: keys.map { Served.definition($0, "integer") }.joined(),
            values: "<key>many</key><dict>" + (0..<400).map { "<key>flag_\($0)</key><integer>1</integer>" }.joined()
                + "</dict>")
        let reader = EtcdProvider(at: try etcd.address())
        let updates = try #require(reader.store).updates
        await reader.setUp(timeout: .zero)
        try served.publish(to: etcd.address())
        var counts: [Int] = []
        for await _ in updates {
            counts.append(try keys.filter { try reader.integer($0) == 1 }.count)
            break
        }
        #expect(counts == [400])
        await reader.tearDown()
    }

    @Test func `a reader that slept through a compaction reads all again`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "1")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 1 }
        await reader.tearDown()
        let other = try await Self.reader(etcd) { _ in true }
        for limit in 2...10 { try await served.set("checkout/limit", "\(limit)") }
        try await other.wait { try $0.integer("checkout/limit") == 10 }
        let client = EtcdClient(try etcd.address(), EtcdAccess())
        let revision = try await client.content(of: "/flags/").revision
        let watch = try await client.watch("/flags/", from: 1)
        try await Self.compact(etcd, at: revision)
        let late = try await client.watch("/flags/", from: 1)
        await #expect(throws: EtcdError.self) {
            var batches = late.makeAsyncIterator()
            while try await batches.next() != nil {}
        }
        withExtendedLifetime(watch) {}
        await client.close()
        try await reader.setUp()
        #expect(try reader.integer("checkout/limit") == 10)
        await reader.tearDown()
        await other.tearDown()
    }

    @Test func `a reader keeps the rules of every provider`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "4")
        try await served.set("checkout/region", "north")
        let waiting = try await Self.reader(etcd) { try $0.storedValue(at: Served.key("checkout/region")) == "north" }
        await waiting.tearDown()
        let address = try etcd.address()
        try await FlagsProviderConformance.checkReadOnly(
            holding: [Served.key("checkout/limit"): 4, Served.key("checkout/region"): "north"]
        ) { EtcdProvider(at: address) }
    }

    @Test func `a reader without etcd says why, and goes on by itself`() async throws {
        let etcd = try await EtcdServer()
        let lines = Lines()
        let reader = EtcdProvider(at: try etcd.address()) { lines.add($0) }
        await #expect(throws: EtcdError.self) { try await reader.setUp() }
        #expect(await lines.line(with: "no flags are published at") != nil)
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "4")
        try await reader.wait { try $0.integer("checkout/limit") == 4 }
        #expect(reader.problem == nil)
        #expect(await lines.line(with: "following the flags at") != nil)
        #expect(!lines.all.hasRepetition, "\(lines.all)")
        await reader.tearDown()
    }

    @Test func `an app that starts without etcd has the values of before, and says so`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        for (key, text) in [
            ("checkout/limit", "4"), ("checkout/logo", "AAECAw=="), ("checkout/options", "{\"a\": [1, null]}"),
            ("checkout/region", "north"),
        ] { try await served.set(key, text) }
        let file = served.folder.appending(path: "kept")
        let first = EtcdProvider(at: try etcd.address(), cache: file)
        await first.setUp(timeout: .zero)
        try await first.wait { try $0.storedValue(at: Served.key("checkout/region")) == "north" }
        await first.tearDown()
        etcd.kill()
        let second = EtcdProvider(at: try etcd.address(), cache: file)
        try await second.setUp()
        let flags = FlagsLoader(ShopFlags.self, providers: [second]).checkout
        #expect(flags.limit == 4)
        #expect(flags.logo == Data([0, 1, 2, 3]))
        #expect(flags.options.jsonString == "{\"a\":[1,null]}")
        let said = "\(flags.$limit.explain())"
        #expect(said.contains("row 4, from the cache of 20"), "\(said)")
        #expect(said.contains("can't reach"), "\(said)")
        try await etcd.start()
        try await served.set("checkout/limit", "5")
        try await second.wait { try $0.integer("checkout/limit") == 5 }
        #expect(second.condition == "row 5")
        await second.tearDown()
    }

    @Test(arguments: ["", "flagboard", "{}"])
    func `a cache that is torn or another's is told and passed over`(_ text: String) async throws {
        let folder = try Served()
        let file = folder.folder.appending(path: "kept")
        try Data(text.utf8).write(to: file)
        let lines = Lines()
        let reader = EtcdProvider(at: try EtcdAddress("etcd://127.0.0.1:1/flags"), cache: file) { lines.add($0) }
        #expect(lines.all.count == 1)
        #expect(reader.lastRow == nil)
        await #expect(throws: EtcdError.self) { try await reader.setUp() }
        await reader.tearDown()
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }

    @Test func `what was changed at once is published, however much it is together`() async throws {
        let etcd = try await EtcdServer()
        let keys = (0..<30).map { "many/flag_\($0)" }
        let served = try Served(flags: keys.map { Served.definition($0, "string") }.joined(), values: "")
        try served.publish(to: etcd.address())
        let reader = try await Self.reader(etcd) { _ in true }
        let text = String(repeating: "x", count: 60_000)
        try Data(
            "<plist version=\"1.0\"><dict><key>many</key><dict>\((0..<30).map { "<key>flag_\($0)</key><string>\(text)</string>" }.joined())</dict></dict></plist>\n"
                .utf8
        ).write(to: served.service.files.values, options: .atomic)
        _ = try await served.service.overview()
        try await reader.wait { reader in
            try keys.allSatisfy { try reader.storedValue(at: Served.key($0)) == .string(text) }
        }
        try await served.set(keys[0], "short")
        try await reader.wait { try $0.storedValue(at: Served.key(keys[0])) == "short" }
        await reader.tearDown()
    }

    @Test func `a reader of what is not whole yet says so, and waits for it`() async throws {
        let etcd = try await EtcdServer()
        try await Self.put("/flags/row", "{\"filling\":true,\"hash\":\"ab\",\"row\":3}", etcd)
        let reader = EtcdProvider(at: try etcd.address())
        let error = await #expect(throws: EtcdError.self) { try await reader.setUp() }
        #expect(error?.description.contains("working towards row 3") == true)
        try await Self.put("/flags/providers", "[\"Local\"]", etcd)
        try await Self.put("/flags/values/Local/checkout/limit", "4", etcd)
        try await Self.put("/flags/row", "{\"filling\":false,\"hash\":\"ab\",\"row\":3}", etcd)
        try await reader.wait { try $0.integer("checkout/limit") == 4 }
        #expect(reader.problem == nil)
        await reader.tearDown()
    }

    @Test func `a reader that begins while more is still to come takes all once it is there`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try await Self.put("/flags/providers", "[\"Local\"]", etcd)
        try await Self.put("/flags/values/Local/checkout/limit", "4", etcd)
        try await Self.put("/flags/row", "{\"filling\":false,\"hash\":\"ab\",\"row\":3}", etcd)
        let file = served.folder.appending(path: "kept")
        let first = EtcdProvider(at: try etcd.address(), cache: file)
        try await first.setUp()
        await first.tearDown()
        try await Self.put("/flags/row", "{\"filling\":true,\"hash\":\"cd\",\"row\":5}", etcd)
        try await Self.put("/flags/values/Local/checkout/limit", "5", etcd)
        let second = EtcdProvider(at: try etcd.address(), cache: file)
        try await second.setUp()
        #expect(try second.integer("checkout/limit") == 4 && second.lastRow == 3)
        #expect(second.problem?.contains("working towards row 5") == true)
        var updates = try #require(second.store).updates.makeAsyncIterator()
        try await Self.put("/flags/row", "{\"filling\":false,\"hash\":\"cd\",\"row\":5}", etcd)
        #expect(await updates.next()?.keys == [Served.key("checkout/limit")])
        #expect(try second.integer("checkout/limit") == 5 && second.lastRow == 5)
        await second.tearDown()
    }

    @Test func `values that another program writes break no flag but theirs`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "4")
        try await served.set("checkout/enabled", "true")
        let reader = try await Self.reader(etcd) { try $0.bool("checkout/enabled") == true }
        try await Self.put("/flags/values/Local/checkout/limit", "{ not JSON", etcd)
        try await reader.wait { try $0.integer("checkout/limit") == nil }
        let flags = FlagsLoader(ShopFlags.self, providers: [reader]).checkout
        #expect(flags.$limit.explain().resolution.isBroken)
        #expect(flags.enabled)
        await reader.tearDown()
    }

    @Test func `a value that is written again as it was wakes nobody`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "4")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 4 }
        var updates = try #require(reader.store).updates.makeAsyncIterator()
        let written = try await Self.content(etcd)
        for key in ["/flags/values/Local/checkout/limit", "/flags/providers"] {
            try await Self.put(key, String(decoding: try #require(written[key]).data, as: UTF8.self), etcd)
        }
        try await served.set("checkout/enabled", "true")
        #expect(await updates.next()?.keys == [Served.key("checkout/enabled")])
        await reader.tearDown()
    }

    @Test func `a row that goes back is not taken, and told`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        for limit in 1...2 { try await served.set("checkout/limit", "\(limit)") }
        let lines = Lines()
        let reader = EtcdProvider(at: try etcd.address()) { lines.add($0) }
        await reader.setUp(timeout: .zero)
        try await reader.wait { try $0.integer("checkout/limit") == 2 }
        await served.stopPublishing()
        let row = EtcdRow(row: 1, hash: Data(count: 32).hexadecimal)
        try await Self.put("/flags/row", row.text, etcd)
        #expect(await lines.line(with: "went back from row 2 of the history to row 1") != nil)
        #expect(reader.lastRow == 2)
        await reader.tearDown()
    }

    @Test func `a row that etcd does not take is told`() async throws {
        let etcd = try await EtcdServer(["--max-request-bytes", "20000"])
        let served = try Served()
        let publisher = try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "4")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 4 }
        try await served.set("checkout/region", String(repeating: "x", count: 60_000))
        let line = try #require(await served.log.line(with: "larger than an etcd request can be"))
        #expect(
            line.contains("the flag that row 2 of the history changed is")
                && line.contains("publishing is paused until the value is smaller"), "\(line)")
        #expect(publisher.status.row == 1)
        await reader.tearDown()
    }

    @Test(arguments: [false, true])
    func `publishing goes on by itself once a value that etcd does not take is smaller`(_ isRestarted: Bool)
        async throws
    {
        let etcd = try await EtcdServer(["--max-request-bytes", "20000"])
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "4")
        let reader = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 4 }
        try await served.set("checkout/region", String(repeating: "x", count: 60_000))
        try await served.set("checkout/limit", "5")
        #expect(await served.log.line(with: "the flag that row 2 of the history changed") != nil)
        #expect(try reader.integer("checkout/limit") == 4)
        if isRestarted {
            await served.stopPublishing()
            let lines = Lines()
            let again = HistoryPublisher(of: served.service, to: try etcd.address()) { lines.add($0) }
            let task = Task { await again.run() }
            #expect(await lines.line(with: "larger than an etcd request can be") != nil)
            #expect(again.status.row == 1, "how far it is behind is known while it is refused")
            task.cancel()
            await task.value
        }
        try await served.set("checkout/region", "north")
        try await served.set("checkout/limit", "6")
        if isRestarted { try served.publish(to: etcd.address()) }
        try await reader.wait { try $0.integer("checkout/limit") == 6 }
        #expect(try reader.storedValue(at: Served.key("checkout/region")) == "north")
        #expect(
            await served.log.line(with: "row 2 of the history is larger than an etcd request can be, so") != nil)
        if !isRestarted { #expect(await served.log.line(with: "publishing resumed") != nil) }
        try await served.set("checkout/limit", "7")
        try await reader.wait { try $0.integer("checkout/limit") == 7 }
        #expect(reader.lastRow == 6)
        await reader.tearDown()
    }

    @Test func `an etcd that was emptied gets all flags again, and it is said that it was`() async throws {
        let etcd = try await EtcdServer()
        let served = try Served()
        try served.publish(to: etcd.address())
        try await served.set("checkout/limit", "4")
        let first = try await Self.reader(etcd) { try $0.integer("checkout/limit") == 4 }
        await first.tearDown()
        etcd.kill()
        try FileManager.default.removeItem(at: etcd.folder.appending(path: "data"))
        try await etcd.start()
        try await served.set("checkout/region", "north")
        let reader = try await Self.reader(etcd) { try $0.storedValue(at: Served.key("checkout/region")) == "north" }
        #expect(try reader.integer("checkout/limit") == 4)
        let line = try #require(await served.log.line(with: "etcd has no key /flags/row"))
        #expect(line.contains("all flags are published again"))
        #expect(!served.log.all.contains { $0.contains("another program") }, "\(served.log.all)")
        await reader.tearDown()
    }

    @Test func `nothing is begun that etcd does not take to the end`() async throws {
        let etcd = try await EtcdServer(["--max-request-bytes", "20000"])
        let keys = (0..<400).map { "many/flag_\($0)" }
        let served = try Served(
            flags: (keys + ["zone"]).map { Served.definition($0, "string") }.joined(),
            values: "<key>zone</key><string>\(String(repeating: "x", count: 60_000))</string>")
        let publisher = try served.publish(to: etcd.address())
        #expect(await served.log.line(with: "a flag is larger than an etcd request can be") != nil)
        #expect(publisher.status.row == 0)
        #expect(try await Self.content(etcd).isEmpty)
        try await served.set("zone", "north")
        let reader = try await Self.reader(etcd) { try $0.storedValue(at: Served.key("zone")) == "north" }
        #expect(try await Self.content(etcd).keys.count { $0.hasPrefix("/flags/definitions/") } == 401)
        await reader.tearDown()
    }

    static func reader(_ etcd: EtcdServer, _ isMet: (EtcdProvider) throws -> Bool) async throws -> EtcdProvider {
        let reader = EtcdProvider(at: try etcd.address())
        await reader.setUp(timeout: .zero)
        try await reader.wait(until: isMet)
        return reader
    }

    static func content(_ etcd: EtcdServer) async throws -> [String: EtcdHeld] {
        let client = EtcdClient(try etcd.address(), EtcdAccess())
        let content = try await client.content(of: "/flags/").values
        await client.close()
        return content
    }

    static func delete(_ key: String, _ etcd: EtcdServer) async throws {
        try await Etcdctl.run(etcd, "del", key)
    }

    static func put(_ key: String, _ value: String, _ etcd: EtcdServer) async throws {
        try await Etcdctl.run(etcd, "put", key, value)
    }

    static func compact(_ etcd: EtcdServer, at revision: Int64) async throws {
        try await Etcdctl.run(etcd, "compaction", "\(revision)")
    }
}

/// The flags of ``Served``, as an app declares them.
struct ShopFlags: FlagCollectionProtocol {
    @FlagCollection(description: "Paying.") var checkout: CheckoutFlags
}

struct CheckoutFlags: FlagCollectionProtocol {
    @Flag(key: "enabled", default: false, description: "Whether it is open.") var enabled: Bool
    @Flag(key: "limit", default: 0, description: "How many.") var limit: Int
    @Flag(key: "share", default: 0, description: "How much.") var share: Double
    @Flag(key: "region", default: "", description: "Where.") var region: String
    @Flag(key: "from", default: .distantPast, description: "When.") var from: Date
    @Flag(key: "logo", default: Data(), description: "The picture.") var logo: Data
    @Flag(key: "options", default: JSONData([:]), description: "More.") var options: JSONData
    @Flag(key: "shops", default: [], description: "Who.") var shops: [String]
}

extension EtcdProvider {
    func integer(_ key: String) throws -> Int? {
        if case .integer(let value)? = try storedValue(at: Served.key(key)) { Int(value) } else { nil }
    }
}

extension [String] {
    /// Whether a line is the same as the one before.
    fileprivate var hasRepetition: Bool { zip(self, dropFirst()).contains { $0 == $1 } }
}
