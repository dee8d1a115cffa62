extension FlagsManager {
    /// Returns the effective values of all flags, including defaults and computed values.
    ///
    /// - Parameter name: The name of the snapshot.
    /// - Returns: An independent snapshot.
    public func snapshot(name: String = "Snapshot") -> FlagSnapshot {
        snapshot(name) { $0.explain().resolution.effectiveValue }
    }

    /// Returns one provider's values of the flags.
    ///
    /// - Parameters:
    ///   - provider: The provider's name.
    ///   - name: The name of the snapshot.
    /// - Returns: An independent snapshot without broken values, which are reported in ``diagnostics``.
    /// - Throws: An error if no provider has the name.
    public func snapshot(of provider: String, name: String = "Snapshot") throws -> FlagSnapshot {
        snapshot(of: try self.provider(named: provider), name: name)
    }

    /// Returns one provider's values of the flags.
    ///
    /// - Parameters:
    ///   - provider: The provider, which need not be one of the manager's.
    ///   - name: The name of the snapshot.
    /// - Returns: An independent snapshot without broken values, which are reported in ``diagnostics``.
    public func snapshot(of provider: any FlagsProvider, name: String = "Snapshot") -> FlagSnapshot {
        snapshot(name) { $0.held(in: provider) }
    }

    /// Stores a snapshot's values of the manager's flags in a provider, which keeps its other values.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - provider: The provider's name.
    /// - Throws: An error if the provider is unknown or read-only, or can't store a value. Values stored before it
    ///   stay.
    public func save(_ snapshot: FlagSnapshot, to provider: String) throws {
        try save(snapshot, to: try self.provider(named: provider))
    }

    /// Stores a snapshot's values of the manager's flags in a provider, which keeps its other values.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - provider: The provider, which need not be one of the manager's.
    /// - Throws: An error if the provider is read-only or can't store a value. Values stored before it stay.
    public func save(_ snapshot: FlagSnapshot, to provider: any FlagsProvider) throws {
        for flag in featureFlags {
            if let value = try snapshot.storedValue(at: flag.keyPath) {
                try provider.setStoredValue(value, at: flag.keyPath)
            }
        }
    }

    /// Copies the flags' values from one provider to another, which keeps its other values.
    ///
    /// - Parameters:
    ///   - source: The name of the provider to copy from; `nil` copies the effective values.
    ///   - target: The name of the provider to copy to.
    /// - Throws: An error if a name is unknown, or the target is read-only or can't store a value.
    public func copyFlagValues(from source: String?, to target: String) throws {
        try save(try source.map { try snapshot(of: $0) } ?? snapshot(), to: target)
    }

    /// Copies the flags' values from one provider to another, which keeps its other values.
    ///
    /// - Parameters:
    ///   - source: The provider to copy from.
    ///   - target: The provider to copy to; neither need be one of the manager's.
    /// - Throws: An error if the target is read-only or can't store a value.
    public func copyFlagValues(from source: any FlagsProvider, to target: any FlagsProvider) throws {
        try save(snapshot(of: source), to: target)
    }

    /// Removes the values of all flags from one provider, which keeps its other values.
    ///
    /// - Parameter provider: The provider's name.
    /// - Throws: An error if the provider is unknown or read-only, or can't remove a value.
    public func removeFlagValues(in provider: String) throws {
        let provider = try self.provider(named: provider)
        for flag in featureFlags { try provider.setStoredValue(nil, at: flag.keyPath) }
    }

    /// Removes the values of all flags from every writable provider that each does not exclude.
    ///
    /// - Throws: The first error, after all flags have been tried.
    public func resetAll() throws {
        var problems: [any Error] = []
        for flag in featureFlags {
            do { try flag.resetValue() } catch { problems.append(error) }
        }
        if let first = problems.first { throw first }
    }

    private func provider(named name: String) throws(FlagError) -> any FlagsProvider {
        try providers.provider(named: name)
    }

    private func snapshot(_ name: String, _ value: (any AnyFlag) -> FlagValue?) -> FlagSnapshot {
        FlagSnapshot(name: name, values: featureFlags.compactMap { flag in value(flag).map { (flag.keyPath, $0) } })
    }
}

extension AnyFlag {
    /// Returns a provider's valid value in its stored form; reports a broken one.
    fileprivate func held(in provider: any FlagsProvider) -> FlagValue? {
        var reader = HeldValueReader(provider: provider)
        accept(&reader)
        return reader.stored
    }
}
