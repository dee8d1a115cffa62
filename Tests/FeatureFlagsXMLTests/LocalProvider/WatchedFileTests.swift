#if os(Linux)
    import DurableFiles
    import FeatureFlags
    import FeatureFlagsXML
    import Foundation
    import Synchronization
    import Testing

    @Suite("A values file that others write", .timeLimit(.minutes(10)))
    struct WatchedFileTests {
        private let folder: TemporaryFolder
        private let file: URL

        init() throws {
            folder = try TemporaryFolder()
            file = folder.file("flags.xml")
        }

        private func provider(patience: Duration = .zero) -> LocalProvider {
            LocalProvider(localURL: file, isWatched: true, patience: patience)
        }

        /// Writes a file of numbers, in place or by renaming another to it.
        private func write(
            _ numbers: KeyValuePairs<String, Int>, _ options: Data.WritingOptions = [], to url: URL? = nil
        )
            throws
        {
            try content(numbers).write(to: url ?? file, options: options)
        }

        private func content(_ numbers: KeyValuePairs<String, Int>) -> Data {
            let entries = numbers.map { "<key>\($0)</key><integer>\($1)</integer>" }.joined()
            return Data("<plist><dict>\(entries)</dict></plist>".utf8)
        }

        @Test(
            "An edit by rename or in place is told once, with the keys that changed",
            arguments: [Data.WritingOptions.atomic, []])
        func outsideEdits(options: Data.WritingOptions) async throws {
            try write(["a": 1, "b": 1])
            let provider = provider(patience: .seconds(3600))
            var updates = try #require(provider.updates).makeAsyncIterator()
            #expect(try provider.storedValue(at: key("a")) == .integer(1))
            for number in 2...20 {
                try write(["a": 1, "b": number], options)
                let update = try #require(await updates.next())
                #expect(update.keys == [try key("b")])
                #expect(try update.value(at: key("b")) == .integer(Int128(number)))
                #expect(try provider.storedValue(at: key("b")) == .integer(Int128(number)))
            }
        }

        @Test("A refresh has what was just written, and says what can't be read")
        func refreshes() async throws {
            try write(["a": 0])
            let provider = provider(patience: .seconds(3600))
            for number in 1...50 {
                try write(["a": number])
                try await (provider as any FlagsProvider).refresh()
                #expect(try provider.storedValue(at: key("a")) == .integer(Int128(number)))
            }
            try Data("<plist>".utf8).write(to: file)
            #expect(throws: FlagValueError.self) { try provider.refresh() }
            #expect(try provider.storedValue(at: key("a")) == .integer(50))
        }

        @Test("Our own writes are told once, and can be read at once")
        func ownWrites() async throws {
            let provider = provider()
            var updates = try #require(provider.updates).makeAsyncIterator()
            for number in 1...20 {
                try provider.setStoredValue(.integer(Int128(number)), at: key("n"))
                #expect(try provider.storedValue(at: key("n")) == .integer(Int128(number)))
            }
            try provider.resetValue(at: key("n"))
            try write(["last": 1])
            var told: [FlagValue?] = []
            while let update = await updates.next(), update.keys == [try key("n")] {
                told.append(try update.value(at: key("n")))
            }
            #expect(told == (1...20).map { .integer($0) } + [nil])
        }

        @Test("A file that is deleted is broken, and read again once it is there")
        func deleted() async throws {
            try write(["a": 1])
            let provider = provider()
            var updates = try #require(provider.updates).makeAsyncIterator()
            for number in 2...4 {
                try FileManager.default.removeItem(at: file)
                let gone = try #require(await updates.next())
                #expect(throws: FlagValueError.self) { try gone.value(at: key("a")) }
                #expect(throws: FlagValueError.self) { try provider.storedValue(at: key("a")) }
                #expect(provider.lastValues(at: try key("a")).first == .integer(Int128(number - 1)))
                try write(["a": number], .atomic)
                #expect(try await updates.next()?.value(at: key("a")) == .integer(Int128(number)))
            }
        }

        @Test("A corrupt file is broken, never overwritten, and read again once it is mended")
        func corrupt() async throws {
            try write(["a": 1])
            let provider = provider()
            var updates = try #require(provider.updates).makeAsyncIterator()
            let corrupt = Data("<plist><dict><key>a</key></dict></plist>".utf8)
            try corrupt.write(to: file, options: .atomic)
            let broken = try #require(await updates.next())
            #expect(broken.keys == [try key("a")])
            let problem = try #require(throws: FlagValueError.self) { try provider.storedValue(at: key("a")) }
            #expect(problem.description.contains("can't read \(file.path): line 1"))
            #expect(throws: problem) { try broken.value(at: key("a")) }
            #expect(throws: FlagValueError.self) { try provider.setStoredValue(.bool(true), at: key("a")) }
            #expect(try Data(contentsOf: file) == corrupt)
            try write(["a": 2], .atomic)
            #expect(try await updates.next()?.value(at: key("a")) == .integer(2))
            #expect(try provider.storedValue(at: key("a")) == .integer(2))
        }

        @Test("A file that is half written keeps its last values")
        func halfWritten() async throws {
            try write(["a": 1])
            let (patient, impatient) = (provider(patience: .seconds(3600)), provider())
            var updates = try #require(patient.updates).makeAsyncIterator()
            var breaks = try #require(impatient.updates).makeAsyncIterator()
            let whole = content(["a": 2])
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: whole.prefix(20))
            let broken = try #require(await breaks.next())
            #expect(throws: FlagValueError.self) { try broken.value(at: key("a")) }
            #expect(try patient.storedValue(at: key("a")) == .integer(1))
            try handle.write(contentsOf: whole.dropFirst(20))
            try handle.close()
            #expect(try await updates.next()?.value(at: key("a")) == .integer(2))
        }

        @Test("A file that keeps being written badly is told to be broken all the same")
        func keepsBeingBroken() async throws {
            try write(["a": 1])
            let provider = provider(patience: .seconds(1))
            var updates = try #require(provider.updates).makeAsyncIterator()
            let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
            let told = Atomic(false)
            defer { told.store(true, ordering: .releasing) }
            // No other test holds up a thread of its own for as long as the provider waits.
            Thread.detachNewThread { [file] in
                var written = Result<Void, any Error>.success(())
                while !told.load(ordering: .acquiring), case .success = written {
                    written = Result { try Data("<plist><dict>".utf8).write(to: file) }
                }
                end.yield(written)
            }
            let broken = try #require(await updates.next())
            told.store(true, ordering: .releasing)
            for await written in ends.prefix(1) { try written.get() }
            #expect(throws: FlagValueError.self) { try broken.value(at: key("a")) }
        }

        @Test("Two providers of one file see each other's changes and lose none, written at once")
        func twoProviders() async throws {
            let providers = [provider(), provider()]
            let updates = try providers.map { try #require($0.updates) }
            try await withThrowingTaskGroup { group in
                for task in 0..<4 {
                    group.addTask {
                        for number in 1...25 {
                            try providers[task % 2].setStoredValue(
                                .integer(Int128(number)), at: key("t\(task)/n\(number)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
            for updates in updates {
                var told: [FlagKeyPath] = []
                for await update in updates {
                    told += update.keys
                    if told.count == 100 { break }
                }
                #expect(Set(told).count == 100)
            }
            let values = try providers.map { try $0.store?.values }
            #expect(values[0] == values[1])
            #expect(try provider().store?.values == values[0])
        }

        @Test("Under 8 tasks that write, each change is told once, and the last update is the final state")
        func losesNothing() async throws {
            let provider = provider(patience: .seconds(3600))
            let updates = try #require(provider.updates)
            try await withThrowingTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in 1...25 {
                            try provider.setStoredValue(.integer(Int128(number)), at: key("tasks/\(task)"))
                        }
                    }
                }
                try await group.waitForAll()
            }
            var last: [FlagKeyPath: Int128] = [:]
            var count = 0
            for await update in updates {
                let changed = try #require(update.keys.first)
                #expect(update.keys.count == 1)
                #expect(try update.value(at: changed) == .integer(last[changed, default: 0] + 1))
                last[changed, default: 0] += 1
                count += 1
                if count == 200 {
                    #expect(try update.value(at: key("tasks")) == provider.storedValue(at: key("tasks")))
                    break
                }
            }
            #expect(last.count == 8 && Set(last.values) == [25])
        }

        @Test("A declared flag's values follow the file")
        func declaredFlag() async throws {
            try write(["number": 1])
            let provider = provider(patience: .seconds(3600))
            let flag = Flag(key: "number", default: 0, description: "A number")
            let manager = FlagsManager(providers: [provider])
            try manager.register(flag)
            var values = flag.values.makeAsyncIterator()
            var changes = manager.changes.makeAsyncIterator()
            #expect(await values.next() == 1)
            #expect(flag.wrappedValue == 1)
            try write(["number": 2])
            #expect(await values.next() == 2)
            #expect(flag.wrappedValue == 2)
            try flag.resetValue()
            #expect(flag.wrappedValue == 0)
            #expect(await values.next() == 0)
            for value in [FlagValue.integer(2), nil] {
                let change = try #require(await changes.next())
                #expect(change.keyPath == flag.keyPath && change.provider == "Local" && change.value == value)
            }
        }

        @Test("A provider that is gone is watched no more")
        func unregisters() throws {
            try write(["a": 1])
            let inode = try #require(try AtomicFile.signature(of: file)).identity.inode
            do {
                let provider = provider()
                #expect(try provider.storedValue(at: key("a")) == .integer(1))
                #expect(try isWatched(inode))
            }
            // Somebody who looks at what is watched just then holds it for a moment.
            for _ in 0..<1000 where try isWatched(inode) {
                #expect(LocalProvider(localURL: folder.file("other.xml")).store != nil)
            }
            #expect(try !isWatched(inode))
        }

        /// Whether the system says that the process watches a file.
        private func isWatched(_ inode: UInt64) throws -> Bool {
            let descriptors = "/proc/self/fdinfo"
            return try FileManager.default.contentsOfDirectory(atPath: descriptors).contains { name in
                // The descriptor that the folder is read by is gone by now, and others come and go.
                guard let info = FileManager.default.contents(atPath: "\(descriptors)/\(name)") else { return false }
                return String(decoding: info, as: UTF8.self).contains(" ino:\(String(inode, radix: 16)) ")
            }
        }
    }
#endif
