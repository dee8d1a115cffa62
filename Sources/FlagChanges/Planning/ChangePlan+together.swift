import FeatureFlags
import FeatureFlagsXML

extension ChangePlan {
    /// Adds the changes of a request: runs of values, and of locks and tags, at one stroke, anything else in its turn.
    ///
    /// A file is edited, and read anew, once for each run. A batch of thousands would else read it as often.
    mutating func addChanges(of request: ChangeRequest) -> [Step] {
        var steps: [Step] = []
        var rest = request.changes[...]
        while let change = rest.first {
            let made: [Step]
            switch change.action {
            case .setText, .setValue, .setJSON, .putBack, .reset:
                made = add(valueRun(rest, by: request.author), of: request)
            case .lock, .unlock, .tag: made = addFields(fieldRun(rest), of: request)
            case .define, .redefine, .rename, .retire, .remove: made = [add(change, of: request)]
            }
            steps += made
            rest = rest.dropFirst(made.count)
        }
        return steps
    }

    /// The values that changes begin with and that don't touch one another.
    private func valueRun(_ changes: ArraySlice<Change>, by author: ChangeAuthor) -> ValueRun {
        var run = ValueRun()
        for change in changes {
            guard let reach = reach(of: change), !run.touches(change.key, reach) else { break }
            let wanted = Result { () throws(ChangeError) in
                try wantedValue(change, try allowed(change, by: author))
            }
            run.append(change, reach, wanted)
        }
        return run
    }

    /// How far what a change does can be seen by the rules for others; `nil` where it is not about a value.
    private func reach(of change: Change) -> ValueRun.Reach? {
        switch change.action {
        case .setText, .setValue, .setJSON, .putBack, .reset: break
        case .lock, .unlock, .define, .redefine, .tag, .rename, .retire, .remove: return nil
        }
        // What nobody defined is known by the values that the files hold.
        guard workspace.definitions?.definition(of: change.key) != nil, let file = file(for: change) else {
            return .everyFile
        }
        return .file(file.provider.name)
    }

    private mutating func add(_ run: ValueRun, of request: ChangeRequest) -> [Step] {
        guard run.members.count > 1, case .success(let edits) = Result(catching: { try edits(of: run) }) else {
            return run.members.map { add($0.change, of: request) }
        }
        var after: [Int: FileReading] = [:]
        return zip(run.members, edits).map { member, edit in
            let change = member.change
            switch (member.wanted, edit) {
            case (.failure(let refusal), _): return refused(change, refusal)
            case (.success(let wanted), nil):
                let preview = ChangePreview(
                    change: change, provider: wanted.provider, before: wanted.before, after: wanted.before,
                    type: wanted.type)
                return Step(preview: preview, event: nil)
            case (.success(let wanted), let edit?):
                let reading = after[wanted.place] ?? edit.reading.replaced(by: edit.document.source)
                after[wanted.place] = reading
                let preview = ChangePreview(
                    change: change, provider: wanted.provider, before: edit.before, after: edit.after,
                    type: edit.type)
                return Step(preview: preview, event: add(edit, leaving: reading, change, request))
            }
        }
    }

    /// The edits of a run, all those of a file by one edit of it; `nil` for what is refused and what is so already.
    ///
    /// - Throws: Where the edits can't be made together. One after the other, it turns out which of them can't be made.
    private func edits(of run: ValueRun) throws(ChangeError) -> [PlannedEdit?] {
        let wanted = run.members.map { member in
            if case .success(let wanted) = member.wanted, wanted.isNew { wanted } else { nil as WantedValue? }
        }
        var documents: [Int: PropertyListDocument] = [:]
        for (place, values) in Dictionary(grouping: wanted.compactMap(\.self), by: \.place) {
            do {
                documents[place] = try values[0].document.setting(values.map { ($0.change.key, $0.after) })
            } catch {
                throw refusal(error, of: values[0].change.key)
            }
        }
        var edits: [PlannedEdit?] = []
        for wanted in wanted {
            guard let wanted, let document = documents[wanted.place] else {
                edits.append(nil)
                continue
            }
            edits.append(try valueEdit(wanted, as: document))
        }
        return edits
    }
}

/// Changes of values, one behind the other in a request, of which none touches what another is checked against.
private struct ValueRun {
    /// What another change would have to be about to be touched.
    enum Reach {
        /// The same provider.
        case file(String)
        /// Whatever provider.
        case everyFile
    }

    struct Member {
        let change: Change
        let wanted: Result<WantedValue, ChangeError>
    }

    /// Key paths, to find out whether one of them stands at, around or inside another.
    private struct Keys {
        private var keys: Set<FlagKeyPath> = []
        private var groups: Set<FlagKeyPath> = []

        mutating func insert(_ key: FlagKeyPath) {
            keys.insert(key)
            groups.formUnion(key.ancestors)
        }

        func touches(_ key: FlagKeyPath) -> Bool {
            keys.contains(key) || groups.contains(key) || key.ancestors.contains(where: keys.contains)
        }
    }

    private(set) var members: [Member] = []
    private var all = Keys()
    private var ofFile: [String: Keys] = [:]
    private var ofEveryFile = Keys()

    func touches(_ key: FlagKeyPath, _ reach: Reach) -> Bool {
        switch reach {
        case .file(let name): ofFile[name]?.touches(key) ?? false || ofEveryFile.touches(key)
        case .everyFile: all.touches(key)
        }
    }

    mutating func append(_ change: Change, _ reach: Reach, _ wanted: Result<WantedValue, ChangeError>) {
        members.append(Member(change: change, wanted: wanted))
        all.insert(change.key)
        switch reach {
        case .file(let name): ofFile[name, default: Keys()].insert(change.key)
        case .everyFile: ofEveryFile.insert(change.key)
        }
    }
}
