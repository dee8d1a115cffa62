import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

struct DefinitionPlan {
    private let rules: ChangeRules
    var context: ChangeContext { rules.context }
    var workspace: Workspace { rules.workspace }

    init(_ rules: ChangeRules) { self.rules = rules }

    /// Plans the next changes.
    ///
    /// Locks and tags of different flags, or new definitions, share one edit; any other change is alone.
    func planned(_ changes: ArraySlice<Change>, by author: ChangeAuthor) -> [PlannedChange] {
        guard let change = changes.first, case .definition(let asked) = change.action else { return [] }
        switch asked {
        case .lock, .unlock, .tag: return planFields(changes, by: author)
        case .define: return planNew(changes, by: author)
        case .redefine(let edit):
            return planned(change, by: author) { () throws(ChangeError) in try redefine(change, edit) }
        case .retire(let reason):
            return planned(change, by: author) { () throws(ChangeError) in try retire(change, reason) }
        case .settle(let side, let field):
            return planned(change, by: author) { () throws(ChangeError) in try settle(change, side, of: field) }
        case .rename(let key):
            return planned(change, by: author) { () throws(ChangeError) in try rename(change, to: key) }
        case .remove(let withValues):
            return planned(change, by: author) { () throws(ChangeError) in try remove(change, withValues: withValues) }
        }
    }

    private func planned(
        _ change: Change, by author: ChangeAuthor, _ edits: () throws(ChangeError) -> PlannedEdits
    ) -> [PlannedChange] {
        let result = Result { () throws(ChangeError) in
            _ = try rules.allowed(change, by: author)
            return try edits()
        }
        return [PlannedChange(change: change, result: result)]
    }

    private func planFields(_ changes: ArraySlice<Change>, by author: ChangeAuthor) -> [PlannedChange] {
        var run: [PlannedField] = []
        var keys: Set<FlagKeyPath> = []
        for change in changes {
            guard let field = FieldChange(change.action), keys.insert(change.key).inserted else { break }
            let wanted = Result { () throws(ChangeError) in
                _ = try rules.allowed(change, by: author)
                return try wantedFields(change, field)
            }
            run.append(PlannedField(change: change, wanted: wanted))
        }
        return edited(run)
    }

    private func planNew(_ changes: ArraySlice<Change>, by author: ChangeAuthor) -> [PlannedChange] {
        var run: [PlannedDefinition] = []
        var keys = TouchedKeys()
        var manifest: EditedFile<FlagManifest>?
        for change in changes {
            guard case .definition(.define(let edit)) = change.action, !keys.touches(change.key) else { break }
            keys.insert(change.key)
            let wanted = Result { () throws(ChangeError) in
                try rules.checkAllowed(change, by: author)
                try rules.checkReason(change)
                let file = if let manifest { manifest } else { try manifestOrNew(change.key) }
                manifest = file
                return try wantedDefinition(change, edit, in: file)
            }
            run.append(PlannedDefinition(change: change, wanted: wanted))
        }
        return defined(run)
    }

    private func wantedDefinition(
        _ change: Change, _ edit: DefinitionEdit, in file: EditedFile<FlagManifest>
    ) throws(ChangeError) -> WantedDefinition {
        var definition = edit.definition
        definition.key = change.key
        try checkUsable(change.key, for: definition.type)
        try checkSeconds(of: definition)
        if !edit.breaksValues { try checkValues(of: definition, since: nil) }
        let fields = edit.fields(for: change.key)
        try tellingProblems(change.key) { () throws(FlagManifestError) in
            try FlagManifest.check(fields, for: change.key)
        }
        return WantedDefinition(key: change.key, type: definition.type, fields: fields, file: file)
    }

    private func redefine(_ change: Change, _ edit: DefinitionEdit) throws(ChangeError) -> PlannedEdits {
        let flag = try defined(change)
        var definition = edit.definition
        definition.key = change.key
        try checkRevision(change, flag, edit)
        try checkSeconds(of: definition)
        try checkRedefinition(of: flag, as: definition, breaksValues: edit.breaksValues)
        let edited = try tellingProblems(change.key) { () throws(FlagManifestError) in
            try flag.file.content.setting(edit.changes(of: flag), of: change.key)
        }
        return PlannedEdits(flag.edit(.redefine, as: flag.file.replaced(by: edited), type: definition.type))
    }

    /// Refuses to round a date to one that a property list stores.
    private func checkSeconds(of definition: FlagDefinition) throws(ChangeError) {
        let fields = [
            ("default", [definition.defaultValue].compactMap(\.self)), ("suggestions", definition.suggestions),
            ("choices", definition.constraints.choices),
        ]
        for (field, values) in fields {
            guard let value = values.first(where: { $0.roundedToSeconds != $0 }) else { continue }
            throw .invalid(definition.key, [field: definition.wholeSeconds(insteadOf: value)])
        }
    }

    private func settle(
        _ change: Change, _ side: ValueChange.MergeSide, of field: String
    ) throws(ChangeError) -> PlannedEdits {
        let flag = try defined(change)
        try checkRevision(change, flag)
        let manifest = flag.file.content
        let conflict = try rules.settled(manifest.conflict(at: field, of: change.key), side, of: change.key)
        let edited = try tellingProblems(change.key) { () throws(FlagManifestError) in
            let chosen =
                side == .ours
                ? manifest : try manifest.setting([field: conflict.sides?.theirs], of: change.key)
            return try chosen.settling(field, of: change.key)
        }
        guard let definition = edited.definition(of: change.key) else {
            throw .invalid(change.key, [field: "the other version has a different key; change it in the file"])
        }
        try checkRedefinition(of: flag, as: definition, breaksValues: false)
        return PlannedEdits(flag.edit(.redefine, as: flag.file.replaced(by: edited), type: definition.type))
    }

    /// Refuses changes of a locked flag's possible values, and those that break a stored value.
    private func checkRedefinition(
        of flag: StoredFlag, as definition: FlagDefinition, breaksValues: Bool
    ) throws(ChangeError) {
        guard !definition.hasSameValues(as: flag.definition) else { return }
        if flag.definition.metadata.isLocked { throw .lockedDefinition(definition.key) }
        if !breaksValues { try checkValues(of: definition, since: flag.definition) }
    }

    private func retire(_ change: Change, _ reason: String?) throws(ChangeError) -> PlannedEdits {
        let flag = try defined(change)
        if let reason, reason.allSatisfy(\.isWhitespace) {
            throw ChangeError(
                .invalid, key: change.key, "Enter a reason for deprecating \(change.key).",
                remedy: "Explain why the flag should not be used.",
                problems: ["retired": "Enter a reason."])
        }
        if let reason, reason.utf16.count > Change.longestReason {
            throw .reasonTooLong(change.key, reason.utf16.count)
        }
        try checkRevision(change, flag)
        let edited = try tellingProblems(change.key) { () throws(FlagManifestError) in
            try flag.file.content.setting(["retired": reason.map(FlagValue.string)], of: change.key)
        }
        return PlannedEdits(flag.edit(.redefine, as: flag.file.replaced(by: edited)))
    }

    /// Refuses a taken key path, always in the same words, to reveal no hidden flags.
    private func checkUsable(_ key: FlagKeyPath, for type: FlagType) throws(ChangeError) {
        guard !key.components.contains("") else { throw .emptyPart(key) }
        guard workspace.definitions?.definition(of: key) == nil, workspace.definitions(reachedFrom: key).isEmpty else {
            throw .unusable(key)
        }
        for file in workspace.values {
            guard case .success(let document) = file.content else { continue }
            guard case .success(let value) = Result(catching: { try document.value(at: key) }) else {
                throw .unusable(key)
            }
            // An empty group counts as absent.
            if case .dictionary(let inner) = value, !inner.isEmpty, !type.rules.kinds.contains("dictionary") {
                throw .unusable(key)
            }
        }
    }

    private func checkValues(of definition: FlagDefinition, since old: FlagDefinition?) throws(ChangeError) {
        var broken: [String] = []
        for file in workspace.values {
            guard let value = file.raw(at: definition.key), !definition.takes(value), old?.takes(value) ?? true else {
                continue
            }
            broken.append("\(file.provider.name) has \(value.briefDescription)")
        }
        if !broken.isEmpty { throw .breaking(definition.key, broken) }
    }

    func checkRevision(
        _ change: Change, _ flag: StoredFlag, _ yours: DefinitionEdit? = nil
    ) throws(ChangeError) {
        guard let revisions = change.revisions, let revision = revisions.first,
            !revisions.contains(FlagRevision(of: flag.entry))
        else { return }
        throw .changedDefinition(
            change.key,
            ChangeConflict(
                provider: context.files.manifest.lastPathComponent, revision: revision,
                theirs: .init(value: flag.entry, record: nil),
                yours: yours.map { .dictionary($0.fields(for: change.key)) }, isOfDefinition: true))
    }

    private func manifestOrNew(_ key: FlagKeyPath) throws(ChangeError) -> EditedFile<FlagManifest> {
        if case .success(let manifest?) = workspace.manifest.content, let reading = workspace.manifest.reading {
            return EditedFile(content: manifest, reading: reading)
        }
        guard let other = workspace.values.lazy.compactMap(\.reading).first else {
            throw ChangeError(
                .unavailable, key: key, "Can't define \(key) now: no file can be read.",
                remedy: "Fix the files. Nothing was changed.")
        }
        let manifest = FlagManifest.empty()
        return EditedFile(content: manifest, reading: other.replaced(by: manifest.document.source))
    }

    func defined(_ change: Change) throws(ChangeError) -> StoredFlag {
        guard let flag = workspace.storedFlag(change.key) else {
            throw ChangeError(
                .invalid, key: change.key, "\(change.key) has a value but no definition.",
                remedy: "Define it first. Nothing was changed.")
        }
        return flag
    }

    func tellingProblems<Value>(
        _ key: FlagKeyPath, _ work: () throws(FlagManifestError) -> Value
    ) throws(ChangeError) -> Value {
        do throws(FlagManifestError) {
            return try work()
        } catch {
            throw refusal(error, of: key)
        }
    }

    func refusal(_ error: FlagManifestError, of key: FlagKeyPath) -> ChangeError {
        error.refusedEdit.map { context.refusal($0, of: key) } ?? .invalid(key, error)
    }
}

extension FlagDefinition {
    fileprivate func hasSameValues(as other: FlagDefinition) -> Bool {
        type == other.type && defaultValue == other.defaultValue && constraints == other.constraints
            && suggestions == other.suggestions
    }
}

extension ChangeError {
    static func invalid(_ key: FlagKeyPath, _ error: FlagManifestError) -> ChangeError {
        var problems: [String: String] = [:]
        for problem in error.problems where problem.subject == key.text || problem.field == "key" {
            problems[problem.field ?? "key"] = problem.reason
        }
        return invalid(key, problems)
    }

    static func invalid(_ key: FlagKeyPath, _ problems: [String: String]) -> ChangeError {
        let text = problems.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
        return ChangeError(
            .invalid, key: key, "Invalid definition of \(key)\(text.isEmpty ? "" : ": \(text)").",
            remedy: "Fix the errors and save again. Nothing was changed.", problems: problems)
    }
}
