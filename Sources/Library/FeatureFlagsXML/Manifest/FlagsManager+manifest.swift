import DurableFiles
import FeatureFlags
import Foundation

extension FlagsManager {
    /// Returns the definitions of all flags and groups, from which the dashboard knows types, defaults, locks and
    /// descriptions.
    ///
    /// A group that is internal or adds nothing to its flags' key paths has no entry, and groups with the same key path
    /// share one. Flags of unknown type, and defaults, suggestions and `userInfo` entries that no manifest can hold are
    /// left out and reported in ``FlagsManager/diagnostics``.
    ///
    /// - Parameter existing: A manifest to update; it keeps the fields that the code doesn't define.
    /// - Returns: The manifest.
    /// - Throws: A ``FlagManifestError`` that names each flag that can't be defined, such as one of two with the same
    ///   key path.
    public func manifest(updating existing: FlagManifest? = nil) throws(FlagManifestError) -> FlagManifest {
        let (definitions, groups) = manifestDefinitions
        return try FlagManifest(definitions: definitions, collections: groups, updating: existing)
    }

    private var manifestDefinitions: ([FlagDefinition], [FlagCollectionDefinition]) {
        var definitions = ManifestDefinitions(diagnostics: diagnostics)
        for flag in featureFlags { flag.accept(&definitions) }
        return (definitions.definitions, tree.flatMap(\.collectionDefinitions).merged)
    }

    /// Writes the definitions of all flags and groups to a file for the dashboard.
    ///
    /// The file is rewritten in its own order. The code's definitions take precedence; other flags, groups, fields and
    /// entries stay, but comments and layout do not. A file that already matches is not touched. If another program
    /// changes the file meanwhile, that change is read and updated.
    ///
    /// - Parameter url: The file, such as `flags.manifest.xml`; it need not exist.
    /// - Throws: A ``FlagManifestError`` if the file or a definition is invalid, or a ``FileAccessError`` if the file
    ///   can't be read or written, or keeps changing; it is unchanged then. If only the folder can't be synchronized,
    ///   the file is written, but a loss of power may undo it.
    public func writeManifest(to url: URL) throws {
        // Outside the folder's lock, since the app's code may compute a default.
        let (definitions, groups) = manifestDefinitions
        let target = AtomicFile.target(of: url)
        let written = try FolderLock.take(beside: target) {
            Result {
                for _ in 0..<Self.maximumTries {
                    let contents = try AtomicFile.readIfThere(
                        target, maximumSize: PropertyListDocument.maximumSize)
                    let existing = try contents.map { try FlagManifest(source: $0.data) }
                    let source = try FlagManifest(definitions: definitions, collections: groups, updating: existing)
                        .document.source
                    guard source != contents?.data else { return }
                    if try FileReplacement.replace(target, ifStill: contents?.signature, with: source) {
                        return try AtomicFile.synchronizeFolder(of: target)
                    }
                }
                throw FileAccessError.keepsChanging(url)
            }
        }
        try written.get()
    }

    /// A limit of retries, since other programs may write without taking the lock.
    private static let maximumTries = 100
}

private struct ManifestDefinitions: FlagVisitor {
    let diagnostics: FlagDiagnostics
    var definitions: [FlagDefinition] = []

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
        guard flag.hasKnownType else {
            return report(
                .unknownType, flag.keyPath,
                "no manifest can say what a \(Value.self) is stored as; give the type a flagType, or the flag a default"
            )
        }
        var definition = flag.definition
        // What it is now says nothing of what it is at the next read.
        if definition.computed == .default { definition.defaultValue = nil }
        let problem = flag.defaultProblem?.description ?? definition.problemOfDefault
        if let problem {
            definition.defaultValue = nil
            report(.unstorableDefault, flag.keyPath, "the default can't be in a manifest: \(problem)")
        }
        leaveOutSuggestions(&definition, of: flag)
        leaveOutUserInfo(&definition)
        definitions.append(definition)
    }

    private func leaveOutSuggestions<Value: FlagProtocol>(_ definition: inout FlagDefinition, of flag: Flag<Value>) {
        var problems = flag.suggestionProblems.map(\.description)
        let suggestions = definition.suggestions
        definition.suggestions = []
        for suggestion in suggestions where !definition.suggestions.contains(suggestion) {
            if let problem = definition.problem(ofSuggestion: suggestion) {
                problems.append(problem)
            } else {
                definition.suggestions.append(suggestion)
            }
        }
        if !problems.isEmpty {
            report(
                .unusableSuggestion, flag.keyPath,
                "suggestions can't be in a manifest: \(problems.joined(separator: "; "))")
        }
    }

    private func leaveOutUserInfo(_ definition: inout FlagDefinition) {
        var problems: [String] = []
        for (name, value) in definition.metadata.userInfo.sorted(by: { $0.key < $1.key }) {
            guard let problem = FlagValue.dictionary([name: value]).problemInManifest else { continue }
            definition.metadata.userInfo[name] = nil
            problems.append("\(name): \(problem)")
        }
        if !problems.isEmpty {
            report(
                .unstorableUserInfo, definition.key,
                "entries of the userInfo can't be in a manifest: \(problems.joined(separator: "; "))")
        }
    }

    private func report(_ kind: FlagDiagnostic.Kind, _ flag: FlagKeyPath, _ text: String) {
        diagnostics.report(
            FlagDiagnostic(flag: flag, provider: nil, kind: kind, problem: FlagValueError(text)))
    }
}

extension FlagDefinition {
    fileprivate var problemOfDefault: String? {
        guard let defaultValue else { return nil }
        do {
            _ = try interpret(defaultValue)
            return defaultValue.problemInManifest
        } catch {
            return "\(error)"
        }
    }

    fileprivate func problem(ofSuggestion value: FlagValue) -> String? {
        do {
            _ = try suggestion(value)
            return value.problemInManifest
        } catch {
            return "\(error)"
        }
    }
}

extension FlagValue {
    fileprivate var problemInManifest: String? {
        do {
            _ = try PropertyListDocument(root: .dictionary(["value": self]))
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension [FlagCollectionDefinition] {
    /// One definition for each key: the first, completed by the others.
    fileprivate var merged: [FlagCollectionDefinition] {
        reduce(into: []) { merged, group in
            guard let index = merged.firstIndex(where: { $0.key == group.key }) else { return merged.append(group) }
            if merged[index].description.isEmpty { merged[index].description = group.description }
            merged[index].order = merged[index].order ?? group.order
        }
    }
}

extension FlagTree {
    fileprivate var collectionDefinitions: [FlagCollectionDefinition] {
        guard case .collection(let collection) = self else { return [] }
        let isShown = collection.isInKeyPath && !collection.metadata.isInternal
        let own = isShown ? collection.keyPath.map { collection.definition(key: $0) } : nil
        return [own].compactMap(\.self) + collection.children.flatMap(\.collectionDefinitions)
    }
}

extension AnyFlagCollection {
    fileprivate func definition(key: FlagKeyPath) -> FlagCollectionDefinition {
        FlagCollectionDefinition(key: key, name: name, description: metadata.description, order: metadata.order)
    }
}
