import FeatureFlags
import FeatureFlagsXML

extension Workspace {
    /// Returns the same flag as ``FlagCatalogue``, without computing the others.
    func definition(of key: FlagKeyPath, showsInternal: Bool) -> FlagDefinition? {
        if let definition = definitions?.definition(of: key) {
            return showsInternal || !definition.metadata.isInternal ? definition : nil
        }
        // A flag holds one value: nothing inside it is a flag, and a group isn't one.
        guard definitions(reachedFrom: key).isEmpty else { return nil }
        let (here, elsewhere) = (values.filter(\.provider.isAsked), values.filter { !$0.provider.isAsked })
        return here.contains { $0.isGroup(at: key) }
            ? nil
            : Self.inferred(key, from: here) ?? Self.inferred(key, from: elsewhere) ?? inferredFromApps(key)
    }

    private func inferredFromApps(_ key: FlagKeyPath) -> FlagDefinition? {
        guard let value = appProviders.lazy.compactMap({ $0.value(of: key) }).first else { return nil }
        if case .dictionary = value { return nil }
        return FlagDefinition(key: key, type: FlagType(inferredFrom: value))
    }

    private static func inferred(_ key: FlagKeyPath, from files: [Values]) -> FlagDefinition? {
        guard let value = files.lazy.compactMap({ $0.leaf(at: key) }).first,
            !files.contains(where: { $0.isGroup(at: key) })
        else { return nil }
        return FlagDefinition(key: key, type: FlagType(inferredFrom: value))
    }

    /// Returns the named provider's file, else the first writable one that the flag is read from.
    func file(_ provider: String?, for key: FlagKeyPath) -> Values? {
        guard let provider else {
            return values.first { $0.provider.isWritable && $0.provider.isAsked && isRead(key, from: $0) }
        }
        return values.first { $0.provider.name == provider }
    }

    /// Returns the provider that a change edits; `nil` if it names none that exists.
    func providerName(of change: Change) -> String? {
        appPlace(of: change).map { appProviders[$0].name } ?? file(change.provider, for: change.key)?.provider.name
    }

    /// Returns the app's provider that a change edits: the named one, else the usual one where no file is.
    func appPlace(of change: Change) -> Int? {
        if let provider = change.provider { return appProviders.firstIndex { $0.name == provider } }
        guard file(nil, for: change.key) == nil else { return nil }
        return appProviders.firstIndex { $0.isAsked && $0.writer != nil && isRead(change.key, fromApp: $0) }
    }

    /// The first provider that would take a change without a provider's name, if its flag were read from there.
    var unreadProvider: String? {
        values.first { $0.provider.isWritable && $0.provider.isAsked }?.provider.name
            ?? appProviders.first { $0.isAsked && $0.writer != nil }?.name
    }

    func isRead(_ key: FlagKeyPath, from file: Values) -> Bool { !unreadFlags(of: file).contains(key) }

    func isRead(_ key: FlagKeyPath, fromApp provider: AppProvider) -> Bool {
        definitions?.content.unreadKeys(from: provider.declaredName).contains(key) != true
    }

    func stored(_ key: FlagKeyPath, in file: Values) -> FlagValue? {
        guard case .success(let document) = file.content,
            case .success(let value) = Result(catching: { try document.value(at: key, dictionaryKeys: dictionaryKeys) })
        else { return nil }
        return value
    }

    func storedValue(of key: FlagKeyPath, in document: PropertyListDocument) throws(ChangeError) -> FlagValue? {
        do {
            return try document.value(at: key, dictionaryKeys: dictionaryKeys)
        } catch {
            // An empty group counts as absent.
            if case .success(.dictionary([:])) = Result(catching: { try document.value(at: key) }) { return nil }
            throw .group(key, error)
        }
    }

    func readable(_ file: Values, _ key: FlagKeyPath) throws(ChangeError) -> (FileReading, PropertyListDocument) {
        guard let reading = file.reading, case .success(let document) = file.content else {
            let problems = fileProblems.map(\.description).joined(separator: " ")
            throw ChangeError(
                .unavailable, key: key, "Can't change \(key) now. \(problems)",
                remedy: "Fix the file to make changes again. Flagboard leaves it as it is.")
        }
        return (reading, document)
    }

    var takesNewFlags: Bool {
        if case .success(nil) = manifest.content { lastSoundManifest == nil } else { false }
    }

    /// Returns true if a value there would hide a group, or lie inside another value.
    func holdsAnything(onTheWayTo key: FlagKeyPath) -> Bool {
        values.contains { file in
            guard case .success(let document) = file.content else { return true }
            do {
                let value = try document.stored(at: key)
                return value != nil && value != .dictionary([:])
            } catch {
                return true
            }
        }
    }
}

extension Workspace.Values {
    func raw(at key: FlagKeyPath) -> FlagValue? {
        guard case .success(let document) = content,
            case .success(let value) = Result(catching: { try document.value(at: key) })
        else { return nil }
        return value
    }

    fileprivate func leaf(at key: FlagKeyPath) -> FlagValue? {
        if case .dictionary = raw(at: key) { nil } else { raw(at: key) }
    }
}

extension Workspace.Values {
    fileprivate func isGroup(at key: FlagKeyPath) -> Bool {
        if case .dictionary = raw(at: key) { true } else { false }
    }
}

extension Workspace {
    var versionBasis: FilesVersion.Basis {
        FilesVersion.Basis(
            hashes: values.map { $0.reading?.hash } + [manifest.reading?.hash], lastSound: values.map(\.lastSoundHash),
            lastGood: values.map(\.lastGood), broken: values.map { brokenFlags[$0.provider.name] ?? [:] },
            brokenSources: values.map { brokenSources[$0.provider.name]?.fault })
    }
}
