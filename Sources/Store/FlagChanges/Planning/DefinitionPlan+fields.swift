import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

enum FieldChange {
    case tag(String, isSet: Bool)
    case lock(Bool)

    init?(_ action: Change.Action) {
        switch action {
        case .definition(.tag(let tag, let isSet)): self = .tag(tag, isSet: isSet)
        case .definition(.lock): self = .lock(true)
        case .definition(.unlock): self = .lock(false)
        default: return nil
        }
    }
}

struct WantedFields {
    let kind: HistoryRecord.Kind
    let flag: StoredFlag
    /// The new values; `nil` removes a field.
    let fields: [String: FlagValue?]
    let areNew: Bool
}

struct PlannedField {
    let change: Change
    let wanted: Result<WantedFields, ChangeError>
}

extension DefinitionPlan {
    /// Edits flags together, or one by one to find failures.
    func edited(_ run: [PlannedField]) -> [PlannedChange] {
        let together = editedTogether(run)
        var last: EditedFile<FlagManifest>?
        return run.map { field in
            let result = Result { () throws(ChangeError) in
                let wanted = try field.wanted.get()
                let flag = wanted.flag
                guard wanted.areNew else {
                    return PlannedEdits(unchanged: flag.entry, provider: nil, type: flag.definition.type)
                }
                if let together { return PlannedEdits(flag.edit(wanted.kind, as: together)) }
                let start = last ?? flag.file
                let file = start.replaced(
                    by: try tellingProblems(field.change.key) { () throws(FlagManifestError) in
                        try start.content.setting(wanted.fields, of: field.change.key)
                    })
                last = file
                return PlannedEdits(flag.edit(wanted.kind, as: file, from: start.reading))
            }
            return PlannedChange(change: field.change, result: result)
        }
    }

    private func editedTogether(_ run: [PlannedField]) -> EditedFile<FlagManifest>? {
        let wanted = run.compactMap { field in
            if case .success(let wanted) = field.wanted, wanted.areNew { (field.change.key, wanted) } else { nil }
        }
        guard let file = wanted.first?.1.flag.file else { return nil }
        let edited = Result { () throws(FlagManifestError) in
            try file.content.setting(wanted.map { (key: $0.0, fields: $0.1.fields) })
        }
        guard case .success(let manifest) = edited else { return nil }
        return file.replaced(by: manifest)
    }

    func wantedFields(_ change: Change, _ field: FieldChange) throws(ChangeError) -> WantedFields {
        switch field {
        case .tag(let tag, let isSet): try wantedTags(change, tag, isSet: isSet)
        case .lock(let isLocked): try wantedLock(change, isLocked: isLocked)
        }
    }

    private func wantedTags(_ change: Change, _ tag: String, isSet: Bool) throws(ChangeError) -> WantedFields {
        let flag = try defined(change)
        guard !tag.allSatisfy(\.isWhitespace) else {
            throw ChangeError(
                .invalid, key: change.key, "Enter a tag.", remedy: "Nothing was changed.",
                problems: ["tag": "Enter a tag."])
        }
        try checkRevision(change, flag)
        let old = flag.definition.metadata.tags
        var tags = old
        if !isSet { tags.removeAll { $0 == tag } } else if !tags.contains(tag) { tags.append(tag) }
        let field: FlagValue? = tags.isEmpty ? nil : .array(tags.map(FlagValue.string))
        return WantedFields(kind: .redefine, flag: flag, fields: ["tags": field], areNew: tags != old)
    }

    /// Plans a lock; unlocking removes `isLocked`.
    private func wantedLock(_ change: Change, isLocked: Bool) throws(ChangeError) -> WantedFields {
        let flag = try lockable(change, isLocked ? "lock" : "unlock")
        return WantedFields(
            kind: isLocked ? .lock : .unlock, flag: flag, fields: ["isLocked": isLocked ? .bool(true) : nil],
            areNew: flag.definition.metadata.isLocked != isLocked)
    }

    private func lockable(_ change: Change, _ verb: String) throws(ChangeError) -> StoredFlag {
        let name = context.files.manifest.lastPathComponent
        guard case .success(_?) = workspace.manifest.content else {
            throw ChangeError(
                .invalid, key: change.key,
                "Can't \(verb) \(change.key): the file has no manifest to store the lock in.",
                remedy: "Create \(name) with the flag's key and type first. Nothing was changed.")
        }
        guard let flag = workspace.storedFlag(change.key) else {
            throw ChangeError(
                .invalid, key: change.key, "Can't \(verb) \(change.key): it has a value but no definition.",
                remedy: "Add its key and type to \(name) first. Nothing was changed.")
        }
        return flag
    }
}

extension DefinitionEdit {
    func changes(of flag: StoredFlag) -> [String: FlagValue?] {
        let new = fields(for: flag.definition.key)
        var old = flag.definition.manifestEntry
        if entry != nil, case .dictionary(let stored) = flag.entry { old = stored }
        old["key"] = new["key"]
        var changed: [String: FlagValue?] = [:]
        for name in Set(new.keys).union(old.keys) where new[name] != old[name] {
            // JSON can't express the types of a default's parts: they keep their types.
            let value = entry == nil ? new[name]?.keepingKindsOfParts(of: old[name]) : new[name]
            if value != old[name] { changed[name] = .some(value) }
        }
        return changed
    }
}

extension FlagValue {
    fileprivate func keepingKindsOfParts(of old: FlagValue?) -> FlagValue {
        switch self {
        case .array, .dictionary: keepingKinds(of: old)
        default: self
        }
    }
}
