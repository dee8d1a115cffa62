#if Configuration
    import Configuration
    import DurableFiles
    import FeatureFlags
    import FeatureFlagsXML
    import Foundation

    /// A values file and its manifest as a provider of swift-configuration.
    ///
    /// ```swift
    /// let flags = try FlagsConfigProvider(values: file, manifest: URL(filePath: "flags.manifest.xml"))
    /// let config = ConfigReader(providers: [EnvironmentVariablesProvider(), flags])
    /// let retries = config.int(forKey: "payment.retries", default: 3)
    /// ```
    ///
    /// Beyond the bare values of the file, it has the manifest's defaults, and refuses what the manifest's types and constraints do.
    /// Who watches a key or a snapshot is told as soon as a file is changed, by the dashboard, a command or an editor.
    public final class FlagsConfigProvider: ConfigProvider {
        /// What log lines and reports call the provider.
        public let providerName: String
        private let values: [LocalProvider]
        private let manifest: ManifestFile?
        private let keyTransform: KeyConfiguration.Transform

        /// Reads the files.
        ///
        /// - Parameters:
        ///   - values: The values file; where there is none yet, it holds nothing.
        ///   - others: More values files, asked after it in this order.
        ///   - manifest: The definitions; `nil` for none: each value is then what the file says.
        ///   - keyTransform: How a component of a configuration key becomes one of a flag's key path: with `.snakeCase`,
        ///     `checkout.newFlow` is the flag `checkout/new_flow`.
        ///   - name: What log lines and reports call the provider.
        /// - Throws: `FlagManifestError`, or why the manifest can't be read.
        public init(
            values: URL, others: [URL] = [], manifest: URL? = nil,
            keyTransform: KeyConfiguration.Transform = .none, name: String = "Flags"
        ) throws {
            self.values = ([values] + others).map { LocalProvider(localURL: $0, isWritable: false) }
            self.manifest = try manifest.map { try ManifestFile($0) }
            self.keyTransform = keyTransform
            providerName = name
        }

        /// The value of a flag, or its default, as it is now.
        ///
        /// - Parameters:
        ///   - key: The flag's key path.
        ///   - type: What is wanted.
        /// - Returns: No value where neither the file nor the manifest has one.
        ///   Where the value in the file is of another type or against a constraint, or the file can't be read or is gone, it is the
        ///   last good one, else the manifest's default.
        /// - Throws: What was found and what is wanted, where there is neither, or where another type is asked for than the flag's.
        public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            try current().value(forKey: key, type: type)
        }

        /// The same as ``value(forKey:type:)``: the files are looked at each time.
        ///
        /// - Parameters:
        ///   - key: The flag's key path.
        ///   - type: What is wanted.
        /// - Returns: No value where neither the file nor the manifest has one.
        /// - Throws: What was found and what is wanted.
        public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
            try value(forKey: key, type: type)
        }

        /// All flags as they are now.
        ///
        /// - Returns: A snapshot that stays as it is.
        public func snapshot() -> any ConfigSnapshot { current() }

        /// Why the value of a flag is the last good one of a file, or the default: the file is broken.
        ///
        /// ```swift
        /// let provider = try FlagsConfigProvider(values: file, manifest: URL(filePath: "flags.manifest.xml"))
        /// if let problem = provider.problem(forKey: AbsoluteConfigKey(["checkout", "newFlow"])) { print(problem) }
        /// ```
        ///
        /// - Parameter key: The flag's key path.
        /// - Returns: A clause that names the file; `nil` where all is well.
        public func problem(forKey key: AbsoluteConfigKey) -> String? {
            current().reading(of: key).problem?.description
        }

        /// Hands over the value of a flag, and again each time that it is another.
        ///
        /// - Parameters:
        ///   - key: The flag's key path.
        ///   - type: What is wanted.
        ///   - updatesHandler: Gets the values.
        /// - Returns: What the handler returns.
        /// - Throws: What the handler throws.
        public nonisolated(nonsending) func watchValue<Return: ~Copyable>(
            forKey key: AbsoluteConfigKey, type: ConfigType,
            updatesHandler:
                nonisolated(nonsending) (
                    ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
                ) async throws -> Return
        ) async throws -> Return {
            let changes = changes()
            let values = Renewals(wakes: changes.wakes) { [self] in
                Result { try value(forKey: key, type: type) }
            } isSame: { one, other in
                switch (one, other) {
                case (.success(let one), .success(let other)): one == other
                case (.failure(let one), .failure(let other)): "\(one)" == "\(other)"
                default: false
                }
            }
            defer { changes.end() }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(values))
        }

        /// Hands over all flags, and again each time that a file says something else.
        ///
        /// - Parameter updatesHandler: Gets the snapshots.
        /// - Returns: What the handler returns.
        /// - Throws: What the handler throws.
        public nonisolated(nonsending) func watchSnapshot<Return: ~Copyable>(
            updatesHandler:
                nonisolated(nonsending) (
                    ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
                ) async throws -> Return
        ) async throws -> Return {
            let changes = changes()
            let snapshots = Renewals(wakes: changes.wakes) { [self] () -> any ConfigSnapshot in
                current()
            } isSame: { one, other in
                (one as? FlagsConfigSnapshot) == (other as? FlagsConfigSnapshot)
            }
            defer { changes.end() }
            return try await updatesHandler(ConfigUpdatesAsyncSequence(snapshots))
        }

        private func current() -> FlagsConfigSnapshot {
            FlagsConfigSnapshot(
                providerName: providerName, manifest: manifest?.current(),
                files: values.map {
                    FileOfMoment(name: $0.localURL?.path(percentEncoded: false) ?? $0.name, $0.currentValues)
                },
                keyTransform: keyTransform)
        }

        /// How long a look at files that can't be watched takes effect after a change.
        private static let pause = Duration.seconds(1)

        /// Tells whenever a file may have changed.
        private func changes() -> FileChanges {
            var sources: [@Sendable (AsyncStream<Void>.Continuation) async -> Void] = []
            for store in values.compactMap(\.store) {
                let updates = store.updates
                sources.append { wake in for await _ in updates { wake.yield() } }
            }
            if let changes = manifest?.changes() {
                sources.append { wake in for await _ in changes { wake.yield() } }
            }
            if values.contains(where: { $0.store == nil }) || manifest?.isWatched == false {
                sources.append { wake in
                    while !Task.isCancelled {
                        wake.yield()
                        do { try await Task.sleep(for: Self.pause) } catch { return }
                    }
                }
            }
            return FileChanges(sources)
        }
    }
#endif
