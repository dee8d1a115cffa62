import FeatureFlags
import FeatureFlagsXML
import FlagHistory

extension ChangePlan {
    /// The edits that move a flag: each provider's value, then the key path of its definition.
    ///
    /// The history tells of each at the old key path and at the new one.
    func renamingEdits(_ change: Change, to key: FlagKeyPath) throws(ChangeError) -> [PlannedEdit] {
        let defined = try defined(change)
        try checkRevision(change, defined, nil)
        let type = defined.definition.type
        guard !key.components.contains("") else { throw .emptyPart(key) }
        let others = workspace.definitions(reachedFrom: key).filter { $0.key != change.key }
        guard defined.manifest.definition(of: key) == nil, others.isEmpty else { throw .unusable(key) }
        var edits: [PlannedEdit] = []
        for (place, file) in workspace.values.enumerated() {
            let (reading, document) = try readable(file, change.key)
            let stored = try storedValue(of: change.key, in: document)
            let removed = stored == nil ? document : try edit(document, change.key, to: nil)
            try checkFree(key, in: removed)
            guard let stored else { continue }
            try checkWritable(file, change.key)
            let moved = try edit(removed, key, to: stored)
            edits.append(
                PlannedEdit(
                    key: change.key, kind: .reset, provider: file.provider.name, type: type, before: stored, after: nil,
                    reading: reading, content: .values(place, removed)))
            edits.append(
                PlannedEdit(
                    key: key, kind: .set, provider: file.provider.name, type: type, before: nil,
                    after: workspace.value(at: key, of: moved), reading: reading.replaced(by: removed.source),
                    content: .values(place, moved)))
        }
        let edited = try edited(key) { () throws(FlagManifestEditError) in
            try defined.manifest.setting(["key": .string(key.text)], of: change.key)
        }
        let after = edited.storedEntry(of: key)
        return edits + [
            PlannedEdit(
                key: change.key, kind: .remove, provider: nil, type: type, before: defined.entry, after: nil,
                reading: defined.reading, content: .manifest(edited)),
            PlannedEdit(
                key: key, kind: .define, provider: nil, type: type, before: nil, after: after,
                reading: defined.reading.replaced(by: edited.document.source), content: .manifest(edited),
                toldBefore: defined.entry, isRowAlone: true),
        ]
    }

    /// Refuses a key path where a file holds something, or can't hold anything; an empty group is nothing.
    private func checkFree(_ key: FlagKeyPath, in document: PropertyListDocument) throws(ChangeError) {
        switch Result(catching: { try document.value(at: key) }) {
        case .success(nil), .success(.dictionary([:])): return
        case .success, .failure: throw .unusable(key)
        }
    }
}

extension Workspace {
    /// What stands at a key in a document that was just written.
    fileprivate func value(at key: FlagKeyPath, of document: PropertyListDocument) -> FlagValue? {
        if case .success(let value) = Result(catching: { try document.value(at: key) }) { value } else { nil }
    }
}
