import FeatureFlags
import FeatureFlagsXML

extension Workspace {
    /// The flag of a key, be it defined or inferred from a value: just what ``FlagCatalogue`` has, without all the others.
    ///
    /// - Returns: `nil` where there is none, or none that may be seen.
    func definition(of key: FlagKeyPath, showsInternal: Bool) -> FlagDefinition? {
        if let definition = definitions?.definition(of: key) {
            return showsInternal || !definition.metadata.isInternal ? definition : nil
        }
        // A flag holds one value: there is none in it, and a group is none.
        guard definitions(reachedFrom: key).isEmpty, let value = values.lazy.compactMap({ $0.leaf(at: key) }).first
        else { return nil }
        let isGroup = values.contains { file in
            if case .dictionary = file.raw(at: key) { true } else { false }
        }
        return isGroup ? nil : FlagDefinition(key: key, type: FlagType(inferredFrom: value))
    }
}

extension Workspace.Values {
    fileprivate func raw(at key: FlagKeyPath) -> FlagValue? {
        guard case .success(let document) = content,
            case .success(let value) = Result(catching: { try document.value(at: key) })
        else { return nil }
        return value
    }

    /// What stands at a key that no definition covers, unless it is a group.
    fileprivate func leaf(at key: FlagKeyPath) -> FlagValue? {
        if case .dictionary = raw(at: key) { nil } else { raw(at: key) }
    }
}
