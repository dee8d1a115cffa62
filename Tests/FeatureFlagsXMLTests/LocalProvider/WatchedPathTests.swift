#if os(Linux)
    import FeatureFlags
    import FeatureFlagsXML
    import Foundation
    import Testing

    @Suite("The way to a values file", .timeLimit(.minutes(10)))
    struct WatchedPathTests {
        private let folder: TemporaryFolder
        private let files = FileManager.default

        init() throws {
            folder = try TemporaryFolder()
        }

        private func make(_ name: String) throws -> URL {
            try files.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
            return folder.file(name)
        }

        private func write(_ number: Int, _ url: URL) throws {
            try Data("<plist><dict><key>n</key><integer>\(number)</integer></dict></plist>".utf8).write(to: url)
        }

        private func link(_ name: String, to target: String) throws {
            try files.createSymbolicLink(atPath: folder.file(name).path, withDestinationPath: target)
        }

        /// Waits for a number; updates before it tell of a file that is being written or not there.
        private func wait(for number: Int128, _ updates: inout AsyncStream<FlagUpdate>.Iterator) async throws {
            var told: FlagValue?
            while told != .integer(number) {
                let update = try #require(await updates.next())
                told =
                    if case .success(let value) = Result(catching: { try update.value(at: key("n")) }) { value } else {
                        nil
                    }
            }
        }

        @Test("A folder that appears later is watched then")
        func missingFolder() async throws {
            let provider = LocalProvider(localURL: folder.file("a/b/flags.xml"), patience: .zero)
            var updates = try #require(provider.updates).makeAsyncIterator()
            try write(1, try make("other/b").appendingPathComponent("flags.xml"))
            try files.moveItem(at: folder.file("other"), to: folder.file("a"))
            try await wait(for: 1, &updates)
            try write(2, folder.file("a/b/flags.xml"))
            try await wait(for: 2, &updates)
        }

        @Test("A folder that another takes the place of is noticed")
        func replacedFolder() async throws {
            try write(1, try make("a/b").appendingPathComponent("flags.xml"))
            try write(2, try make("other/b").appendingPathComponent("flags.xml"))
            let provider = LocalProvider(localURL: folder.file("a/b/flags.xml"), patience: .zero)
            var updates = try #require(provider.updates).makeAsyncIterator()
            try files.moveItem(at: folder.file("a"), to: folder.file("old"))
            try files.moveItem(at: folder.file("other"), to: folder.file("a"))
            try await wait(for: 2, &updates)
        }

        @Test("A link's target that is written in its own folder is noticed, and so is another target")
        func links() async throws {
            try write(1, try make("real").appendingPathComponent("values"))
            try write(3, try make("next").appendingPathComponent("values"))
            try link("data", to: "real")
            try link("flags.xml", to: "./data/../data/values")
            let provider = LocalProvider(localURL: folder.file("flags.xml"), patience: .zero)
            var updates = try #require(provider.updates).makeAsyncIterator()
            try write(2, folder.file("real/values"))
            try await wait(for: 2, &updates)
            try link("data.new", to: "next")
            #expect(rename(folder.file("data.new").path, folder.file("data").path) == 0)
            try await wait(for: 3, &updates)
            try write(4, folder.file("next/values"))
            try await wait(for: 4, &updates)
        }

        @Test("A file that is written by another name of its own is noticed")
        func hardLink() async throws {
            let other = try make("other").appendingPathComponent("values")
            try write(1, other)
            try files.linkItem(at: other, to: folder.file("flags.xml"))
            let provider = LocalProvider(localURL: folder.file("flags.xml"), patience: .zero)
            var updates = try #require(provider.updates).makeAsyncIterator()
            try write(2, other)
            try await wait(for: 2, &updates)
        }
    }
#endif
