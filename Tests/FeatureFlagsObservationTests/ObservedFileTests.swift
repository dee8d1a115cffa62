import FeatureFlags
import FeatureFlagsObservation
import FeatureFlagsXML
import Foundation
import Testing

@Suite("A view of flags in a file", .timeLimit(.minutes(10)))
struct ObservedFileTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func write(retries: Int) throws {
        try Data("<plist><dict><key>retries</key><integer>\(retries)</integer></dict></plist>".utf8)
            .write(to: folder.file, options: .atomic)
    }

    #if os(Linux)
        @Test("Edits by other programs are told of, as are a file that is missing and one that comes back")
        func watched() async throws {
            try write(retries: 1)
            let local = LocalProvider(localURL: folder.file, patience: .zero)
            let observed = ObservedFlags(FlagsLoader(ShopFlags.self, providers: [local]))
            for number in 2...5 {
                let reading = Reading { #expect(observed.retries == number - 1) }
                try write(retries: number)
                await reading.notice()
                #expect(observed.retries == number)
            }
            let reading = Reading { #expect(observed.retries == 5) }
            try FileManager.default.removeItem(at: folder.file)
            try write(retries: 6)
            await reading.notice()
            #expect(observed.retries == 6)
        }
    #endif

    @Test("Of a file that is not watched, changes through the view are told of, and others once the loader is told")
    func unwatched() async throws {
        try write(retries: 1)
        let local = LocalProvider(localURL: folder.file, isWatched: false)
        let flags = FlagsLoader(ShopFlags.self, providers: [local])
        let observed = ObservedFlags(flags)
        let own = Reading { #expect(observed.retries == 1) }
        observed.$retries.value = 2
        #expect(own.isNotified)
        #expect(try String(contentsOf: folder.file, encoding: .utf8).contains("<integer>2</integer>"))
        let other = Reading { #expect(observed.retries == 2) }
        try write(retries: 3)
        #expect(observed.retries == 3, "a read asks the file")
        flags.providersDidChange()
        await other.notice()
    }

    @Test(
        "ToggleUI: a view follows what others set in UserDefaults through the same provider, and what a refresh finds")
    func userDefaults() async throws {
        let suite = "flagboard-test-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let provider = UserDefaultsProvider(defaults)
        let flags = FlagsLoader(ShopFlags.self, providers: [provider])
        let observed = ObservedFlags(flags)
        let first = Reading { #expect(observed.retries == 3) }
        try provider.setStoredValue(5, at: path("retries"))
        await first.notice()
        let second = Reading { #expect(observed.retries == 5) }
        defaults.set(6, forKey: "retries")
        try await provider.refresh()
        await second.notice()
        #expect(observed.retries == 6)
    }

    @Test("A file that can't be written refuses the change, with the reason")
    func refused() throws {
        try Data("<plist><dict>".utf8).write(to: folder.file)
        let observed = ObservedFlags(
            FlagsLoader(ShopFlags.self, providers: [LocalProvider(localURL: folder.file, patience: .zero)]))
        observed.$retries.value = 2
        #expect(observed.retries == 3)
        #expect(observed.lastError.map { "\($0)" }?.contains(folder.file.path) == true)
        #expect(try Data(contentsOf: folder.file) == Data("<plist><dict>".utf8))
    }
}
