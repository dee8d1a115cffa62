import Configuration
import ConfigurationTesting
import FeatureFlags
import FeatureFlagsConfiguration
import FeatureFlagsXML
import Foundation
import Testing

@Suite("A values file as configuration")
struct FlagsConfigProviderTests {
    private static let compatible = """
        <key>string</key><string>Hello</string>
        <key>int</key><integer>42</integer>
        <key>double</key><real>3.14</real>
        <key>bool</key><true/>
        <key>bytes</key><data>bWFnaWM=</data>
        <key>stringy</key><dict><key>array</key><array><string>Hello</string><string>World</string></array></dict>
        <key>inty</key><dict><key>array</key><array><integer>42</integer><integer>24</integer></array></dict>
        <key>doubly</key><dict><key>array</key><array><real>3.14</real><real>2.72</real></array></dict>
        <key>booly</key><dict><key>array</key><array><true/><false/></array></dict>
        <key>byteChunky</key><dict><key>array</key><array><data>bWFnaWM=</data><data>bWFnaWMy</data></array></dict>
        <key>other</key><dict>
          <key>string</key><string>Other Hello</string>
          <key>int</key><integer>24</integer>
          <key>double</key><real>2.72</real>
          <key>bool</key><false/>
          <key>bytes</key><data>bWFnaWMy</data>
          <key>stringy</key><dict><key>array</key><array><string>Hello</string><string>Swift</string></array></dict>
          <key>inty</key><dict><key>array</key><array><integer>16</integer><integer>32</integer></array></dict>
          <key>doubly</key><dict><key>array</key><array><real>0.9</real><real>1.8</real></array></dict>
          <key>booly</key><dict><key>array</key><array><false/><true/><true/></array></dict>
          <key>byteChunky</key><dict><key>array</key><array><data>bWFnaWM=</data><data>bWFnaWMy</data><data>bWFnaWM=</data></array></dict>
        </dict>
        """

    @Test("It passes swift-configuration's own test of providers")
    func compatible() async throws {
        let files = try Files(Self.compatible)
        try await ProviderCompatTest(provider: FlagsConfigProvider(values: files.values)).runTest()
    }

    @Test("It passes that also where the values are defaults of the manifest")
    func compatibleDefaults() async throws {
        let types = [
            "string": "string", "int": "integer", "double": "double", "bool": "bool", "bytes": "data", "array": "array",
        ]
        let expression = /<key>(\w+)<\/key>(<(string|integer|real|data|array)>.*<\/\3>|<(?:true|false)\/>)/
        var flags: [String] = []
        var isOther = false
        for line in Self.compatible.split(separator: "\n") {
            if line.contains("<key>other</key>") { isOther = true }
            let inner = line.firstMatch(of: /<key>(\w+)<\/key><dict>(.*)<\/dict>/)
            guard let match = (inner?.2 ?? line).firstMatch(of: expression) else { continue }
            let path = (isOther ? ["other"] : []) + (inner.map { [String($0.1)] } ?? []) + [String(match.1)]
            let type = try #require(types[String(match.1)])
            flags.append(Files.flag(path.joined(separator: "/"), type, "<key>default</key>\(match.2)"))
        }
        #expect(flags.count == 20)
        let files = try Files("", flags: flags)
        let provider = try FlagsConfigProvider(values: files.values, manifest: files.manifest)
        try await ProviderCompatTest(provider: provider).runTest()
    }

    @Test("A value wins over the manifest's default, and a default over none")
    func defaults() throws {
        let files = try Files(
            "<key>retries</key><integer>5</integer>",
            flags: [
                Files.flag("retries", "integer", "<key>default</key><integer>3</integer>"),
                Files.flag("limit", "integer", "<key>default</key><integer>10</integer>"),
                Files.flag("none", "integer"),
            ])
        let config = ConfigReader(provider: try FlagsConfigProvider(values: files.values, manifest: files.manifest))
        #expect(config.int(forKey: "retries") == 5)
        #expect(config.int(forKey: "limit") == 10)
        #expect(config.int(forKey: "none") == nil)
        #expect(config.double(forKey: "limit") == 10)
    }

    @Test("Of several files the first that holds a value wins, and the default comes after all of them")
    func order() throws {
        let definitions = ["a", "b", "c"].map { Files.flag($0, "integer", "<key>default</key><integer>0</integer>") }
        let first = try Files("<key>a</key><integer>1</integer>", flags: definitions)
        let second = try Files("<key>a</key><integer>2</integer><key>b</key><integer>2</integer>")
        for manifest in [first.manifest, nil] {
            let config = ConfigReader(
                provider: try FlagsConfigProvider(values: first.values, others: [second.values], manifest: manifest))
            #expect(config.int(forKey: "a") == 1 && config.int(forKey: "b") == 2)
            #expect(config.int(forKey: "c") == (manifest == nil ? nil : 0))
        }
    }

    @Test(
        "A file that never could be read is asked only for what no file before it holds, and leaves the default, with the reason"
    )
    func brokenFile() throws {
        let flags = ["a", "b"].map { Files.flag($0, "integer", "<key>default</key><integer>0</integer>") }
        let first = try Files("<key>a</key><integer>1</integer>", flags: flags)
        let second = try Files("<key>a</key>")
        for manifest in [first.manifest, nil] {
            let provider = try FlagsConfigProvider(values: first.values, others: [second.values], manifest: manifest)
            let config = ConfigReader(provider: provider)
            #expect(config.int(forKey: "a", default: 7) == 1)
            #expect(provider.problem(forKey: AbsoluteConfigKey(["a"])) == nil)
            let key = AbsoluteConfigKey(["b"])
            #expect(provider.problem(forKey: key)?.contains(second.values.lastPathComponent) == true)
            if manifest == nil {
                #expect(throws: (any Error).self) { try provider.value(forKey: key, type: .int) }
            } else {
                #expect(config.int(forKey: "b", default: 7) == 0)
            }
        }
    }

    @Test(
        "A file that breaks or goes later leaves its last good values, and says so; an entry that was removed has its default",
        .timeLimit(.minutes(5)), arguments: Breakage.allCases)
    func breaksLater(_ breakage: Breakage) async throws {
        let flags = [Files.flag("on", "bool", "<key>default</key><false/>"), Files.flag("fee", "integer")]
        let files = try Files("<key>on</key><true/><key>fee</key><integer>3</integer>", flags: flags)
        let provider = try FlagsConfigProvider(values: files.values, manifest: files.manifest)
        let config = ConfigReader(provider: provider)
        let key = AbsoluteConfigKey(["on"])
        #expect(config.bool(forKey: "on", default: false) && provider.problem(forKey: key) == nil)
        try await provider.watchSnapshot { snapshots in
            for await _ in snapshots {
                if provider.problem(forKey: key) != nil { break }
                try breakage.happens(to: files)
            }
        }
        #expect(config.bool(forKey: "on", default: false))
        #expect(config.int(forKey: "fee") == 3)
        try await provider.watchSnapshot { snapshots in
            for await _ in snapshots {
                if provider.problem(forKey: key) == nil { break }
                try files.write("<key>fee</key><integer>4</integer>")
            }
        }
        #expect(!config.bool(forKey: "on", default: true))
    }

    /// What goes wrong with a values file.
    enum Breakage: CaseIterable {
        case unreadable, missing, mistyped

        fileprivate func happens(to files: Files) throws {
            switch self {
            case .unreadable: try Data("<plist><dict>".utf8).write(to: files.values, options: .atomic)
            case .missing:
                if FileManager.default.fileExists(atPath: files.values.path) {
                    try FileManager.default.removeItem(at: files.values)
                }
            case .mistyped: try files.write("<key>on</key><string>perhaps</string><key>fee</key><integer>3</integer>")
            }
        }
    }

    @Test("What breaks a type or a constraint is an error that names the flag, and no value")
    func constraints() throws {
        let files = try Files(
            "<key>retries</key><integer>50</integer><key>on</key><string>perhaps</string>",
            flags: [
                Files.flag("retries", "integer", "<key>maximum</key><integer>9</integer>"), Files.flag("on", "bool"),
            ])
        let provider = try FlagsConfigProvider(values: files.values, manifest: files.manifest)
        let config = ConfigReader(provider: provider)
        for (key, type) in [("retries", ConfigType.int), ("on", .bool)] {
            #expect(throws: (any Error).self) { try provider.value(forKey: AbsoluteConfigKey([key]), type: type) }
            do {
                _ = try provider.value(forKey: AbsoluteConfigKey([key]), type: type)
            } catch {
                #expect("\(error)".hasPrefix("\(key): "))
            }
        }
        #expect(config.int(forKey: "retries", default: 3) == 3)
    }

    @Test("A value of another type than is asked for is an error")
    func types() throws {
        let files = try Files("<key>on</key><true/><key>a</key><array><integer>1</integer><string>x</string></array>")
        let provider = try FlagsConfigProvider(values: files.values)
        for (key, type) in [("on", ConfigType.string), ("on", .int), ("a", .intArray), ("a", .bytes)] {
            #expect(throws: (any Error).self, "\(key) \(type)") {
                try provider.value(forKey: AbsoluteConfigKey([key]), type: type)
            }
        }
        #expect(ConfigReader(provider: provider).string(forKey: "a") == "[1,\"x\"]")
    }

    @Test("Dates, URLs and choices are text")
    func texts() throws {
        let files = try Files(
            "<key>at</key><date>2026-11-01T10:00:00Z</date><key>shop</key><string>https://example.com/</string>",
            flags: [Files.flag("at", "date"), Files.flag("shop", "url")])
        let config = ConfigReader(provider: try FlagsConfigProvider(values: files.values, manifest: files.manifest))
        #expect(config.string(forKey: "at") == "2026-11-01T10:00:00Z")
        #expect(config.string(forKey: "shop") == "https://example.com/")
    }

    @Test("Keys may be spelt as Swift's are")
    func keys() throws {
        let files = try Files("<key>checkout</key><dict><key>new_flow</key><true/></dict>")
        let config = ConfigReader(provider: try FlagsConfigProvider(values: files.values, keyTransform: .snakeCase))
        #expect(config.bool(forKey: "checkout.newFlow") == true)
    }

    @Test("An internal flag is a secret, which no log shows")
    func secrets() throws {
        let files = try Files(
            "<key>key</key><string>x</string>", flags: [Files.flag("key", "string", "<key>isInternal</key><true/>")])
        let provider = try FlagsConfigProvider(values: files.values, manifest: files.manifest)
        let value = try #require(try provider.value(forKey: AbsoluteConfigKey(["key"]), type: .string).value)
        #expect(value.isSecret && !"\(value)".contains("x]"))
    }

    @Test("A snapshot stays as it is")
    func snapshot() throws {
        let files = try Files("<key>on</key><true/>")
        let provider = try FlagsConfigProvider(values: files.values)
        let key = AbsoluteConfigKey(["on"])
        let snapshot = provider.snapshot()
        try files.write("<key>on</key><false/>")
        #expect(try snapshot.value(forKey: key, type: .bool).value?.content == .bool(true))
    }

    @Test(
        "Who watches a value is told of each change of it, of no other, and of a new default", .timeLimit(.minutes(5)))
    func watchValue() async throws {
        let flags = { (number: Int) in [Files.flag("a", "integer", "<key>default</key><integer>\(number)</integer>")] }
        let files = try Files("<key>a</key><integer>1</integer>", flags: flags(7))
        let provider = try FlagsConfigProvider(values: files.values, manifest: files.manifest)
        try await provider.watchValue(forKey: AbsoluteConfigKey(["a"]), type: .int) { updates in
            var seen: [ConfigContent?] = []
            for await update in updates {
                seen.append(try update.get().value?.content)
                switch seen.count {
                case 1:
                    try files.write("<key>a</key><integer>1</integer><key>b</key><true/>")
                    try files.write("<key>a</key><integer>2</integer>")
                case 2: try files.write("")
                case 3: try files.define(flags(8))
                default: break
                }
                if seen.count == 4 { break }
            }
            #expect(seen == [.int(1), .int(2), .int(7), .int(8)])
        }
    }

    @Test("Who watches snapshots is told when a file says something else", .timeLimit(.minutes(5)))
    func watchSnapshot() async throws {
        let files = try Files("<key>a</key><integer>1</integer>")
        let config = ConfigReader(provider: try FlagsConfigProvider(values: files.values))
        try await config.watchSnapshot { snapshots in
            var seen: [Int?] = []
            for await snapshot in snapshots {
                seen.append(snapshot.int(forKey: "a"))
                if seen.count == 2 { break }
                try files.write("<key>a</key><integer>2</integer>")
            }
            #expect(seen == [1, 2])
        }
    }

    @Test("The watching ends with its task", .timeLimit(.minutes(5)))
    func cancellation() async throws {
        let files = try Files("<key>a</key><integer>1</integer>")
        let provider = try FlagsConfigProvider(values: files.values)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await provider.watchSnapshot { snapshots in
                for await _ in snapshots { begin.yield() }
                return true
            }
        }
        for await _ in begun { break }
        task.cancel()
        #expect(try await task.value)
    }

    @Test(
        "A manifest that breaks later leaves the last sound one in force; one that is broken or missing at first is refused"
    )
    func broken() throws {
        let files = try Files("", flags: [Files.flag("a", "integer", "<key>default</key><integer>1</integer>")])
        let config = ConfigReader(provider: try FlagsConfigProvider(values: files.values, manifest: files.manifest))
        try Data("<plist>".utf8).write(to: files.manifest, options: .atomic)
        #expect(config.int(forKey: "a") == 1)
        #expect(throws: (any Error).self) { try FlagsConfigProvider(values: files.values, manifest: files.manifest) }
        try FileManager.default.removeItem(at: files.manifest)
        #expect(config.int(forKey: "a") == 1)
        #expect(throws: (any Error).self) { try FlagsConfigProvider(values: files.values, manifest: files.manifest) }
    }
}
