import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Works out the flags of a moment of the past from the files as they are and the history.
struct PastStateBuilder {
    let workspace: Workspace
    let now: FlagCatalogue
    let history: HistoryStore
    let showsInternal: Bool

    /// The flags at a moment.
    ///
    /// Definitions and values are worked out beside each other: a long history makes each of them long to read. What is
    /// changed between the two reads is undone by each that sees it, so they still tell of one moment.
    ///
    /// - Throws: ``HistoryStoreError`` where the history can't be read.
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
            // What is broken now, and was not changed since, was as good then.
            let changed = Set(replaced.map(\.key))
            return ValuesSnapshot(
                name: file.provider.name, shortDescription: file.provider.shortDescription,
                isWritable: false, content: content, dictionaryKeys: dictionaryKeys,
                isAsked: file.provider.isAsked, lastGood: file.lastGood.filter { !changed.contains($0.key) },
                unreadFlags: workspace.unreadFlags(of: file))
        }
        // What the app itself holds has no past that is known: without it, a flag that the app overrides all the time would
        // seem to have changed.
        let snapshots = workspace.appProviders.joined(with: files, dictionaryKeys)
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

    /// The definitions of a moment.
    private struct Definitions: Sendable {
        /// What changes since replaced.
        let replaced: [ReplacedValue]
        let manifest: FlagManifestContent?
        let areAsNow: Bool
    }

    private func definitions(at moment: HistoryMoment) async throws -> Definitions {
        let replaced = try history.replacedValues(after: moment.lastRow, in: nil)
        let (manifest, isAsNow) = manifest(replaced)
        return Definitions(replaced: replaced, manifest: manifest, areAsNow: isAsNow)
    }

    /// The manifest as it was; as it is where nothing in it was changed since, or what it was is no manifest by the rules of
    /// now.
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

    /// What a file held: what it holds, or what the history last knew of it where it can't be read, less the changes
    /// since.
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
            // What was not there goes first, since what was there may stand in it, or it in that.
            let (gone, there) = (replaced.filter { $0.value == nil }, replaced.filter { $0.value != nil })
            for value in gone + there { root.put(value.value, at: value.key.components[...]) }
            return .tree(root)
        }
    }

    /// The flags of then and of now, in the order of now.
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

    /// The flags that there were and that there are, in the order of now.
    private func keys(_ then: FlagCatalogue) -> [FlagKeyPath] {
        let gone = then.entries.filter { now[$0.key] == nil }
        guard !gone.isEmpty else { return now.entries.map(\.key) }
        return FlagOrder(collections: now.collections).sorted((now.entries + gone).map(\.definition)).map(\.key)
    }

    /// What a file holds where a flag was that held a dictionary as long as it was defined so: now that is a group.
    private func group(
        _ key: FlagKeyPath, in file: Workspace.Values, isLost: Bool
    ) -> FlagResolution.Answer {
        guard isLost, case .dictionary(let entries)? = file.raw(at: key) else { return .absent }
        return .value(.dictionary(entries), stored: .dictionary(entries))
    }
}

/// The key paths of which an altered row tells what there was.
private struct AlteredKeys {
    private let byKey: [FlagKeyPath: HistoryRecord.ID]

    init(_ replaced: some Sequence<ReplacedValue>) {
        byKey = Dictionary(replaced.filter(\.isAltered).map { ($0.key, $0.row) }, uniquingKeysWith: min)
    }

    /// The rows, oldest first.
    var rows: [HistoryRecord.ID] { Set(byKey.values).sorted() }

    /// The row that tells what a flag was, what it stood in, or what stood in it.
    func row(of key: FlagKeyPath) -> HistoryRecord.ID? {
        guard !byKey.isEmpty else { return nil }
        return byKey.filter { $0.key == key || $0.key.isInside(key) || key.isInside($0.key) }.values.min()
    }
}

extension FlagCatalogue {
    /// The catalogue without some flags, whatever once stood inside them, and values that once held them.
    func omitting(_ hidden: Set<FlagKeyPath>) -> FlagCatalogue {
        guard let highest = hidden.map(\.components.count).min() else { return self }
        let above = Set(hidden.flatMap(\.ancestors))
        let kept = entries.filter { entry in
            let isInside = entry.key.components.count > highest && entry.key.ancestors.contains(where: hidden.contains)
            return !isInside && !hidden.contains(entry.key) && !(above.contains(entry.key) && entry.holdsDictionary)
        }
        let groups = collections.isEmpty ? [] : Set(kept.flatMap(\.key.ancestors))
        return FlagCatalogue(
            entries: kept, collections: collections.filter { groups.contains($0.key) }, providers: providers)
    }
}

extension FlagEntry {
    /// Whether any value of the flag, or its default, is a dictionary.
    fileprivate var holdsDictionary: Bool {
        ([definition.defaultValue] + resolution.readings.map(\.answer.stored)).contains { value in
            if case .dictionary = value { true } else { false }
        }
    }
}

extension FlagValue {
    /// Puts a value at a path of this tree, in place of anything in its way; `nil` removes.
    ///
    /// A group that becomes empty goes too, as it came with the first value in it.
    fileprivate mutating func put(_ value: FlagValue?, at path: ArraySlice<String>) {
        guard let name = path.first else { return self = value ?? self }
        var entries: [String: FlagValue] = [:]
        if case .dictionary(let known) = self { entries = known } else if value == nil { return }
        // Only one owner is left, so that what is large is changed where it is rather than copied for each value.
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
