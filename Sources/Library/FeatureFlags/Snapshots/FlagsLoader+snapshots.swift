extension FlagsLoader {
    /// Returns the effective values of all flags, including defaults and computed values.
    ///
    /// - Returns: An independent snapshot.
    public func snapshot() -> CollectionSnapshot<Collection> { .effective(loadedCollection) }

    /// Returns one provider's values of the flags.
    ///
    /// - Parameter provider: The provider, which need not be one of the loader's.
    /// - Returns: An independent snapshot without broken values, which are reported in ``diagnostics``.
    public func snapshot(of provider: any FlagsProvider) -> CollectionSnapshot<Collection> {
        .held(by: provider, loadedCollection)
    }

    /// Returns one provider's values of the flags.
    ///
    /// - Parameter provider: The provider's name.
    /// - Returns: An independent snapshot without broken values, which are reported in ``diagnostics``.
    /// - Throws: An error if no provider has the name.
    public func snapshot(of provider: String) throws -> CollectionSnapshot<Collection> {
        snapshot(of: try providers.provider(named: provider))
    }

    /// Returns a snapshot without values, in which every flag reads as its default.
    public func emptySnapshot() -> CollectionSnapshot<Collection> {
        CollectionSnapshot(loadedCollection) { _ in nil }
    }
}

extension FlagCollection {
    /// Returns the effective values of the group's flags, including defaults and computed values.
    ///
    /// - Returns: An independent snapshot.
    public func snapshot() -> CollectionSnapshot<Group> { .effective(wrappedValue) }

    /// Returns one provider's values of the group's flags.
    ///
    /// - Parameter provider: The provider, which need not be one of the loader's.
    /// - Returns: An independent snapshot; a broken value is left out and reported (``FlagsLoader/diagnostics``).
    public func snapshot(of provider: any FlagsProvider) -> CollectionSnapshot<Group> {
        .held(by: provider, wrappedValue)
    }
}

extension CollectionSnapshot {
    fileprivate static func effective(_ declaration: Collection) -> CollectionSnapshot {
        CollectionSnapshot(declaration) { flag in
            var reader = EffectiveValueReader()
            flag.accept(&reader)
            return reader.value
        }
    }

    fileprivate static func held(by provider: any FlagsProvider, _ declaration: Collection) -> CollectionSnapshot {
        CollectionSnapshot(declaration) { flag in
            var reader = HeldValueReader(provider: provider)
            flag.accept(&reader)
            return reader.value
        }
    }
}

private struct EffectiveValueReader: FlagVisitor {
    private(set) var value: (any FlagProtocol)?

    init() {}

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) { value = flag.wrappedValue }
}

/// Reads a provider's valid value, and its stored form; reports a broken one.
struct HeldValueReader: FlagVisitor {
    let provider: any FlagsProvider
    private(set) var value: (any FlagProtocol)?
    private(set) var stored: FlagValue?

    init(provider: any FlagsProvider) { self.provider = provider }

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
        guard flag.declared.placement?.isRead(from: provider) != false else { return }
        do throws(FlagValueError) {
            let value = try provider.value(of: Value.self, at: flag.keyPath)
            flag.declared.placement?.source.diagnostics.clear(.brokenValue, of: flag.keyPath, in: provider.name)
            flag.declared.remember(value, in: provider)
            guard let value else { return }
            stored = provider.heldValue(at: flag.keyPath) ?? value.encodedIfStorable
            self.value = value
        } catch {
            flag.declared.placement?.reportBroken(error, in: provider, wanted: Value.flagExpectation)
        }
    }
}
