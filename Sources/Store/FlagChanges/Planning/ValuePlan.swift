import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

struct ValuePlan {
    private let rules: ChangeRules
    private var context: ChangeContext { rules.context }
    private var workspace: Workspace { rules.workspace }

    init(_ rules: ChangeRules) { self.rules = rules }

    func planned(_ changes: ArraySlice<Change>, by author: ChangeAuthor) -> [PlannedChange] {
        var run = ValueRun()
        for change in changes {
            guard case .value(let asked) = change.action else { break }
            let reach = reach(of: change)
            guard !run.touches(change.key, reach) else { break }
            run.append(
                change, reach,
                Result { () throws(ChangeError) in
                    try wanted(asked, by: change, of: try rules.allowed(change, by: author))
                })
        }
        return edited(run.members, takingBack: author.origin == .revert)
    }

    private func reach(of change: Change) -> ValueRun.Reach {
        // An undefined flag exists through its values in all files.
        guard workspace.definitions?.definition(of: change.key) != nil,
            let provider = workspace.providerName(of: change)
        else {
            return .everyFile
        }
        return .file(provider)
    }

    private func wanted(
        _ asked: ValueChange, by change: Change, of definition: FlagDefinition
    ) throws(ChangeError) -> WantedValue {
        let (place, provider, file) = try target(of: change)
        let document = file.content
        let before = try workspace.storedValue(of: change.key, in: document)
        try checkRevision(change, definition, provider, before)
        let conflict = try conflict(settledBy: asked, of: change.key, in: document)
        let after =
            if case .settle(.theirs) = asked {
                try self.theirs(conflict?.sides?.theirs, of: definition)
            } else {
                try value(asked, by: change, of: definition, in: provider, replacing: before)
            }
        try check(after, of: change.key, in: place)
        do {
            return WantedValue(
                key: change.key, type: type(asked, definition, after), place: place, provider: provider,
                file: file, before: before,
                after: try document.checked(after, at: change.key), settled: conflict?.place)
        } catch {
            throw context.refusal(error, of: change.key)
        }
    }

    private func conflict(
        settledBy asked: ValueChange, of key: FlagKeyPath, in document: PropertyListDocument
    ) throws(ChangeError) -> MarkedConflict? {
        guard case .settle(let side) = asked else { return nil }
        let conflict = document.conflicts.first { $0.place == FlagPlace(value: key) }
        return try rules.settled(conflict, side, of: key)
    }

    private func target(
        of change: Change
    ) throws(ChangeError) -> (ValuesPlace, provider: String, EditedFile<PropertyListDocument>) {
        if let place = workspace.appPlace(of: change) {
            return try target(inApp: place, of: change)
        }
        guard let file = workspace.file(change.provider, for: change.key),
            let place = workspace.values.firstIndex(where: { $0.provider == file.provider })
        else {
            if change.provider == nil, let unread = workspace.unreadProvider {
                throw .unread(change.key, from: unread)
            }
            let names = workspace.writableNames
            let writable = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw ChangeError(
                change.provider == nil ? .notAllowed : .unknownProvider, key: change.key,
                change.provider.map { "Provider \($0.shortened(to: 100)) not found." }
                    ?? "\(change.key) has no writable provider.",
                remedy: "Writable providers: \(writable). Those of a running app are available while it is connected.")
        }
        guard file.provider.isWritable else {
            throw ChangeError(
                .notAllowed, key: change.key, "The provider \(file.provider.name) is read-only.",
                remedy: "Choose a writable provider.")
        }
        guard workspace.isRead(change.key, from: file) else {
            throw .unread(change.key, from: file.provider.name)
        }
        let (reading, document) = try workspace.readable(file, change.key)
        return (.file(place), file.provider.name, EditedFile(content: document, reading: reading))
    }

    private func target(
        inApp place: Int, of change: Change
    ) throws(ChangeError) -> (ValuesPlace, provider: String, EditedFile<PropertyListDocument>) {
        let provider = workspace.appProviders[place]
        guard provider.writer != nil else {
            throw ChangeError(
                .notAllowed, key: change.key,
                "The provider \(provider.name) is read-only because the app's code sets its values.",
                remedy: "Choose a writable provider.")
        }
        guard workspace.isRead(change.key, fromApp: provider) else {
            throw .unread(change.key, from: provider.name)
        }
        do {
            return (.app(place), provider.name, EditedFile(content: try provider.document(), reading: nil))
        } catch {
            throw ChangeError(
                .unavailable, key: change.key, "Can't change the values of \(provider.name): \(error.description).",
                remedy: "Change the value in the app. Nothing was changed here.")
        }
    }

    private func checkRevision(
        _ change: Change, _ definition: FlagDefinition, _ provider: String, _ stored: FlagValue?
    ) throws(ChangeError) {
        guard let revisions = change.revisions, let revision = revisions.first,
            !revisions.contains(FlagRevision(of: stored))
        else { return }
        let yours = change.asked(definition, replacing: stored)
        throw .conflict(
            change.key,
            ChangeConflict(
                provider: provider, revision: revision, theirs: .init(value: stored, record: nil), yours: yours,
                type: definition.type))
    }

    private func value(
        _ asked: ValueChange, by change: Change, of definition: FlagDefinition, in provider: String,
        replacing before: FlagValue?
    ) throws(ChangeError) -> FlagValue? {
        let former = before == nil ? try rules.former.layout(for: asked, of: definition, in: provider) : nil
        do {
            let value = try asked.value(of: definition, replacing: before, storedLike: former)
            try checkSeconds(asked, value, definition, replacing: before)
            return value
        } catch {
            // A value that the flag doesn't take can only be restored.
            if case .putBack(let value) = asked, try rules.former.hasHeld(value, change.key, provider) { return value }
            throw .invalid(change.key, error)
        }
    }

    /// Refuses to round a date that somebody writes to another one than the stored date.
    private func checkSeconds(
        _ asked: ValueChange, _ value: FlagValue?, _ definition: FlagDefinition, replacing before: FlagValue?
    ) throws(FlagValueError) {
        switch asked {
        case .setText, .setJSON: break
        case .setValue, .putBack, .reset, .settle: return
        }
        guard let value, case let rounded = value.roundedToSeconds, rounded != value, rounded != before else { return }
        throw FlagValueError(definition.wholeSeconds(insteadOf: value))
    }

    private func check(_ value: FlagValue?, of key: FlagKeyPath, in place: ValuesPlace) throws(ChangeError) {
        guard case .app(let place) = place, let check = workspace.appProviders[place].check else { return }
        do {
            try check(value, key)
        } catch {
            throw .invalid(key, error)
        }
    }

    private func theirs(_ value: FlagValue?, of definition: FlagDefinition) throws(ChangeError) -> FlagValue? {
        do {
            if let value { _ = try definition.interpret(value) }
            return value
        } catch {
            throw .invalid(definition.key, error)
        }
    }

    /// Returns the recorded type; an undefined flag gets that of a restored value.
    private func type(_ asked: ValueChange, _ definition: FlagDefinition, _ after: FlagValue?) -> FlagType {
        guard case .putBack = asked, workspace.definitions?.definition(of: definition.key) == nil else {
            return definition.type
        }
        return after.map(FlagType.init(inferredFrom:)) ?? definition.type
    }

    /// Edits each file once, or value by value to find failures.
    private func edited(_ members: [ValueRun.Member], takingBack isReversal: Bool) -> [PlannedChange] {
        let together = editedTogether(members, takingBack: isReversal)
        var last: [ValuesPlace: EditedFile<PropertyListDocument>] = [:]
        return members.map { member in
            let result = Result { () throws(ChangeError) in
                let wanted = try member.wanted.get()
                guard wanted.isNew else {
                    return PlannedEdits(unchanged: wanted.before, provider: wanted.provider, type: wanted.type)
                }
                if let file = together?[wanted.place] { return try edit(wanted, of: wanted.file, to: file) }
                let start = last[wanted.place] ?? wanted.file
                let file: EditedFile<PropertyListDocument>
                if isReversal, let former = try formerContent(of: [wanted], in: start) {
                    file = start.replaced(by: former)
                } else {
                    let settled = try context.settling(start.content, wanted.settled, of: wanted.key)
                    file = start.replaced(by: try context.editing(settled, wanted.key, to: wanted.after))
                }
                last[wanted.place] = file
                return try edit(wanted, of: start, to: file)
            }
            return PlannedChange(change: member.change, result: result)
        }
    }

    private func editedTogether(
        _ members: [ValueRun.Member], takingBack isReversal: Bool
    ) -> [ValuesPlace: EditedFile<PropertyListDocument>]? {
        let wanted = members.compactMap { member in
            if case .success(let wanted) = member.wanted, wanted.isNew { wanted } else { nil }
        }
        var files: [ValuesPlace: EditedFile<PropertyListDocument>] = [:]
        for (place, values) in Dictionary(grouping: wanted, by: \.place) {
            let file = values[0].file
            if isReversal {
                let former = Result { () throws(ChangeError) in try formerContent(of: values, in: file) }
                // Without a readable history, each change is planned alone and refused with the cause.
                guard case .success(let document) = former else { return nil }
                if let document {
                    files[place] = file.replaced(by: document)
                    continue
                }
            }
            let edited = Result { () throws(PropertyListEditError) in
                try file.content.settling(Set(values.compactMap(\.settled))).setting(values.map { ($0.key, $0.after) })
            }
            guard case .success(let document) = edited else { return nil }
            files[place] = file.replaced(by: document)
        }
        return files
    }

    /// Returns the exact bytes from before the changes: entities, layout and position.
    ///
    /// `nil` if the history no longer has the edit, or undoing it would change other values.
    private func formerContent(
        of values: [WantedValue], in file: EditedFile<PropertyListDocument>
    ) throws(ChangeError) -> PropertyListDocument? {
        guard let first = values.first, case .file(let place) = first.place, values.allSatisfy({ $0.settled == nil })
        else { return nil }
        let history = context.history
        let splices: [ContentEdit.Splice]?
        do throws(HistoryStoreError) {
            guard let hash = try history.fileHash(beforeLastChangeOf: first.key, in: first.provider) else { return nil }
            splices = try history.splices(
                takingBackEditOf: hash, of: .values, at: workspace.values[place].provider.path,
                in: file.content.source)
        } catch {
            throw ChangeError(storing: error)
        }
        guard let splices else { return nil }
        let edits = splices.map {
            SourceEdit(range: $0.start..<$0.start + $0.old.count, replacement: $0.new)
        }
        func former(_ changes: [(FlagKeyPath, FlagValue?)]) -> PropertyListDocument? {
            switch Result(catching: { () throws(PropertyListEditError) in try file.content.setting(changes, by: edits) }
            )
            {
            case .success(let document): document
            // The recorded edit doesn't match these changes.
            case .failure: nil
            }
        }
        // Else the values are set as usual.
        return former(values.map { ($0.key, $0.after) })
            ?? removingGroups(emptiedBy: values, in: file.content).lazy.compactMap(former).first
    }

    /// Returns the changes with which the groups go that an earlier edit may have created, by level.
    private func removingGroups(
        emptiedBy values: [WantedValue], in document: PropertyListDocument
    ) -> [[(FlagKeyPath, FlagValue?)]] {
        let removed = Set(values.filter { $0.after == nil }.map(\.key))
        let others = values.filter { $0.after != nil }.map { ($0.key, $0.after) }
        var (outermost, changes) = (removed, [[(FlagKeyPath, FlagValue?)]]())
        while true {
            let next = Set(
                outermost.map { key in
                    key.parent.flatMap { isGroup($0, of: removed, in: document) ? $0 : nil } ?? key
                })
            guard next != outermost else { return changes }
            outermost = next.filter { key in !key.ancestors.contains(where: next.contains) }
            changes.append(others + outermost.map { ($0, nil) })
        }
    }

    /// Returns true for an undefined dictionary that has nothing but some flags.
    private func isGroup(_ key: FlagKeyPath, of flags: Set<FlagKeyPath>, in document: PropertyListDocument) -> Bool {
        guard workspace.definitions?.definition(of: key) == nil,
            case .success(.dictionary(let entries)?) = Result(catching: { try document.value(at: key) })
        else { return false }
        return entries.keys.allSatisfy { name in
            let inner = key.appending(name)
            return flags.contains(inner) || isGroup(inner, of: flags, in: document)
        }
    }

    private func edit(
        _ wanted: WantedValue, of start: EditedFile<PropertyListDocument>, to end: EditedFile<PropertyListDocument>
    ) throws(ChangeError) -> PlannedEdits {
        // A property list may round a value: the row records the stored one.
        let after = try workspace.storedValue(of: wanted.key, in: end.content)
        return PlannedEdits(
            PlannedEdit(
                key: wanted.key, kind: after == nil ? .reset : .set, provider: wanted.provider, type: wanted.type,
                before: wanted.before, after: after, reading: start.reading, leaving: end.reading,
                content: .values(wanted.place, end.content)))
    }
}

extension FlagDefinition {
    func wholeSeconds(insteadOf value: FlagValue) -> String {
        let rounded = value.roundedToSeconds
        let example = if case .date = rounded { rounded } else { FlagValue.date(Date(timeIntervalSince1970: 0)) }
        return "dates have whole seconds; write them as in \(editableText(of: example))"
    }
}

struct StoredFlag {
    let file: EditedFile<FlagManifest>
    let definition: FlagDefinition
    let entry: FlagValue

    /// Returns the manifest's edit, from `start` if that is no longer ``file``.
    func edit(
        _ kind: HistoryRecord.Kind, as edited: EditedFile<FlagManifest>, from start: FileReading? = nil,
        type: FlagType? = nil
    ) -> PlannedEdit {
        PlannedEdit(
            key: definition.key, kind: kind, provider: nil, type: type ?? definition.type, before: entry,
            after: edited.content.storedEntry(of: definition.key), reading: start ?? file.reading,
            leaving: edited.reading, content: .manifest(edited.content))
    }
}

extension Workspace {
    func storedFlag(_ key: FlagKeyPath) -> StoredFlag? {
        guard case .success(let manifest?) = manifest.content, let reading = self.manifest.reading,
            let definition = manifest.definition(of: key), let entry = manifest.storedEntry(of: key)
        else { return nil }
        return StoredFlag(
            file: EditedFile(content: manifest, reading: reading), definition: definition, entry: entry)
    }
}
