import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Finds what somebody else did to the files since the history last knew them, and records it flag by flag.
struct OutsideEdits {
    let history: HistoryStore
    let clock: @Sendable () -> Date

    /// Compares each file that can be read with the history's head for it.
    ///
    /// A file seen for the first time becomes its head without a row; one that can't be read now is left for later.
    func record(_ workspace: Workspace) throws(HistoryStoreError) {
        for file in workspace.values {
            guard let reading = file.reading, case .success(let document) = file.content else { continue }
            try record(
                reading, of: .values(file.provider.name), provider: file.provider.name,
                now: document.flagValues(definedBy: workspace.definitions), manifest: workspace.definitions
            ) { data in
                try PropertyListDocument(source: data).flagValues(definedBy: workspace.definitions)
            }
        }
        if let reading = workspace.manifest.reading, case .success(let manifest?) = workspace.manifest.content {
            try record(
                reading, of: .manifest, provider: nil, now: manifest.storedEntries, manifest: manifest
            ) { data in
                try FlagManifest(source: data).storedEntries
            }
        }
    }

    private func record(
        _ reading: FileReading, of role: FileRole, provider: String?, now: [FlagKeyPath: FlagValue],
        manifest: FlagManifest?, before: (Data) throws -> [FlagKeyPath: FlagValue]
    ) throws(HistoryStoreError) {
        let known = try history.head(of: role.rawValue)
        guard known?.hash != reading.hash else { return }
        let head = FileHead(file: role.rawValue, hash: reading.hash, content: reading.data)
        guard let known, let content = known.content else { return try history.setHead(head) }
        var reason = "edited outside Flagboard"
        var old: [FlagKeyPath: FlagValue] = [:]
        do {
            old = try before(content)
        } catch {
            reason += "; what the file held before can't be read any more: \(error)"
        }
        let types = Dictionary(
            (manifest?.definitions ?? []).map { ($0.key, $0.type) }, uniquingKeysWith: { first, _ in first })
        let batch = UUID()
        let at = clock()
        let events: [HistoryEvent] = Set(old.keys).union(now.keys).sorted().filter { old[$0] != now[$0] }.map { key in
            HistoryEvent(
                batch: batch, at: at, actor: "unknown", role: "", origin: .external, kind: .external,
                provider: provider, key: key,
                type: types[key] ?? (now[key] ?? old[key]).map(FlagType.init(inferredFrom:)),
                before: old[key], after: now[key], reason: reason,
                fileHashBefore: known.hash, fileHashAfter: reading.hash)
        }
        if events.isEmpty { return try history.setHead(head) }
        _ = try history.append(events, head: head)
    }
}

/// Which file a head or an intent of the history is about.
enum FileRole: Hashable, Sendable {
    case values(String)
    case manifest

    var rawValue: String {
        switch self {
        case .values(let provider): "values:\(provider)"
        case .manifest: "manifest"
        }
    }
}

extension PropertyListDocument {
    /// The file's values by flag: where a definition covers a dictionary it is one value, elsewhere it is a group.
    func flagValues(definedBy manifest: FlagManifest?) -> [FlagKeyPath: FlagValue] {
        let defined = Set((manifest?.definitions ?? []).map(\.key))
        var found: [FlagKeyPath: FlagValue] = [:]
        func walk(_ values: [String: FlagValue], _ path: [String]) {
            for (name, value) in values {
                let key = FlagKeyPath(components: path + [name])
                if case .dictionary(let inner) = value, !defined.contains(key) {
                    walk(inner, key.components)
                } else {
                    found[key] = value
                }
            }
        }
        if case .dictionary(let values) = root { walk(values, []) }
        return found
    }
}
