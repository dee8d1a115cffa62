extension CollectionSnapshot {
    /// Stores the snapshot's values in a provider, which keeps its other values.
    ///
    /// A flag that has no value in the snapshot is left alone; an optional that is `nil` is removed.
    ///
    /// - Parameter provider: The provider, which need not be one of the loader's.
    /// - Throws: An error if the provider is read-only or a value can't be stored, before anything is stored; or the
    ///   provider's error, which leaves the values stored before it.
    public func save(to provider: any FlagsProvider) throws {
        try provider.checkWritable()
        let values = memberFlags.compactMap { flag in value(of: flag).map { (flag, $0) } }
        for (flag, value) in values { _ = try flag.checkedStoredForm(of: value) }
        for (flag, value) in values { try flag.store(any: value, in: provider) }
    }

    /// Stores the snapshot's values in one of the loader's providers, which keeps its other values.
    ///
    /// - Parameter provider: The provider's name.
    /// - Throws: An error if the provider is unknown or read-only or a value can't be stored, before anything is
    ///   stored; or the provider's error.
    public func save(to provider: String) throws { try save(to: declaration.provider(named: provider)) }

    /// Returns the snapshot's values as a provider, for a loader or a manager.
    ///
    /// ```swift
    /// try manager.insert(flags.snapshot(of: local).provider(named: "Try out"))
    /// ```
    ///
    /// - Parameter name: The provider's unique name.
    /// - Returns: A provider of the same values; later changes of either don't affect the other.
    /// - Throws: An error if a value can't be stored.
    public func provider(named name: String = "Snapshot") throws(FlagValueError) -> FlagSnapshot {
        var values: [(key: FlagKeyPath, value: FlagValue)] = []
        for flag in memberFlags {
            guard let value = value(of: flag), let stored = try flag.checkedStoredForm(of: value) else { continue }
            values.append((flag.keyPath, stored))
        }
        return FlagSnapshot(name: name, values: values)
    }
}

extension FlagSnapshot {
    convenience init(name: String, values: [(key: FlagKeyPath, value: FlagValue)]) {
        let tree = values.reduce(FlagValue.dictionary([:])) { $0.setting($1.value, at: $1.key.components[...]) }
        if case .dictionary(let entries) = tree {
            self.init(name: name, values: entries)
        } else {
            self.init(name: name)
        }
    }
}

extension FlagCollectionProtocol {
    /// A collection outside a loader has no providers.
    func provider(named name: String) throws(FlagError) -> any FlagsProvider {
        let providers = memberFlags.lazy.compactMap(\.placement).first?.source.providers ?? []
        return try providers.provider(named: name)
    }
}

extension [any FlagsProvider] {
    func provider(named name: String) throws(FlagError) -> any FlagsProvider {
        guard let provider = first(where: { $0.name == name }) else {
            throw FlagError(.unknownProvider(name, names: map(\.name)))
        }
        return provider
    }
}

extension AnyFlag {
    fileprivate func store(any value: any FlagProtocol, in provider: any FlagsProvider) throws {
        var storing = Storing(value: value, provider: provider)
        accept(&storing)
        try storing.result.get()
    }
}

private struct Storing: FlagVisitor {
    let value: any FlagProtocol
    let provider: any FlagsProvider
    private(set) var result: Result<Void, any Error> = .success(())

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
        result = Result { try flag.store(value as? Value, in: provider) }
    }
}
