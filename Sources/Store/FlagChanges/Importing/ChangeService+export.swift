import FeatureFlags
import FeatureFlagsXML
import Foundation

extension ChangeService {
    /// Returns a values file without internal flags.
    ///
    /// `nil` for `provider` means the first one, for `keys` the whole file.
    package func exportedValues(
        of provider: String? = nil, only keys: Set<FlagKeyPath>? = nil, as format: ExportFormat = .propertyList
    ) async throws(ChangeError) -> Data {
        let state = try await reader.state()
        let workspace = state.workspace
        let file = workspace.values.first { provider == nil || $0.provider.name == provider }
        guard let file, case .success(let document) = file.content else {
            throw .unreadable(workspace)
        }
        do {
            if let keys {
                var tree = NestedValues()
                for entry in state.catalogue.entries where keys.contains(entry.key) {
                    if let stored = entry.resolution[file.provider.name]?.stored { tree.insert(stored, at: entry.key) }
                }
                return try format.data(tree.value, jsonFlags: workspace.jsonKeys)
            }
            let visible = try document.omitting(workspace.hiddenFlags(showsInternal: showsInternal))
            return format == .propertyList
                ? visible.source : try format.data(visible.root, jsonFlags: workspace.jsonKeys)
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
            .unavailable, "Nothing was exported, because internal flags can't be removed from the file.",
            remedy: "Report this as a bug in Flagboard, with the log.")
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
        var found: [String: [(key: FlagKeyPath, problem: String)]] = [:]
        for entry in self {
            for reading in entry.resolution.brokenSources {
                guard let problem = reading.problem?.description else { continue }
                found[reading.provider, default: []].append((entry.key, problem))
            }
        }
        return found.mapValues { faults in
            let isOfSource = faults.count > 1 && faults.allSatisfy { $0.problem == faults[0].problem }
            if isOfSource { return faults[0].problem }
            let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
            return "\(faults[0].key): \(faults[0].problem)\(more)"
        }
    }
}
