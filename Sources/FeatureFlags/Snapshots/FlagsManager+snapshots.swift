extension FlagsManager {
    /// The effective values of all flags, defaults and computed values included.
    ///
    /// - Parameter name: The name of the snapshot.
    /// - Returns: A snapshot that no later change touches.
    public func snapshot(name: String = "Snapshot") -> FlagSnapshot {
        snapshot(name) { $0.explain().resolution.effectiveValue }
    }

    /// The values that one provider holds of the flags.
    ///
    /// - Parameters:
    ///   - provider: The provider's name.
    ///   - name: The name of the snapshot.
    /// - Returns: A snapshot that no later change touches; broken values are left out and reported.
    /// - Throws: Where there is no provider of the name.
    public func snapshot(of provider: String, name: String = "Snapshot") throws -> FlagSnapshot {
        let provider = try self.provider(named: provider)
        return try snapshot(name) { try self.held($0, in: provider) }
    }

    /// Stores every value of a snapshot in a provider; what the provider holds beside them stays.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - provider: The provider's name.
    /// - Throws: Where there is no provider of the name, it is not writable, or a value could not be stored: those before
    ///   it are.
    public func save(_ snapshot: FlagSnapshot, to provider: String) throws {
        let provider = try self.provider(named: provider)
        for flag in featureFlags {
            if let value = try snapshot.storedValue(at: flag.keyPath) {
                try provider.setStoredValue(value, at: flag.keyPath)
            }
        }
    }

    /// Copies the flags' values from one provider to another, whose values of other flags stay.
    ///
    /// - Parameters:
    ///   - source: The name of the provider to copy from; `nil` copies the effective values.
    ///   - target: The name of the provider to copy to.
    /// - Throws: Where there is no provider of a name, the target is not writable, or a value could not be stored.
    public func copyFlagValues(from source: String?, to target: String) throws {
        try save(try source.map { try snapshot(of: $0) } ?? snapshot(), to: target)
    }

    /// Removes the values of all flags from one provider; what it holds of no flag stays.
    ///
    /// - Parameter provider: The provider's name.
    /// - Throws: Where there is no provider of the name, it is not writable, or a value could not be removed.
    public func removeFlagValues(in provider: String) throws {
        let provider = try self.provider(named: provider)
        for flag in featureFlags { try provider.setStoredValue(nil, at: flag.keyPath) }
    }

    /// Removes the values of all flags from every writable provider that each does not exclude.
    ///
    /// - Throws: The first problem, after the other flags have been reset.
    public func resetAll() throws {
        var problems: [any Error] = []
        for flag in featureFlags {
            do { try flag.resetValue() } catch { problems.append(error) }
        }
        if let first = problems.first { throw first }
    }

    private func provider(named name: String) throws(FlagValueProblem) -> any FlagsProvider {
        guard let provider = providers.first(where: { $0.name == name }) else {
            throw FlagValueProblem("no provider is named \(name)")
        }
        return provider
    }

    private func held(_ flag: any AnyFlag, in provider: any FlagsProvider) throws -> FlagValue? {
        guard case .value(_, let stored) = flag.explain().resolution[provider.name] else { return nil }
        return stored
    }

    private func snapshot(_ name: String, _ value: (any AnyFlag) throws -> FlagValue?) rethrows -> FlagSnapshot {
        let tree = try featureFlags.reduce(FlagValue.dictionary([:])) { tree, flag in
            guard let value = try value(flag) else { return tree }
            return tree.setting(value, at: flag.keyPath.components[...])
        }
        guard case .dictionary(let values) = tree else { return FlagSnapshot(name: name) }
        return FlagSnapshot(name: name, values: values)
    }
}
