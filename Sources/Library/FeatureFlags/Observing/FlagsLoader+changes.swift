extension AnyFlagsLoader {
    /// Every change from now on of what a provider holds for a flag of the collection, in order, each once.
    ///
    /// Resets, and edits of a provider's file by others, are changes too. A provider that has no ``FlagsProvider/store``
    /// can't tell of changes.
    public var changes: FlagChangeStream { changes { _ in true } }

    /// Every change from now on of what a provider holds for some flags, in order, each once.
    ///
    /// - Parameter keys: The key paths of flags, or of groups for all flags in these.
    /// - Returns: The changes.
    public func changes(of keys: [FlagKeyPath]) -> FlagChangeStream {
        changes { flag in keys.contains { flag.keyPath.isInside($0) } }
    }

    private func changes(where isWanted: (any AnyFlag) -> Bool) -> FlagChangeStream {
        let flags = featureFlags.filter(isWanted)
        return FlagChangeStream(of: { flags }, in: flags.sources)
    }
}

extension FlagsManager {
    /// Every change from now on of what a provider holds for a flag, in order, each once.
    ///
    /// Flags that are added later are told of too. See ``AnyFlagsLoader/changes``.
    public var changes: FlagChangeStream { FlagChangeStream(of: { self.featureFlags }, in: [source]) }

    /// Every change from now on of what a provider holds for some flags, in order, each once.
    ///
    /// - Parameter keys: The key paths of flags, or of groups for all flags in these.
    /// - Returns: The changes.
    public func changes(of keys: [FlagKeyPath]) -> FlagChangeStream {
        FlagChangeStream(
            of: { self.featureFlags.filter { flag in keys.contains { flag.keyPath.isInside($0) } } },
            in: [source])
    }
}

extension FlagCollection {
    /// Every change from now on of what a provider holds for a flag of the group, in order, each once.
    ///
    /// A group outside a loader has none. See ``AnyFlagsLoader/changes``.
    public var changes: FlagChangeStream {
        let flags = memberFlags
        return FlagChangeStream(of: { flags }, in: flags.sources)
    }
}

extension [any AnyFlag] {
    /// What the flags are read from.
    fileprivate var sources: [FlagSource] {
        reduce(into: []) { sources, flag in
            guard let source = flag.placement?.source, !sources.contains(where: { $0 === source })
            else { return }
            sources.append(source)
        }
    }
}

extension AnyFlag {
    /// Where the flag stands; `nil` until a loader has placed it.
    var placement: FlagPlacement? {
        var finder = PlacementFinder()
        accept(&finder)
        return finder.placement
    }
}

private struct PlacementFinder: FlagVisitor {
    var placement: FlagPlacement?

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) { placement = flag.declared.placement }
}
