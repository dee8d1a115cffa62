import FeatureFlags
import FeatureFlagsXML
import FlagHistory

/// A change that gives a flag a tag, or takes one from it.
struct TagChange {
    let change: Change
    let tag: String
    let isSet: Bool
}

/// The tags that a change asks for.
struct WantedTags {
    let change: Change
    let flag: StoredFlag
    let tags: [String]

    /// Whether the flag has other tags now.
    var areNew: Bool { tags != flag.definition.metadata.tags }

    /// The edit that leaves the manifest as another one.
    func edit(as edited: FlagManifest) -> PlannedEdit {
        flag.edit(.redefine, as: edited, type: flag.definition.type)
    }
}

extension ChangePlan {
    /// Adds changes of the tags of flags, each another one: all by one edit of the manifest.
    mutating func addTags(_ run: [TagChange], of request: ChangeRequest) -> [Step] {
        let wanted = run.map { member in
            Result { () throws(ChangeRefusal) in
                _ = try allowed(member.change, by: request.author)
                return try wantedTags(member)
            }
        }
        let found = wanted.compactMap { if case .success(let tags) = $0 { tags } else { nil } }
        guard found.count > 1, case .success(let edited) = Result(catching: { try tagged(found) }) else {
            return run.map { add($0.change, of: request) }
        }
        let after = found[0].flag.reading.replaced(by: edited.document.source)
        return zip(run.map(\.change), wanted).map { change, wanted in
            switch wanted {
            case .failure(let refusal): return refused(change, refusal)
            case .success(let wanted):
                let edit = wanted.edit(as: edited)
                let preview = ChangePreview(change: change, provider: nil, before: edit.before, after: edit.after)
                let event = wanted.areNew ? add(edit, leaving: after, change, request) : nil
                return Step(preview: preview, event: event)
            }
        }
    }

    /// The tags that a flag is to have, where nothing speaks against it but perhaps the edit of the manifest itself.
    func wantedTags(_ wanted: TagChange) throws(ChangeRefusal) -> WantedTags {
        let (change, tag) = (wanted.change, wanted.tag)
        let flag = try defined(change)
        guard !tag.allSatisfy(\.isWhitespace) else {
            throw ChangeRefusal(
                .invalid, key: change.key, "No tag is named.", remedy: "Name the tag; nothing was changed.",
                problems: ["tag": "Name the tag."])
        }
        try checkRevision(change, flag, nil)
        var tags = flag.definition.metadata.tags
        if !wanted.isSet { tags.removeAll { $0 == tag } } else if !tags.contains(tag) { tags.append(tag) }
        return WantedTags(change: change, flag: flag, tags: tags)
    }

    /// The manifest with the tags that are asked for; each flag is another one.
    func tagged(_ wanted: [WantedTags]) throws(ChangeRefusal) -> FlagManifest {
        let changes = wanted.filter(\.areNew).map { wanted in
            let field: FlagValue? = wanted.tags.isEmpty ? nil : .array(wanted.tags.map(FlagValue.string))
            return (key: wanted.change.key, fields: ["tags": field])
        }
        return try edited(wanted[0].change.key) { () throws(FlagManifestEditError) in
            try wanted[0].flag.manifest.setting(changes)
        }
    }
}
