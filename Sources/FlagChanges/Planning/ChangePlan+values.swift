import FeatureFlags
import FeatureFlagsXML
import FlagHistory

/// A value that a change asks for.
struct WantedValue {
    let change: Change
    let type: FlagType
    /// The place of the file among the providers.
    let place: Int
    let provider: String
    /// The file as it was read, and what it says.
    let reading: FileReading
    let document: PropertyListDocument
    let before: FlagValue?
    let after: FlagValue?

    /// Whether the file holds something else now.
    var isNew: Bool { before != after }
}

extension ChangePlan {
    /// The value that a change asks for, where nothing speaks against it but perhaps the edit of the file itself.
    func wantedValue(_ change: Change, _ definition: FlagDefinition) throws(ChangeError) -> WantedValue {
        let (place, file) = try target(of: change)
        let (reading, document) = try readable(file, change.key)
        let before = try storedValue(of: change.key, in: document)
        try checkRevision(change, definition, file.provider.name, before)
        let after = try newValue(change, definition, file.provider.name, replacing: before)
        do {
            return WantedValue(
                change: change, type: type(of: change, definition, after), place: place, provider: file.provider.name,
                reading: reading, document: document, before: before,
                after: try document.checked(after, at: change.key))
        } catch {
            throw refusal(error, of: change.key)
        }
    }

    /// The type that the history tells: that of the definition; where nobody defined the flag, what a value that is put
    /// back looks like.
    private func type(of change: Change, _ definition: FlagDefinition, _ after: FlagValue?) -> FlagType {
        guard case .putBack = change.action, workspace.definitions?.definition(of: change.key) == nil else {
            return definition.type
        }
        return after.map(FlagType.init(inferredFrom:)) ?? definition.type
    }

    /// The edit of a flag's value in a provider's file.
    func valueEdit(_ change: Change, _ definition: FlagDefinition) throws(ChangeError) -> PlannedEdit {
        let wanted = try wantedValue(change, definition)
        return try valueEdit(wanted, as: try edit(wanted.document, change.key, to: wanted.after))
    }

    /// The edit of a flag's value that leaves its file as another document.
    func valueEdit(_ wanted: WantedValue, as edited: PropertyListDocument) throws(ChangeError) -> PlannedEdit {
        // A property list does not store every value to the last digit, so the row says what the file will.
        let after = try storedValue(of: wanted.change.key, in: edited)
        return PlannedEdit(
            key: wanted.change.key, kind: after == nil ? .reset : .set, provider: wanted.provider, type: wanted.type,
            before: wanted.before, after: after, reading: wanted.reading, content: .values(wanted.place, edited))
    }

    /// The file that a change goes to, and its place among the providers.
    private func target(of change: Change) throws(ChangeError) -> (Int, Workspace.Values) {
        guard let file = file(for: change),
            let place = workspace.values.firstIndex(where: { $0.provider == file.provider })
        else {
            throw ChangeError(
                .notAllowed, key: change.key,
                change.provider.map { "There is no provider \($0.shortened(to: 100))." }
                    ?? "No provider can be written to.",
                remedy: "The flag's page lists the providers; choose one that can be written to.")
        }
        guard file.provider.isWritable else {
            throw ChangeError(
                .notAllowed, key: change.key, "The provider \(file.provider.name) is read-only.",
                remedy: "Choose a provider that can be written to.")
        }
        return (place, file)
    }

    func readable(
        _ file: Workspace.Values, _ key: FlagKeyPath
    ) throws(ChangeError) -> (FileReading, PropertyListDocument) {
        guard let reading = file.reading, case .success(let document) = file.content else {
            let fileProblems = workspace.fileProblems.map(\.description).joined(separator: " ")
            throw ChangeError(
                .unavailable, key: key, "\(key) can't be changed now. \(fileProblems)",
                remedy: "Changes are possible as soon as the file is valid again. It is left as it is.")
        }
        return (reading, document)
    }

    func storedValue(
        of key: FlagKeyPath, in document: PropertyListDocument
    ) throws(ChangeError) -> FlagValue? {
        do {
            return try document.value(at: key, dictionaryKeys: workspace.dictionaryKeys)
        } catch {
            // An empty group is nothing.
            if case .success(.dictionary([:])) = Result(catching: { try document.value(at: key) }) { return nil }
            throw .group(key, error)
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

    private func newValue(
        _ change: Change, _ definition: FlagDefinition, _ provider: String, replacing before: FlagValue?
    ) throws(ChangeError) -> FlagValue? {
        let former = before == nil ? try formerValue(change, definition, provider) : nil
        do {
            switch change.action {
            case .setText(let text): return try definition.parse(text, replacing: before, storedLike: former)
            case .setJSON(let json):
                return try definition.parse(json: json.value, replacing: before, storedLike: former)
            case .setValue(let value): return try definition.laidOut(value, replacing: before, storedLike: former)
            case .putBack(let value):
                // What was there comes back as it was, unless the definition says a layout.
                _ = try definition.interpret(value)
                return definition.storage == nil ? value : try definition.laidOut(value)
            case .reset, .lock, .unlock, .define, .redefine, .tag, .rename, .retire, .remove: return nil
            }
        } catch {
            // What the flag does not take can only come back.
            if case .putBack(let value) = change.action, try hasHeld(value, change.key, provider) { return value }
            throw .invalid(change.key, error)
        }
    }

    func edit(
        _ document: PropertyListDocument, _ key: FlagKeyPath, to value: FlagValue?
    ) throws(ChangeError) -> PropertyListDocument {
        do {
            guard let value else { return try document.removing(key) }
            return try document.setting(value, at: key)
        } catch {
            throw refusal(error, of: key)
        }
    }

    /// A refusal because the bytes can't be edited.
    func refusal(_ error: PropertyListEditError, of key: FlagKeyPath) -> ChangeError {
        guard error.isUnsafe else { return .invalid(key, FlagValueError(error.description)) }
        context.options.log(error.description)
        return ChangeError(
            .invalid, key: key, "\(key) can't be changed here: other values would change with it.",
            remedy: "Nothing was changed. Edit the file by hand, and report this with what the log says.")
    }
}

extension Change {
    /// What somebody asked to store; text that is no value of the flag stays text.
    func asked(_ definition: FlagDefinition, replacing before: FlagValue?) -> FlagValue? {
        switch action {
        case .reset, .lock, .unlock, .tag, .rename, .retire, .remove: return nil
        case .define(let edit), .redefine(let edit): return .dictionary(edit.fields(for: key))
        case .putBack(let value): return value
        case .setValue(let asked):
            guard case .success(let value) = Result(catching: { try definition.laidOut(asked, replacing: before) })
            else { return asked }
            return value
        case .setJSON(let json):
            guard
                case .success(let value) = Result(catching: {
                    try definition.parse(json: json.value, replacing: before)
                })
            else { return json.described }
            return value
        case .setText(let text):
            guard case .success(let value) = Result(catching: { try definition.parse(text, replacing: before) }) else {
                return .string(text)
            }
            return value
        }
    }
}
