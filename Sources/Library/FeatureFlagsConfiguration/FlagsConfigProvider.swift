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
    /// It adds the manifest's defaults to the file's values, and enforces the manifest's types and constraints.
    /// Watchers of a key or a snapshot are notified as soon as the dashboard, a command or an editor changes a file.
    public final class FlagsConfigProvider: ConfigProvider {
        /// The provider's name in log lines and reports.
        public let providerName: String
        private let values: [LocalProvider]
        private let manifest: ManifestFile?
        private let keyTransform: KeyConfiguration.Transform

        /// Reads the files.
        ///
        /// - Parameters:
        ///   - values: The values file; a missing one is empty.
        ///   - others: Further values files, in order of precedence after it.
        ///   - manifest: The definitions; `nil` to read values as they are in the file.
        ///   - keyTransform: The transformation of a configuration key's components to a flag's key path: with
        ///     `.snakeCase`, `checkout.newFlow` is the flag `checkout/new_flow`.
        ///   - name: The provider's name in log lines and reports.
        /// - Throws: `FlagManifestError`, or an error if the manifest can't be read.
        public init(
            values: URL, others: [URL] = [], manifest: URL? = nil,
            keyTransform: KeyConfiguration.Transform = .none, name: String = "Flags"
        ) throws {
            self.values = ([values] + others).map { LocalProvider(localURL: $0, isWritable: false) }
            self.manifest = try manifest.map { try ManifestFile($0) }
            self.keyTransform = keyTransform
            providerName = name
        }

        /// Returns the current value of a flag, or its default; no value if it has neither.
        ///
        /// If the file is missing or unreadable, or its value is of another type or violates a constraint, the last
        /// good value is used, else the manifest's default.
        ///
        /// - Throws: An error if there is no good value, or the requested type is not the flag's.
        public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            try current().value(forKey: key, type: type)
        }

        /// Returns ``value(forKey:type:)``, which checks the files at each call.
        public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
            try value(forKey: key, type: type)
        }

        /// Returns all current flags.
        ///
        /// - Returns: An independent snapshot.
        public func snapshot() -> any ConfigSnapshot { current() }

        /// Returns the reason why a flag has its last good value or its default: a broken file.
        ///
        /// ```swift
        /// let provider = try FlagsConfigProvider(values: file, manifest: URL(filePath: "flags.manifest.xml"))
        /// if let problem = provider.problem(forKey: AbsoluteConfigKey(["checkout", "newFlow"])) { print(problem) }
        /// ```
        ///
        /// - Parameter key: The flag's key path.
        /// - Returns: A clause that names the file; `nil` if there is no problem.
        public func problem(forKey key: AbsoluteConfigKey) -> String? {
            current().reading(of: key).problem?.description
        }

        /// Passes the value of a flag to a handler, and then each different one.
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

        /// Passes all flags to a handler, now and after each change of a file.
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

        /// The interval of checks if a file can't be watched.
        private static let pause = Duration.seconds(1)

        /// Notifies whenever a file may have changed.
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
