import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

struct PastStateBuilder {
    let workspace: Workspace
    let now: FlagCatalogue
    let history: HistoryStore
    let showsInternal: Bool

    /// Reads definitions and values concurrently, as a long history makes both slow.
    ///
    /// Each undoes changes made between the reads, so both are of one moment.
    func flags(at moment: HistoryMoment, time: Date) async throws -> PastState {
        async let definitionsThen = definitions(at: moment)
        let values = try workspace.values.map { file in
            try history.replacedValues(after: moment.lastRow, in: file.provider.name)
        }
        let contents = try zip(workspace.values, values).map { try content(of: $0, $1) }
        let definitions = try await definitionsThen
        let altered = AlteredKeys((values + [definitions.replaced]).joined())
        let hidden = workspace.hiddenFlags(showsInternal: showsInternal)
        let dictionaryKeys = definitions.manifest?.dictionaryKeys ?? []
        let files = zip(zip(workspace.values, values), contents).map { known, content in
            let (file, replaced) = known
            // A value that is broken now and unchanged since had the same last good value then.
            let changed = Set(replaced.map(\.key))
            return ValuesSnapshot(
                name: file.provider.name, shortDescription: file.provider.shortDescription,
                isWritable: false, areOverrides: file.provider.isWritable, content: content,
                dictionaryKeys: dictionaryKeys,
                isAsked: file.provider.isAsked, lastGood: file.lastGood.filter { !changed.contains($0.key) },
                unreadFlags: workspace.unreadFlags(of: file))
        }
        // The app's own values have no known past. Without them, any flag that they override would seem changed.
        let snapshots = workspace.appProviders.joined(
            with: files, dictionaryKeys, isReadOnly: true, workspace.definitions)
        let then = FlagCatalogue(
            manifest: definitions.manifest, snapshots: snapshots, showsInternal: true,
            previous: definitions.areAsNow ? now : nil
        ).omitting(hidden)
        let names = workspace.values.map(\.provider.name)
        return PastState(
            time: time, moment: moment, then: then, now: now, flags: flags(then, definitions.replaced, altered),
            missingProviders: try history.providersWithChanges().filter { !names.contains($0) },
            alteredRows: altered.rows,
            contents: Dictionary(zip(names, contents), uniquingKeysWith: { _, last in last }), hidden: hidden)
    }

    private struct Definitions: Sendable {
        let replaced: [ReplacedValue]
        let manifest: FlagManifestContent?
        let areAsNow: Bool
    }

    private func definitions(at moment: HistoryMoment) async throws -> Definitions {
        let replaced = try history.replacedValues(after: moment.lastRow, in: nil)
        let (manifest, isAsNow) = manifest(replaced)
        return Definitions(replaced: replaced, manifest: manifest, areAsNow: isAsNow)
    }

    /// Returns the past manifest, or the current one if the past one is invalid by current rules.
    private func manifest(_ replaced: [ReplacedValue]) -> (content: FlagManifestContent?, isAsNow: Bool) {
        let now = workspace.definitions?.content
        guard !replaced.isEmpty else { return (now, true) }
        let entries = Dictionary(replaced.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
        do {
            let manifest = workspace.definitions ?? .empty()
            guard let then = try manifest.content(replacing: entries) else { return (now, true) }
            return (then, false)
        } catch {
            return (now, true)
        }
    }

    private func content(
        of file: Workspace.Values, _ replaced: [ReplacedValue]
    ) throws(HistoryStoreError) -> Result<ProviderContents, FileProblem> {
        var content = file.content
        if case .failure = content, let known = try history.head(of: .values, at: file.provider.path)?.content,
            case .success(let last) = Result(catching: { try PropertyListDocument(source: known, maximumSize: .max) })
        {
            content = .success(last)
        }
        guard !replaced.isEmpty else { return content.map(ProviderContents.file) }
        return content.map { document in
            var root = document.root
            // Removals first: an added value may lie inside a removed one, or the reverse.
            let (gone, there) = (replaced.filter { $0.value == nil }, replaced.filter { $0.value != nil })
            for value in gone + there { root.put(value.value, at: value.key.components[...]) }
            return .tree(root)
        }
    }

    private func flags(
        _ then: FlagCatalogue, _ definitions: [ReplacedValue], _ altered: AlteredKeys
    ) -> [PastFlag] {
        let entries = Dictionary(definitions.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return keys(then).map { key in
            let (before, after) = (then[key], now[key])
            let isLost = before?.isDefined == true && after?.isDefined != true
            let entry = isLost ? entries[key] ?? nil : nil
            return PastFlag(
                key: key, then: before, now: after,
                values: zip(now.providers.filter(\.isFile), workspace.values).map { provider, file in
                    PastFlag.Value(
                        provider: provider.name, then: before?.resolution[provider.name] ?? .absent,
                        now: after?.resolution[provider.name] ?? group(key, in: file, isLost: isLost))
                }, lostDefinition: entry.flatMap { DefinitionEdit(entry: $0, breaksValues: true) },
                alteredRow: altered.row(of: key))
        }
    }

    private func keys(_ then: FlagCatalogue) -> [FlagKeyPath] {
        let gone = then.entries.filter { now[$0.key] == nil }
        guard !gone.isEmpty else { return now.entries.map(\.key) }
        return now.order.sorted((now.entries + gone).map(\.definition)).map(\.key)
    }

    /// Returns the value of a dictionary flag that became a group when it lost its definition.
    private func group(
        _ key: FlagKeyPath, in file: Workspace.Values, isLost: Bool
    ) -> FlagResolution.Answer {
        guard isLost, case .dictionary(let entries)? = file.raw(at: key) else { return .absent }
        return .value(.dictionary(entries), stored: .dictionary(entries))
    }
}

private struct AlteredKeys {
    private let byKey: [FlagKeyPath: HistoryRecord.ID]

    init(_ replaced: some Sequence<ReplacedValue>) {
        byKey = Dictionary(replaced.filter(\.isAltered).map { ($0.key, $0.row) }, uniquingKeysWith: min)
    }

    var rows: [HistoryRecord.ID] { Set(byKey.values).sorted() }

    func row(of key: FlagKeyPath) -> HistoryRecord.ID? {
        guard !byKey.isEmpty else { return nil }
        return byKey.filter { $0.key == key || $0.key.isInside(key) || key.isInside($0.key) }.values.min()
    }
}

extension FlagCatalogue {
    func omitting(_ hidden: Set<FlagKeyPath>) -> FlagCatalogue {
        guard let highest = hidden.map(\.components.count).min() else { return self }
        let above = Set(hidden.flatMap(\.ancestors))
        let kept = entries.filter { entry in
            let isInside = entry.key.components.count > highest && entry.key.ancestors.contains(where: hidden.contains)
            return !isInside && !hidden.contains(entry.key) && !(above.contains(entry.key) && entry.holdsDictionary)
        }
        let groups = collections.isEmpty ? [] : Set(kept.flatMap(\.definition.groups))
        return FlagCatalogue(
            entries: kept, collections: collections.filter { groups.contains($0.key) }, providers: providers,
            order: order)
    }
}

extension FlagEntry {
    fileprivate var holdsDictionary: Bool {
        ([definition.defaultValue] + resolution.readings.map(\.answer.stored)).contains { value in
            if case .dictionary = value { true } else { false }
        }
    }
}

extension FlagValue {
    /// Sets or removes a value, and removes groups that become empty, since they came with their first value.
    fileprivate mutating func put(_ value: FlagValue?, at path: ArraySlice<String>) {
        guard let name = path.first else { return self = value ?? self }
        var entries: [String: FlagValue] = [:]
        if case .dictionary(let known) = self { entries = known } else if value == nil { return }
        // Leaves one owner, so that large values are changed in place.
        self = .dictionary([:])
        let rest = path.dropFirst()
        if rest.isEmpty {
            entries[name] = value
        } else if value != nil {
            entries[name, default: .dictionary([:])].put(value, at: rest)
        } else if entries[name]?.isEmptyDictionary == false {
            entries[name]?.put(nil, at: rest)
            if entries[name]?.isEmptyDictionary == true { entries[name] = nil }
        }
        self = .dictionary(entries)
    }

    private var isEmptyDictionary: Bool {
        if case .dictionary(let entries) = self { entries.isEmpty } else { false }
    }
}
