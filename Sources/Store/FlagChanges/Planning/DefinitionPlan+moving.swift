import FeatureFlags
import FeatureFlagsXML
import FlagHistory

extension DefinitionPlan {
    /// Moves a flag, with history rows for both key paths.
    func rename(_ change: Change, to key: FlagKeyPath) throws(ChangeError) -> PlannedEdits {
        let flag = try defined(change)
        try checkRevision(change, flag)
        let type = flag.definition.type
        guard !key.components.contains("") else { throw .emptyPart(key) }
        let others = workspace.definitions(reachedFrom: key).filter { $0.key != change.key }
        guard flag.file.content.definition(of: key) == nil, others.isEmpty else { throw .unusable(key) }
        var edits: [PlannedEdit] = []
        for (place, values) in workspace.values.enumerated() {
            let (reading, document) = try workspace.readable(values, change.key)
            let stored = try workspace.storedValue(of: change.key, in: document)
            let removed = stored == nil ? document : try context.editing(document, change.key, to: nil)
            try checkFree(key, in: removed)
            guard let stored else { continue }
            try checkWritable(values, change.key)
            let file = EditedFile(content: document, reading: reading)
            let without = file.replaced(by: removed)
            let moved = without.replaced(by: try moving(change.key, to: key, in: document, removed, stored))
            edits.append(
                PlannedEdit(
                    key: change.key, kind: .reset, provider: values.provider.name, type: type, before: stored,
                    after: nil, reading: reading, leaving: without.reading, content: .values(.file(place), removed)))
            edits.append(
                PlannedEdit(
                    key: key, kind: .set, provider: values.provider.name, type: type, before: nil,
                    after: moved.content.held(at: key), reading: without.reading, leaving: moved.reading,
                    content: .values(.file(place), moved.content)))
        }
        let edited = flag.file.replaced(
            by: try tellingProblems(key) { () throws(FlagManifestError) in
                try flag.file.content.setting(["key": .string(key.text)], of: change.key)
            })
        let removal = PlannedEdit(
            key: change.key, kind: .remove, provider: nil, type: type, before: flag.entry, after: nil,
            reading: flag.file.reading, leaving: edited.reading, content: .manifest(edited.content))
        let definition = PlannedEdit(
            key: key, kind: .define, provider: nil, type: type, before: nil,
            after: edited.content.storedEntry(of: key), reading: edited.reading, leaving: edited.reading,
            content: .manifest(edited.content), isRowAlone: true)
        return PlannedEdits(edits + [removal, definition], last: definition, before: flag.entry)
    }

    /// Moves a value with its bytes where its group stays; else writes it anew into the document without it.
    private func moving(
        _ old: FlagKeyPath, to new: FlagKeyPath, in document: PropertyListDocument, _ without: PropertyListDocument,
        _ value: FlagValue
    ) throws(ChangeError) -> PropertyListDocument {
        if old.parent == new.parent, let name = new.components.last {
            do throws(PropertyListEditError) {
                if let renamed = try document.renaming(old, to: name) { return renamed }
            } catch {
                throw context.refusal(error, of: new)
            }
        }
        return try context.editing(without, new, to: value)
    }

    func remove(_ change: Change, withValues: Bool) throws(ChangeError) -> PlannedEdits {
        let flag = try defined(change)
        try checkRevision(change, flag)
        var edits: [PlannedEdit] = []
        for (place, values) in workspace.values.enumerated() {
            guard withValues || flag.definition.metadata.isInternal else { break }
            let (reading, document) = try workspace.readable(values, change.key)
            guard let stored = try workspace.storedValue(of: change.key, in: document) else { continue }
            guard withValues else { throw .revealing(change.key) }
            try checkWritable(values, change.key)
            let file = EditedFile(content: document, reading: reading)
                .replaced(by: try context.editing(document, change.key, to: nil))
            edits.append(
                PlannedEdit(
                    key: change.key, kind: .reset, provider: values.provider.name, type: flag.definition.type,
                    before: stored, after: nil, reading: reading, leaving: file.reading,
                    content: .values(.file(place), file.content)))
        }
        let edited = try tellingProblems(change.key) { () throws(FlagManifestError) in
            try flag.file.content.removing(change.key)
        }
        let removal = flag.edit(.remove, as: flag.file.replaced(by: edited))
        return PlannedEdits(edits + [removal], last: removal, before: removal.before)
    }

    private func checkWritable(_ file: Workspace.Values, _ key: FlagKeyPath) throws(ChangeError) {
        guard !file.provider.isWritable else { return }
        let cause = "\(file.provider.name) has a value for \(key) and is read-only."
        throw ChangeError(
            .invalid, key: key, cause,
            remedy: "Remove the value from that provider's file first. Nothing was changed.",
            problems: ["key": "\(cause) Remove it there first."])
    }

    /// Refuses a taken key path; an empty group is free.
    private func checkFree(_ key: FlagKeyPath, in document: PropertyListDocument) throws(ChangeError) {
        switch Result(catching: { try document.value(at: key) }) {
        case .success(nil), .success(.dictionary([:])): return
        case .success, .failure: throw .unusable(key)
        }
    }
}

extension PropertyListDocument {
    fileprivate func held(at key: FlagKeyPath) -> FlagValue? {
        if case .success(let value) = Result(catching: { try value(at: key) }) { value } else { nil }
    }
}

extension ChangeError {
    /// Refuses a removal that would reveal an internal flag's values.
    fileprivate static func revealing(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) is internal: without its definition, its values would be visible to everyone.",
            remedy: "Delete its values too, or make it non-internal first. Nothing was changed.")
    }
}
