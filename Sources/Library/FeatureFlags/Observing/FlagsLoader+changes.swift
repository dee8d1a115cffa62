extension AnyFlagsLoader {
    /// Every later change of what a provider holds for a flag of the collection, in order, each once.
    ///
    /// This includes resets, and edits of a provider's file by others. Of a ``UserDefaultsProvider``, quick changes of
    /// one flag may share an element. Other providers without a ``FlagsProvider/store`` can't report changes.
    public var changes: FlagChangeStream { changes { _ in true } }

    /// Returns every later change of what a provider holds for some flags or groups, in order, each once.
    public func changes(of keys: [FlagKeyPath]) -> FlagChangeStream {
        changes { flag in keys.contains { flag.keyPath.isInside($0) } }
    }

    private func changes(where isWanted: (any AnyFlag) -> Bool) -> FlagChangeStream {
        let flags = featureFlags.filter(isWanted)
        return FlagChangeStream(of: { flags }, in: flags.sources)
    }
}

extension FlagsManager {
    /// Every later change of what a provider holds for a flag, in order, each once.
    ///
    /// This includes flags added later. See ``AnyFlagsLoader/changes``.
    public var changes: FlagChangeStream { FlagChangeStream(of: { self.featureFlags }, in: [source]) }

    /// Returns every later change of what a provider holds for some flags or groups, in order, each once.
    public func changes(of keys: [FlagKeyPath]) -> FlagChangeStream {
        FlagChangeStream(
            of: { self.featureFlags.filter { flag in keys.contains { flag.keyPath.isInside($0) } } },
            in: [source])
    }
}

extension FlagCollection {
    /// Every later change of what a provider holds for a flag of the group, in order, each once.
    ///
    /// A group outside a loader has none. See ``AnyFlagsLoader/changes``.
    public var changes: FlagChangeStream {
        let flags = memberFlags
        return FlagChangeStream(of: { flags }, in: flags.sources)
    }
}

extension [any AnyFlag] {
    var sources: [FlagSource] {
        reduce(into: []) { sources, flag in
            guard let source = flag.placement?.source, !sources.contains(where: { $0 === source })
            else { return }
            sources.append(source)
        }
    }
}

extension AnyFlag {
    /// `nil` until a loader places the flag.
    var placement: FlagPlacement? { finder.placement }

    /// The identity that all copies of the flag share.
    var identity: ObjectIdentifier { finder.identity ?? ObjectIdentifier(Self.self) }

    private var finder: DeclarationFinder {
        var finder = DeclarationFinder()
        accept(&finder)
        return finder
    }
}

private struct DeclarationFinder: FlagVisitor {
    var placement: FlagPlacement?
    var identity: ObjectIdentifier?

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
        placement = flag.declared.placement
        identity = flag.id
    }
}
