import DurableFiles
import FeatureFlags
import Foundation

extension FlagsManager {
    /// The definitions of all flags and groups, for the dashboard to know types, defaults, locks and descriptions.
    ///
    /// A group that is internal, or adds nothing to the key paths of its flags, has no entry of its own, and groups of one
    /// key path have one together. Left out, and reported (``FlagsManager/diagnostics``), are a default, a suggestion and
    /// an entry of the `userInfo` that no manifest can hold, and a flag whose type nothing says.
    ///
    /// - Parameter existing: A manifest to update: what the code doesn't say stays as it is there.
    /// - Returns: The manifest.
    /// - Throws: ``FlagManifestError`` that names each flag that can't be defined, such as two of one key path.
    public func manifest(updating existing: FlagManifest? = nil) throws(FlagManifestError) -> FlagManifest {
        let (definitions, groups) = manifestDefinitions
        return try FlagManifest(definitions: definitions, collections: groups, updating: existing)
    }

    private var manifestDefinitions: ([FlagDefinition], [FlagCollectionDefinition]) {
        var definitions = ManifestDefinitions(diagnostics: diagnostics)
        for flag in featureFlags { flag.accept(&definitions) }
        return (definitions.definitions, tree.flatMap(\.collectionDefinitions).merged)
    }

    /// Writes the definitions of all flags and groups to a file, where the dashboard finds them.
    ///
    /// The file is written anew, in its own order: each flag's type, default and choices are what the code says, and so is
    /// all else that the code says of flags and groups. Other flags, groups, fields and entries stay, but comments and layout
    /// do not. Where the file says the same already, it isn't touched; where another program changes it meanwhile, that
    /// change is read and updated.
    ///
    /// - Parameter url: The file, such as `flags.manifest.xml`; it need not exist.
    /// - Throws: ``FlagManifestError`` where the file, or a definition, is not right, and ``FileAccessError`` where the file
    ///   can't be read or written, or keeps changing; it is as before then. Where only the folder can't be synchronized,
    ///   the file is written, and a loss of power may undo it.
    public func writeManifest(to url: URL) throws {
        // Before another writer has to wait for the folder: a default may be computed by the app's code.
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

    /// How often an update is tried while programs that take no turns write the file.
    private static let maximumTries = 100
}

/// Collects the definitions that a manifest can hold, and reports what is left out.
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
    /// Why a manifest can't hold the default.
    fileprivate var problemOfDefault: String? {
        guard let defaultValue else { return nil }
        do {
            _ = try interpret(defaultValue)
            return defaultValue.problemInManifest
        } catch {
            return "\(error)"
        }
    }

    /// Why a manifest can't hold one of the values that the editor is to offer.
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
    /// Why a manifest can't hold the value.
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
    /// One definition of each key: the first, with what it lacks from the others.
    fileprivate var merged: [FlagCollectionDefinition] {
        reduce(into: []) { merged, group in
            guard let index = merged.firstIndex(where: { $0.key == group.key }) else { return merged.append(group) }
            if merged[index].description.isEmpty { merged[index].description = group.description }
            merged[index].order = merged[index].order ?? group.order
        }
    }
}

extension FlagTree {
    /// The group and those within it, as far as they are part of key paths.
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
