import DurableFiles
import FeatureFlags
import Foundation

/// The definitions of flags and groups that code declares, in the order of declaration.
struct DeclaredFlags {
    private var flags: ManifestDefinitions
    private var groups: [FlagCollectionDefinition] = []
    /// The number of collections by the paths that their types' names make.
    private var collections: [FlagKeyPath: Int] = [:]

    init(of loaders: [any AnyFlagsLoader], _ diagnostics: FlagDiagnostics) {
        flags = ManifestDefinitions(diagnostics: diagnostics)
        for loader in loaders { add(loader, isOneOfSeveral: loaders.count > 1) }
    }

    private mutating func add(_ loader: any AnyFlagsLoader, isOneOfSeveral: Bool) {
        let collection = loader.group(isOneOfSeveral: isOneOfSeveral).map { distinct($0) }
        let prefix = loader.keyConfiguration.prefixComponents.count
        /// The collection's group stands where the prefix does.
        func place(_ path: FlagKeyPath?) -> FlagKeyPath? {
            guard let collection else { return path }
            return FlagKeyPath(components: collection.key.components + (path?.components.dropFirst(prefix) ?? []))
        }
        for flag in loader.featureFlags {
            flags.add(flag) { collection == nil ? $0.group : place($0.group ?? $0.key.parent) }
        }
        groups += [collection].compactMap(\.self)
        groups += loader.tree.flatMap(\.collectionDefinitions).map { group in
            var group = group
            group.key = place(group.key) ?? group.key
            return group
        }
    }

    /// Returns the group of a collection, numbered if another collection's type has the same name.
    private mutating func distinct(_ group: FlagCollectionDefinition) -> FlagCollectionDefinition {
        let number = collections[group.key, default: 0] + 1
        collections[group.key] = number
        guard number > 1 else { return group }
        var group = group
        if group.name == group.key.readableName { group.name = "\(group.displayName) \(number)" }
        group.key = FlagKeyPath(components: ["\(group.key.leaf)_\(number)"])
        return group
    }

    /// Adds a registered flag, and the groups that are no part of its key path, by the names given.
    mutating func add(_ flag: any AnyFlag, prefix: Int) {
        flags.add(flag, in: \.group)
        guard let group = flag.definition.group else { return }
        let organising = group.components.count - (flag.keyPath.components.count - 1)
        groups += (group.ancestors + [group])[prefix..<prefix + organising].map {
            FlagCollectionDefinition(key: $0, name: $0.leaf)
        }
    }

    func manifest(updating existing: FlagManifest?) throws(FlagManifestError) -> FlagManifest {
        try FlagManifest(definitions: flags.inOwnGroups, collections: groups.merged, updating: existing)
    }

    func write(to url: URL) throws {
        let target = AtomicFile.target(of: url)
        let written = try FolderLock.take(beside: target) {
            Result {
                for _ in 0..<Self.maximumTries {
                    let contents = try AtomicFile.readIfThere(
                        target, maximumSize: PropertyListDocument.maximumSize)
                    let existing = try contents.map { try FlagManifest(source: $0.data) }
                    let source = try manifest(updating: existing).document.source
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
    private let diagnostics: FlagDiagnostics
    private var definitions: [FlagDefinition] = []

    init(diagnostics: FlagDiagnostics) { self.diagnostics = diagnostics }

    /// Adds a flag, if a manifest can define it, in the group that `group` finds for it.
    mutating func add(_ flag: any AnyFlag, in group: (FlagDefinition) -> FlagKeyPath?) {
        let count = definitions.count
        flag.accept(&self)
        for place in count..<definitions.count { definitions[place].group = group(definitions[place]) }
    }

    /// The definitions, each with its own group where others of its key path group have another one, with which it
    /// would be shown.
    var inOwnGroups: [FlagDefinition] {
        let organised = Set(definitions.lazy.filter { $0.group != nil }.compactMap(\.key.parent))
        return definitions.map { definition in
            guard definition.group == nil, let group = definition.key.parent, organised.contains(group) else {
                return definition
            }
            var definition = definition
            definition.group = group
            return definition
        }
    }

    mutating func visit<Value: FlagProtocol>(_ flag: Flag<Value>) {
        guard flag.hasKnownType else {
            return report(
                .unknownType, flag.keyPath,
                "a manifest can't describe how a \(Value.self) is stored; set a flagType for the type, or a default "
                    + "for the flag"
            )
        }
        var definition = flag.definition
        // A dynamic default may differ at the next read.
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
            merged[index].icon = merged[index].icon ?? group.icon
            merged[index].isSection = merged[index].isSection || group.isSection
        }
    }
}

extension FlagTree {
    fileprivate var collectionDefinitions: [FlagCollectionDefinition] {
        guard case .collection(let collection) = self else { return [] }
        return (collection.metadata.isInternal ? [] : [collection.definition])
            + collection.children.flatMap(\.collectionDefinitions)
    }
}

extension AnyFlagCollection {
    fileprivate var definition: FlagCollectionDefinition {
        FlagCollectionDefinition(
            key: path, name: name, description: metadata.description, order: metadata.order, icon: metadata.uiIcon,
            isSection: isSection)
    }
}

extension AnyFlagsLoader {
    /// Returns the group around all flags of the collection; `nil` if it needs none, or is internal.
    fileprivate func group(isOneOfSeveral: Bool) -> FlagCollectionDefinition? {
        let metadata = metadata ?? FlagMetadata()
        let isNamed = metadata.name != nil || !metadata.description.isEmpty
        guard isOneOfSeveral || isNamed, !metadata.isInternal else { return nil }
        return FlagCollectionDefinition(
            key: FlagKeyPath(components: [keyConfiguration.keyTransform.component(for: collectionType)]),
            name: metadata.name ?? FlagLabel.text(of: collectionType), description: metadata.description,
            order: metadata.order, icon: metadata.uiIcon)
    }
}
