import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension Workspace.Values {
    /// The hash of ``lastDocument``.
    var lastHash: Data? { if case .success = content { reading?.hash } else { lastSoundHash } }

    /// Keeps what the file said before, for flags whose values there are broken now: where it can't be read, all of it; else the last
    /// good value of each flag that the edit reached and broke.
    mutating func remember(_ before: Workspace.Values, _ definitions: FlagManifest?) {
        lastGood = before.lastGood
        guard case .success(let document) = content else {
            (lastSound, lastSoundHash) = (before.lastDocument, before.lastHash)
            return
        }
        guard let old = before.lastDocument, lastHash != before.lastHash else { return }
        let changed = document.changedKeys(since: old)
        if let definitions {
            let (then, now) = (snapshot(of: old, definitions), snapshot(of: document, definitions))
            for definition in definitions.definitions(reachedFrom: changed) {
                switch (
                    definition.resolve(in: [now]).readings[0].answer, definition.resolve(in: [then]).readings[0].answer
                ) {
                case (.broken, .value(_, let stored)): lastGood[definition.key] = stored
                case (.broken, .broken): break
                default: lastGood[definition.key] = nil
                }
            }
        }
        // Of a flag without a definition, whatever can be read is good.
        for key in changed where definitions?.definition(of: key) == nil {
            switch (document.leaf(at: key), old.leaf(at: key)) {
            case (let now?, let then?) where now.brokenPart != nil && then.brokenPart == nil: lastGood[key] = then
            case (let now?, _) where now.brokenPart != nil: break
            default: lastGood[key] = nil
            }
        }
    }

    private func snapshot(of document: PropertyListDocument, _ definitions: FlagManifest) -> ValuesSnapshot {
        ValuesSnapshot(
            name: provider.name, shortDescription: "", isWritable: false, content: .success(.file(document)),
            dictionaryKeys: definitions.dictionaryKeys)
    }
}

extension Workspace {
    /// Takes up from the history what files held that can't be read, and were not read before.
    mutating func recallFiles(from history: HistoryStore) throws(HistoryStoreError) {
        for place in values.indices {
            guard case .failure = values[place].content, values[place].lastSound == nil,
                let head = try history.head(of: .values, at: values[place].provider.path), let content = head.content,
                case .success(let document) = Result(catching: {
                    try PropertyListDocument(source: content, maximumSize: .max)
                })
            else { continue }
            (values[place].lastSound, values[place].lastSoundHash) = (document, head.hash)
        }
    }

    /// Takes up from the history the last good values of flags whose values are broken, and were not seen before they were.
    mutating func recallLastGood(
        of catalogue: FlagCatalogue, from history: HistoryStore
    ) throws(HistoryStoreError) -> Bool {
        var isAnyFound = false
        // Read once for all flags of a file.
        var unrecorded: [Int: PropertyListDocument?] = [:]
        for entry in catalogue.entries {
            for reading in entry.resolution.readings where reading.problem != nil && reading.lastGood == nil {
                guard let place = values.firstIndex(where: { $0.provider.name == reading.provider }) else { continue }
                if unrecorded.index(forKey: place) == nil {
                    unrecorded[place] = .some(try self.unrecorded(values[place], history))
                }
                let known = unrecorded[place] ?? nil
                guard let found = try lastGood(of: entry.definition, at: place, known, in: history) else { continue }
                values[place].lastGood[entry.key] = found
                isAnyFound = true
            }
        }
        return isAnyFound
    }

    /// So many rows of a flag are looked through for its last good value.
    private static let mostRows = 50

    /// The newest good value of a flag that the history knows of a file, since the file last held none.
    private func lastGood(
        of definition: FlagDefinition, at place: Int, _ unrecorded: PropertyListDocument?, in history: HistoryStore
    ) throws(HistoryStoreError) -> FlagValue? {
        let file = values[place]
        // What a file does not hold, or did not when it could last be read, was removed on purpose, or never there.
        guard file.lastDocument?.holdsAnything(onTheWayTo: definition.key) == true else { return nil }
        if let unrecorded,
            case .success(let stored?) = Result(catching: {
                try unrecorded.value(at: definition.key, dictionaryKeys: dictionaryKeys)
            }), definition.takes(stored)
        {
            return stored
        }
        let rows = try history.newest(HistoryQuery(key: definition.key, hiddenKeys: [], limit: Self.mostRows))
        for row in rows where row.event.kind.changesFlags && row.event.provider == file.provider.name {
            // Nothing behind a row that another program altered is known for sure.
            guard !row.isAltered, let before = row.event.before else { return nil }
            if definition.takes(before) { return before }
        }
        return nil
    }

    /// What the history last knew of a file that is only looked at, and was edited since; `nil` where it was not.
    private func unrecorded(
        _ file: Values, _ history: HistoryStore
    ) throws(HistoryStoreError) -> PropertyListDocument? {
        guard let hash = try history.headHash(of: .values, at: file.provider.path), hash != file.lastHash,
            let content = try history.head(of: .values, at: file.provider.path)?.content,
            case .success(let document) = Result(catching: {
                try PropertyListDocument(source: content, maximumSize: .max)
            })
        else { return nil }
        return document
    }
}

extension FlagDefinition {
    /// Whether a stored value is one of the flag's.
    fileprivate func takes(_ stored: FlagValue) -> Bool {
        if case .success = Result(catching: { try interpret(stored) }) { true } else { false }
    }
}

extension FlagManifest {
    /// The definitions of the flags whose values may follow from what is at some key paths.
    fileprivate func definitions(reachedFrom keys: [FlagKeyPath]) -> [FlagDefinition] {
        var reached: Set<FlagKeyPath> = []
        for key in keys {
            reached.formUnion(([key] + key.ancestors).filter(content.defines))
            reached.formUnion(content.keys(inside: key))
        }
        return reached.compactMap(definition)
    }
}

extension PropertyListDocument {
    /// The value at a key path, where nothing bars the way.
    fileprivate func leaf(at key: FlagKeyPath) -> FlagValue? {
        do throws(FlagValueError) { return try value(at: key) } catch { return nil }
    }

    /// Whether a key path leads to a value, or is barred by one.
    fileprivate func holdsAnything(onTheWayTo key: FlagKeyPath) -> Bool {
        do throws(FlagValueError) { return try value(at: key) != nil } catch { return true }
    }
}
