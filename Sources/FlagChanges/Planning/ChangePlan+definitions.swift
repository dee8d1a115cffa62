import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ChangePlan {
    /// The edit that adds a flag's definition.
    func definingEdit(_ change: Change, _ edit: DefinitionEdit) throws(ChangeError) -> PlannedEdit {
        let (manifest, reading) = try manifestOrNew(change.key)
        var definition = edit.definition
        definition.key = change.key
        try checkUsable(change.key, for: definition.type)
        if !edit.breaksValues { try checkValues(of: definition, since: nil) }
        let edited = try edited(change.key) { () throws(FlagManifestEditError) in
            try manifest.adding(edit.fields(for: change.key), for: change.key)
        }
        return PlannedEdit(
            key: change.key, kind: .define, provider: nil, type: definition.type, before: nil,
            after: edited.storedEntry(of: change.key), reading: reading, content: .manifest(edited))
    }

    /// The edit of a flag's definition: only the fields that differ change.
    func redefiningEdit(_ change: Change, _ edit: DefinitionEdit) throws(ChangeError) -> PlannedEdit {
        let defined = try defined(change)
        var definition = edit.definition
        definition.key = change.key
        try checkRevision(change, defined, .dictionary(edit.fields(for: change.key)))
        let changesValues = !definition.hasSameValues(as: defined.definition)
        if changesValues {
            if defined.definition.metadata.isLocked { throw .lockedDefinition(change.key) }
            if !edit.breaksValues { try checkValues(of: definition, since: defined.definition) }
        }
        let edited = try edited(change.key) { () throws(FlagManifestEditError) in
            try defined.manifest.setting(edit.changes(of: defined), of: change.key)
        }
        return defined.edit(.redefine, as: edited, type: definition.type)
    }

    /// The edit that marks a flag as retired, or takes the mark away.
    func retiringEdit(_ change: Change, _ reason: String?) throws(ChangeError) -> PlannedEdit {
        let defined = try defined(change)
        if let reason, reason.allSatisfy(\.isWhitespace) {
            throw ChangeError(
                .invalid, key: change.key, "\(change.key) is retired for a reason, and none is given.",
                remedy: "Say why nobody should use the flag any more.",
                problems: ["retired": "Say why nobody should use the flag any more."])
        }
        if let reason, reason.utf16.count > Change.longestReason {
            throw .reasonTooLong(change.key, reason.utf16.count)
        }
        try checkRevision(change, defined, nil)
        let edited = try edited(change.key) { () throws(FlagManifestEditError) in
            try defined.manifest.setting(["retired": reason.map(FlagValue.string)], of: change.key)
        }
        return defined.edit(.redefine, as: edited, type: defined.definition.type)
    }

    /// The edits that remove a flag: of its values, where they are to go too, then of its definition.
    func removingEdits(_ change: Change, withValues: Bool) throws(ChangeError) -> [PlannedEdit] {
        let defined = try defined(change)
        try checkRevision(change, defined, nil)
        var edits: [PlannedEdit] = []
        for (place, file) in workspace.values.enumerated() {
            guard withValues || defined.definition.metadata.isInternal else { break }
            let (reading, document) = try readable(file, change.key)
            guard let stored = try storedValue(of: change.key, in: document) else { continue }
            guard withValues else { throw .revealing(change.key) }
            try checkWritable(file, change.key)
            edits.append(
                PlannedEdit(
                    key: change.key, kind: .reset, provider: file.provider.name, type: defined.definition.type,
                    before: stored, after: nil, reading: reading,
                    content: .values(place, try edit(document, change.key, to: nil))))
        }
        let edited = try edited(change.key) { () throws(FlagManifestEditError) in
            try defined.manifest.removing(change.key)
        }
        return edits + [defined.edit(.remove, as: edited, type: defined.definition.type)]
    }

    // MARK: Rules

    /// Refuses a key path that is taken, or stands inside or around what is; one and the same refusal for all of them.
    func checkUsable(_ key: FlagKeyPath, for type: FlagType) throws(ChangeError) {
        guard !key.components.contains("") else { throw .emptyPart(key) }
        guard workspace.definitions?.definition(of: key) == nil, workspace.definitions(reachedFrom: key).isEmpty else {
            throw .unusable(key)
        }
        for file in workspace.values {
            guard case .success(let document) = file.content else { continue }
            guard case .success(let value) = Result(catching: { try document.value(at: key) }) else {
                throw .unusable(key)
            }
            // An empty group is nothing.
            if case .dictionary(let inner) = value, !inner.isEmpty, type != .dictionary, type != .json {
                throw .unusable(key)
            }
        }
    }

    /// Refuses a definition with which a stored value would be broken that is not so now.
    private func checkValues(of definition: FlagDefinition, since old: FlagDefinition?) throws(ChangeError) {
        var broken: [String] = []
        for file in workspace.values {
            guard let value = workspace.raw(definition.key, in: file), !definition.takes(value),
                old?.takes(value) ?? true
            else { continue }
            broken.append("\(file.provider.name) holds \(value.briefDescription)")
        }
        if !broken.isEmpty { throw .breaking(definition.key, broken) }
    }

    func checkWritable(_ file: Workspace.Values, _ key: FlagKeyPath) throws(ChangeError) {
        guard !file.provider.isWritable else { return }
        let cause = "The provider \(file.provider.name) holds a value of \(key) and is read-only."
        throw ChangeError(
            .invalid, key: key, cause,
            remedy: "Have whoever keeps that provider remove the value first; nothing was changed.",
            problems: ["key": "\(cause) It must be removed there first."])
    }

    func checkRevision(
        _ change: Change, _ defined: StoredFlag, _ yours: FlagValue?
    ) throws(ChangeError) {
        guard let revisions = change.revisions, let revision = revisions.first,
            !revisions.contains(FlagRevision(of: defined.entry))
        else { return }
        throw .changedDefinition(
            change.key,
            ChangeConflict(
                provider: context.files.manifest.lastPathComponent, revision: revision,
                theirs: .init(value: defined.entry, record: nil), yours: yours, isOfDefinition: true))
    }

    // MARK: The manifest

    /// The manifest and where it was read, or the one that is to be made for the first definition.
    private func manifestOrNew(_ key: FlagKeyPath) throws(ChangeError) -> (FlagManifest, FileReading) {
        if case .success(let manifest?) = workspace.manifest.content, let reading = workspace.manifest.reading {
            return (manifest, reading)
        }
        guard let other = workspace.values.lazy.compactMap(\.reading).first else {
            throw ChangeError(
                .unavailable, key: key, "\(key) can't be defined now: no file can be read.",
                remedy: "Repair the files; nothing was changed.")
        }
        let manifest = FlagManifest.empty()
        return (manifest, other.replaced(by: manifest.document.source))
    }

    /// A flag that has a definition.
    func defined(_ change: Change) throws(ChangeError) -> StoredFlag {
        guard let flag = storedFlag(change.key) else {
            throw ChangeError(
                .invalid, key: change.key, "\(change.key) has no definition: it is known by its value alone.",
                remedy: "Define it first; nothing was changed.")
        }
        return flag
    }

    /// A flag and its entry in the manifest; `nil` where it has none.
    func storedFlag(_ key: FlagKeyPath) -> StoredFlag? {
        guard case .success(let manifest?) = workspace.manifest.content, let reading = workspace.manifest.reading,
            let definition = manifest.definition(of: key), let entry = manifest.storedEntry(of: key)
        else { return nil }
        return StoredFlag(manifest: manifest, reading: reading, definition: definition, entry: entry)
    }

    /// An edit of the manifest, with what is wrong with it told field by field.
    func edited(
        _ key: FlagKeyPath, _ edit: () throws(FlagManifestEditError) -> FlagManifest
    ) throws(ChangeError) -> FlagManifest {
        do throws(FlagManifestEditError) {
            return try edit()
        } catch {
            switch error {
            case .edit(let error): throw refusal(error, of: key)
            case .invalid(let error): throw .invalid(key, error)
            }
        }
    }
}

/// A flag that has a definition, and the manifest that holds it.
struct StoredFlag {
    let manifest: FlagManifest
    let reading: FileReading
    let definition: FlagDefinition
    /// The definition's entry as the file holds it.
    let entry: FlagValue

    /// The edit that leaves the manifest as another one.
    func edit(_ kind: HistoryRecord.Kind, as edited: FlagManifest, type: FlagType) -> PlannedEdit {
        PlannedEdit(
            key: definition.key, kind: kind, provider: nil, type: type, before: entry,
            after: edited.storedEntry(of: definition.key), reading: reading, content: .manifest(edited))
    }
}

extension FlagDefinition {
    /// Whether the flag can have the same values as another, and falls back to the same one.
    fileprivate func hasSameValues(as other: FlagDefinition) -> Bool {
        type == other.type && defaultValue == other.defaultValue && constraints == other.constraints
            && suggestions == other.suggestions
    }

    fileprivate func takes(_ value: FlagValue) -> Bool {
        if case .success = Result(catching: { try interpret(value) }) { true } else { false }
    }
}

extension Workspace {
    /// What stands at a key in a file, whatever it is.
    func raw(_ key: FlagKeyPath, in file: Values) -> FlagValue? {
        guard case .success(let document) = file.content,
            case .success(let value) = Result(catching: { try document.value(at: key) })
        else { return nil }
        return value
    }
}

extension ChangeError {
    /// A definition that is not valid; what is told is about this flag alone.
    fileprivate static func invalid(_ key: FlagKeyPath, _ error: FlagManifestError) -> ChangeError {
        var problems: [String: String] = [:]
        for problem in error.problems where problem.subject == key.text || problem.field == "key" {
            problems[problem.field ?? "key"] = problem.reason
        }
        let text = problems.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
        return ChangeError(
            .invalid, key: key, "The definition of \(key) is not valid\(text.isEmpty ? "" : ": \(text)").",
            remedy: "Correct it and save again; nothing was changed.", problems: problems)
    }

    /// A definition without which the values of an internal flag would show.
    fileprivate static func revealing(_ key: FlagKeyPath) -> ChangeError {
        ChangeError(
            .invalid, key: key, "\(key) is internal: without its definition, everybody would see its values.",
            remedy: "Delete it together with its values, or make it no longer internal first; nothing was changed.")
    }
}
