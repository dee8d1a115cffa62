import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension Workspace.Values {
    var lastHash: Data? { if case .success = content { reading?.hash } else { lastSoundHash } }

    /// Keeps earlier content of broken flags.
    ///
    /// An unreadable file keeps all of it, else each flag that the edit broke keeps its last good value.
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
        // Without a definition, any readable value is good.
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
            name: provider.name, shortDescription: "", isWritable: false, areOverrides: provider.isWritable,
            content: .success(.file(document)), dictionaryKeys: definitions.dictionaryKeys)
    }
}

extension Workspace {
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

    mutating func recallLastGood(
        of catalogue: FlagCatalogue, from history: HistoryStore
    ) throws(HistoryStoreError) -> Bool {
        var isAnyFound = false
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

    private static let mostRows = 50

    /// Returns the newest good value since the flag was last absent.
    private func lastGood(
        of definition: FlagDefinition, at place: Int, _ unrecorded: PropertyListDocument?, in history: HistoryStore
    ) throws(HistoryStoreError) -> FlagValue? {
        let file = values[place]
        // A value that the file doesn't hold was removed on purpose, or never existed.
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
            // Rows before one that another program altered can't be trusted.
            guard !row.isAltered, let before = row.event.before else { return nil }
            if definition.takes(before) { return before }
        }
        return nil
    }

    /// Returns the history's content of a file edited since; `nil` if it wasn't.
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
    func takes(_ stored: FlagValue) -> Bool {
        if case .success = Result(catching: { try interpret(stored) }) { true } else { false }
    }
}

extension FlagManifest {
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
    /// Returns the value; `nil` if another one is in the way.
    fileprivate func leaf(at key: FlagKeyPath) -> FlagValue? {
        do throws(FlagValueError) { return try value(at: key) } catch { return nil }
    }

    fileprivate func holdsAnything(onTheWayTo key: FlagKeyPath) -> Bool {
        do throws(FlagValueError) { return try value(at: key) != nil } catch { return true }
    }
}
