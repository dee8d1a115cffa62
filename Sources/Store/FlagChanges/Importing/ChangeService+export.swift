import FeatureFlags
import FeatureFlagsXML
import Foundation

extension ChangeService {
    /// Returns a values file without internal flags, and the problems of values that JSON can't express by provider.
    ///
    /// A property list is the file's own bytes without the flags that are left out; JSON leaves out broken values too.
    /// `nil` for `provider` means the first one, for `keys` the whole file.
    package func exportedValues(
        of provider: String? = nil, only keys: Set<FlagKeyPath>? = nil, as format: ExportFormat = .propertyList
    ) async throws(ChangeError) -> (data: Data, broken: [String: String]) {
        let state = try await reader.state()
        let workspace = state.workspace
        let file = workspace.values.first { provider == nil || $0.provider.name == provider }
        guard let file, case .success(let document) = file.content else {
            throw .unreadable(workspace)
        }
        let name = file.provider.name
        var omitted = workspace.hiddenFlags(showsInternal: showsInternal)
        if let keys { omitted.formUnion(document.root.entries(besides: keys)) }
        var faults = SourceFaults()
        if format == .json {
            for entry in state.catalogue.entries where keys?.contains(entry.key) != false {
                let answer = entry.resolution[name]
                if let broken = answer?.stored?.brokenPart {
                    omitted.insert(entry.key)
                    faults.add(broken.value.problem, of: entry.key, in: name)
                } else if case .broken(let problem, stored: nil) = answer {
                    faults.add(problem.description, of: entry.key, in: name)
                }
            }
        }
        do {
            let visible = try document.omitting(omitted)
            guard format == .json else { return (visible.source, [:]) }
            // A group that the file has more than once is no flag; a flag in it has named the fault.
            let sound = visible.root.soundEntries { broken, key in
                if !faults.concern(key) { faults.add(broken.problem, of: key, in: name) }
            }
            return (try format.data(sound, jsonFlags: workspace.jsonKeys), faults.summaries(canBeOfSource: false))
        } catch {
            throw fault("\(error)")
        }
    }

    /// Returns the definitions without internal flags; `nil` without a manifest.
    ///
    /// These are the manifest's own bytes unless flags are left out. `nil` for `keys` means all flags.
    package func exportedManifest(
        only keys: Set<FlagKeyPath>? = nil, as format: ExportFormat = .propertyList
    ) async throws(ChangeError) -> Data? {
        let state = try await reader.state()
        let workspace = state.workspace
        guard case .success(let manifest) = workspace.manifest.content else { throw .unreadable(workspace) }
        var omitted = workspace.hiddenFlags(showsInternal: showsInternal)
        var groups = Set(state.catalogue.collections.keys)
        if let keys, let manifest {
            omitted.formUnion(manifest.content.definitions.lazy.map(\.key).filter { !keys.contains($0) })
            groups.formIntersection(keys.flatMap { state.catalogue[$0]?.definition.groups ?? $0.ancestors })
        }
        do {
            let visible = try manifest?.omitting(omitted, keeping: groups)
            guard format == .json, let visible else { return visible }
            return ExportFormat.file(
                FlagJSON.json(manifest: try PropertyListDocument(source: visible, maximumSize: .max).root))
        } catch {
            throw fault(error.description)
        }
    }

    /// Returns the effective values as a new values file, and the problems of broken sources by provider.
    ///
    /// Flags without a value are left out. Values of broken sources are the last good ones, or else the defaults.
    /// Throws if an unreadable file leaves no flag known.
    package func exportedEffectiveValues(
        only keys: Set<FlagKeyPath>? = nil, as format: ExportFormat = .propertyList
    ) async throws(ChangeError) -> (data: Data, broken: [String: String]) {
        let state = try await reader.state()
        let workspace = state.workspace
        if let ignorance = state.flags.ignorance { throw ignorance }
        let entries = state.catalogue.entries.filter { keys?.contains($0.key) ?? true }
        var tree = NestedValues()
        for entry in entries.filter(\.isDefined) + entries.filter({ !$0.isDefined }) {
            if let value = entry.resolution.effectiveValue { tree.insert(value, at: entry.key) }
        }
        do {
            return (try format.data(tree.value, jsonFlags: workspace.jsonKeys), entries.brokenSources)
        } catch {
            throw ChangeError(.unavailable, error.description, remedy: "Correct the flag's default in the manifest.")
        }
    }

    /// Refuses an export; only the log has the cause, which may name internal flags.
    private func fault(_ cause: String) -> ChangeError {
        context.options.log("export failed: \(cause)")
        return ChangeError(
            .unavailable, "Nothing was exported, because the other flags can't be removed from the file.",
            remedy: "Report this as a bug in Flagboard, with the log.")
    }
}

extension FlagValue {
    /// Returns a values file without its broken entries, and reports each one.
    fileprivate func soundEntries(reporting report: (BrokenFlagValue, FlagKeyPath) -> Void) -> FlagValue {
        func sound(_ value: FlagValue, at path: [String]) -> FlagValue? {
            if case .dictionary(let entries) = value {
                let kept = entries.compactMap { name, entry in
                    sound(entry, at: path + [name]).map { (name, $0) }
                }
                guard !kept.isEmpty || entries.isEmpty else { return nil }
                return .dictionary(Dictionary(uniqueKeysWithValues: kept))
            }
            guard let broken = value.brokenPart else { return value }
            report(broken.value, FlagKeyPath(components: path))
            return nil
        }
        return sound(self, at: []) ?? .dictionary([:])
    }

    /// Returns the outermost entries of a values file that contain none of the keys.
    fileprivate func entries(besides keys: Set<FlagKeyPath>) -> [FlagKeyPath] {
        let groups = Set(keys.flatMap(\.ancestors))
        func others(in value: FlagValue, at path: [String]) -> [FlagKeyPath] {
            guard case .dictionary(let entries) = value else { return [] }
            return entries.flatMap { name, entry in
                let path = path + [name]
                let key = FlagKeyPath(components: path)
                return keys.contains(key) ? [] : groups.contains(key) ? others(in: entry, at: path) : [key]
            }
        }
        return others(in: self, at: [])
    }
}

extension ChangeError {
    fileprivate static func unreadable(_ workspace: Workspace) -> ChangeError {
        ChangeError(
            .unavailable, workspace.fileProblems.map(\.description).joined(separator: " "),
            remedy: "Fix the file. It can be exported when it is valid again.")
    }
}

package enum ExportFormat: String, CaseIterable, Hashable, Sendable {
    case propertyList = "xml"
    /// JSON: dates in ISO 8601, data in base64, and numbers without a JSON form by name.
    case json

    func data(_ tree: FlagValue, jsonFlags keys: Set<FlagKeyPath>) throws(PropertyListError) -> Data {
        switch self {
        case .propertyList: try PropertyListDocument(root: tree).source
        case .json: Self.file(FlagJSON.json(tree, jsonFlags: keys))
        }
    }

    package static func file(_ json: JSONValue) -> Data { Data((FlagJSON.text(json) + "\n").utf8) }
}

struct NestedValues {
    private var leaf: FlagValue?
    private var children: [String: NestedValues] = [:]

    var value: FlagValue {
        leaf ?? .dictionary(children.mapValues(\.value))
    }

    mutating func insert(_ value: FlagValue, at key: FlagKeyPath) {
        insert(value, key.components[...])
    }

    private mutating func insert(_ value: FlagValue, _ path: ArraySlice<String>) {
        guard leaf == nil else { return }
        guard let name = path.first else {
            if children.isEmpty { leaf = value }
            return
        }
        children[name, default: NestedValues()].insert(value, path.dropFirst())
    }
}

extension Sequence<FlagEntry> {
    /// The problem of each broken source that flags ask, by its name.
    package var brokenSources: [String: String] {
        var faults = SourceFaults()
        for entry in self {
            for reading in entry.resolution.brokenSources {
                guard let problem = reading.problem?.description else { continue }
                faults.add(problem, of: entry.key, in: reading.provider)
            }
        }
        return faults.summaries(canBeOfSource: true)
    }
}

private struct SourceFaults {
    private var found: [String: [(key: FlagKeyPath, problem: String)]] = [:]

    mutating func add(_ problem: String, of key: FlagKeyPath, in provider: String) {
        found[provider, default: []].append((key, problem))
    }

    /// Returns `true` if there is a fault of a key or in a group.
    func concern(_ key: FlagKeyPath) -> Bool {
        found.values.contains { $0.contains { $0.key.isInside(key) } }
    }

    /// Returns a clause for each provider, which names the first key unless all have the fault of their source.
    func summaries(canBeOfSource: Bool) -> [String: String] {
        found.mapValues { faults in
            let isOfSource =
                canBeOfSource && faults.count > 1 && faults.allSatisfy { $0.problem == faults[0].problem }
            if isOfSource { return faults[0].problem }
            let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
            return "\(faults[0].key): \(faults[0].problem)\(more)"
        }
    }
}
