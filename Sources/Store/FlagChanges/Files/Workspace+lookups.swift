import FeatureFlags
import FeatureFlagsXML

extension Workspace {
    /// The flag of a key, defined or inferred from a value: just what ``FlagCatalogue`` has, without all the others.
    ///
    /// - Returns: `nil` where there is none, or none that may be seen.
    func definition(of key: FlagKeyPath, showsInternal: Bool) -> FlagDefinition? {
        if let definition = definitions?.definition(of: key) {
            return showsInternal || !definition.metadata.isInternal ? definition : nil
        }
        // A flag holds one value: there is none in it, and a group is none.
        guard definitions(reachedFrom: key).isEmpty else { return nil }
        let (here, elsewhere) = (values.filter(\.provider.isAsked), values.filter { !$0.provider.isAsked })
        return here.contains { $0.isGroup(at: key) }
            ? nil : Self.inferred(key, from: here) ?? Self.inferred(key, from: elsewhere)
    }

    private static func inferred(_ key: FlagKeyPath, from files: [Values]) -> FlagDefinition? {
        guard let value = files.lazy.compactMap({ $0.leaf(at: key) }).first,
            !files.contains(where: { $0.isGroup(at: key) })
        else { return nil }
        return FlagDefinition(key: key, type: FlagType(inferredFrom: value))
    }

    /// The values file of a provider, else the first writable one that a flag is read from.
    ///
    /// - Parameter provider: The provider's name; `nil` where none is named.
    /// - Returns: `nil` where there is none.
    func file(_ provider: String?, for key: FlagKeyPath) -> Values? {
        guard let provider else {
            return values.first { $0.provider.isWritable && $0.provider.isAsked && isRead(key, from: $0) }
        }
        return values.first { $0.provider.name == provider }
    }

    /// Whether a flag is read from a file.
    func isRead(_ key: FlagKeyPath, from file: Values) -> Bool { !unreadFlags(of: file).contains(key) }

    /// What a provider holds for a flag, where that can be told.
    func stored(_ key: FlagKeyPath, in file: Values) -> FlagValue? {
        guard case .success(let document) = file.content,
            case .success(let value) = Result(catching: { try document.value(at: key, dictionaryKeys: dictionaryKeys) })
        else { return nil }
        return value
    }

    /// What a document holds for a flag, for a change of it.
    ///
    /// - Throws: ``ChangeError`` where a group is in the flag's place.
    func storedValue(of key: FlagKeyPath, in document: PropertyListDocument) throws(ChangeError) -> FlagValue? {
        do {
            return try document.value(at: key, dictionaryKeys: dictionaryKeys)
        } catch {
            // An empty group is nothing.
            if case .success(.dictionary([:])) = Result(catching: { try document.value(at: key) }) { return nil }
            throw .group(key, error)
        }
    }

    /// A values file that can be read, for a change of a flag.
    ///
    /// - Throws: ``ChangeError`` where it can't.
    func readable(_ file: Values, _ key: FlagKeyPath) throws(ChangeError) -> (FileReading, PropertyListDocument) {
        guard let reading = file.reading, case .success(let document) = file.content else {
            let problems = fileProblems.map(\.description).joined(separator: " ")
            throw ChangeError(
                .unavailable, key: key, "\(key) can't be changed now. \(problems)",
                remedy: "Changes are possible as soon as the file is valid again. It is left as it is.")
        }
        return (reading, document)
    }

    /// Whether an import may store values at keys that stand for no flag.
    var takesNewFlags: Bool {
        if case .success(nil) = manifest.content { lastSoundManifest == nil } else { false }
    }

    /// Whether a provider holds a group at a key, or a value above it: a value there would hide what is around it.
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
    /// What is at a key of the file, whatever it is; `nil` also where that can't be told.
    func raw(at key: FlagKeyPath) -> FlagValue? {
        guard case .success(let document) = content,
            case .success(let value) = Result(catching: { try document.value(at: key) })
        else { return nil }
        return value
    }

    /// What is at a key that no definition covers, unless it is a group.
    fileprivate func leaf(at key: FlagKeyPath) -> FlagValue? {
        if case .dictionary = raw(at: key) { nil } else { raw(at: key) }
    }
}

extension Workspace.Values {
    /// Whether a group stands at a key.
    fileprivate func isGroup(at key: FlagKeyPath) -> Bool {
        if case .dictionary = raw(at: key) { true } else { false }
    }
}

extension Workspace {
    /// What the files hold, as far as a version tells it apart.
    var versionBasis: FilesVersion.Basis {
        FilesVersion.Basis(
            hashes: values.map { $0.reading?.hash } + [manifest.reading?.hash], lastSound: values.map(\.lastSoundHash),
            lastGood: values.map(\.lastGood), broken: values.map { brokenFlags[$0.provider.name] ?? [:] })
    }
}
