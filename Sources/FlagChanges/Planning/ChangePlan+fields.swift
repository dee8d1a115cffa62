import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// A change of a single field of a flag's definition.
enum FieldChange {
    case tag(String, isSet: Bool)
    case lock(Bool)

    /// What an action changes; `nil` where it is none of a single field.
    init?(_ action: Change.Action) {
        switch action {
        case .tag(let tag, let isSet): self = .tag(tag, isSet: isSet)
        case .lock: self = .lock(true)
        case .unlock: self = .lock(false)
        case .setText, .setValue, .setJSON, .putBack, .reset, .define, .redefine, .rename, .retire, .remove: return nil
        }
    }
}

/// What a change asks of single fields of a flag's definition: its lock, or its tags.
struct WantedFields {
    let change: Change
    let kind: HistoryRecord.Kind
    let flag: StoredFlag
    /// What each field is to hold; `nil` removes it.
    let fields: [String: FlagValue?]
    /// Whether the definition says something else now.
    let areNew: Bool

    /// The edit that leaves the manifest as another one.
    func edit(as edited: FlagManifest) -> PlannedEdit {
        flag.edit(kind, as: edited, type: flag.definition.type)
    }
}

extension ChangePlan {
    /// The changes of single fields that changes begin with, each of another flag.
    func fieldRun(_ changes: ArraySlice<Change>) -> [(change: Change, field: FieldChange)] {
        var keys: Set<FlagKeyPath> = []
        var run: [(change: Change, field: FieldChange)] = []
        for change in changes {
            guard let field = FieldChange(change.action), keys.insert(change.key).inserted else { break }
            run.append((change, field))
        }
        return run
    }

    /// Adds changes of single fields, each of another flag: all by one edit of the manifest.
    mutating func addFields(_ run: [(change: Change, field: FieldChange)], of request: ChangeRequest) -> [Step] {
        let wanted = run.map { change, field in
            Result { () throws(ChangeError) in
                _ = try allowed(change, by: request.author)
                return try wantedFields(change, field)
            }
        }
        let found = wanted.compactMap { if case .success(let fields) = $0 { fields } else { nil } }
        guard found.count > 1, case .success(let edited) = Result(catching: { try manifest(with: found) }) else {
            return run.map { add($0.change, of: request) }
        }
        let after = found[0].flag.reading.replaced(by: edited.document.source)
        return zip(run.map(\.change), wanted).map { change, wanted in
            switch wanted {
            case .failure(let refusal): return refused(change, refusal)
            case .success(let wanted):
                let edit = wanted.edit(as: edited)
                let preview = ChangePreview(
                    change: change, provider: nil, before: edit.before, after: edit.after, type: edit.type)
                let event = wanted.areNew ? add(edit, leaving: after, change, request) : nil
                return Step(preview: preview, event: event)
            }
        }
    }

    /// The edit of a definition's field by itself.
    func fieldEdit(_ change: Change, _ field: FieldChange) throws(ChangeError) -> PlannedEdit {
        let wanted = try wantedFields(change, field)
        return wanted.edit(as: try manifest(with: [wanted]))
    }

    /// What a change asks of a definition, where nothing speaks against it but perhaps the edit of the manifest itself.
    private func wantedFields(_ change: Change, _ field: FieldChange) throws(ChangeError) -> WantedFields {
        switch field {
        case .tag(let tag, let isSet): try wantedTags(change, tag, isSet: isSet)
        case .lock(let isLocked): try wantedLock(change, isLocked: isLocked)
        }
    }

    private func wantedTags(_ change: Change, _ tag: String, isSet: Bool) throws(ChangeError) -> WantedFields {
        let flag = try defined(change)
        guard !tag.allSatisfy(\.isWhitespace) else {
            throw ChangeError(
                .invalid, key: change.key, "No tag is named.", remedy: "Name the tag; nothing was changed.",
                problems: ["tag": "Name the tag."])
        }
        try checkRevision(change, flag, nil)
        let old = flag.definition.metadata.tags
        var tags = old
        if !isSet { tags.removeAll { $0 == tag } } else if !tags.contains(tag) { tags.append(tag) }
        let field: FlagValue? = tags.isEmpty ? nil : .array(tags.map(FlagValue.string))
        return WantedFields(change: change, kind: .redefine, flag: flag, fields: ["tags": field], areNew: tags != old)
    }

    /// An unlocked flag has no entry `isLocked`, as one that never was locked.
    private func wantedLock(_ change: Change, isLocked: Bool) throws(ChangeError) -> WantedFields {
        let flag = try lockable(change)
        return WantedFields(
            change: change, kind: isLocked ? .lock : .unlock, flag: flag,
            fields: ["isLocked": isLocked ? .bool(true) : nil], areNew: flag.definition.metadata.isLocked != isLocked)
    }

    private func lockable(_ change: Change) throws(ChangeError) -> StoredFlag {
        let name = context.files.manifest.lastPathComponent
        guard case .success(_?) = workspace.manifest.content else {
            throw ChangeError(
                .invalid, key: change.key,
                "\(change.key) has no definition to lock: there is no manifest, which is where locks are kept.",
                remedy: "Make \(name) with the flag's key and type, then lock it; nothing was changed.")
        }
        guard let flag = storedFlag(change.key) else {
            throw ChangeError(
                .invalid, key: change.key, "\(change.key) has no definition to lock: it is known by its value alone.",
                remedy: "Add its key and type to \(name), then lock it; nothing was changed.")
        }
        return flag
    }

    /// The manifest with the fields that are asked for, each of another flag.
    private func manifest(with wanted: [WantedFields]) throws(ChangeError) -> FlagManifest {
        let changes = wanted.filter(\.areNew).map { (key: $0.change.key, fields: $0.fields) }
        return try edited(wanted[0].change.key) { () throws(FlagManifestEditError) in
            try wanted[0].flag.manifest.setting(changes)
        }
    }
}
