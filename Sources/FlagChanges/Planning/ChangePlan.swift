import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// What requests come to, one on top of the other, worked out on the files as they were last read; nothing is written.
struct ChangePlan {
    /// A change of a request, and the place of its row in ``events``; `nil` where it has none.
    struct Step {
        let preview: ChangePreview
        let event: Int?
    }

    let context: ChangeContext
    /// The files as they were last read.
    private(set) var start: Workspace
    /// What must be settled before anything else is written.
    let unsettled: UnsettledChange?
    /// The files as they would be.
    private(set) var workspace: Workspace
    /// The rows, in the order of the changes.
    ///
    /// Their hashes are those of the file as each request leaves it, or each change where they are made one after the other,
    /// though what is replaced is all of them at once.
    private(set) var events: [HistoryEvent] = []

    init(_ context: ChangeContext, on workspace: Workspace, unsettled: UnsettledChange?) {
        self.context = context
        self.unsettled = unsettled
        start = workspace
        self.workspace = workspace
    }

    /// Adds a request, all of it or nothing; each of its changes is checked against what those before it leave.
    ///
    /// - Returns: Each change in its order. Where one is refused, nothing was added.
    mutating func add(_ request: ChangeRequest) -> [Step] {
        let before = (workspace, events)
        let steps = addChanges(of: request)
        guard steps.contains(where: { $0.preview.refusal != nil }) else { return steps }
        (workspace, events) = before
        return steps.map { Step(preview: $0.preview, event: nil) }
    }

    /// Adds one change on top of what the plan has.
    mutating func add(_ change: Change, of request: ChangeRequest) -> Step {
        do throws(ChangeError) {
            let edits = try edits(change, by: request.author)
            let told = edits[edits.count - 1]
            let preview = ChangePreview(
                change: change, provider: told.provider, before: told.toldBefore ?? told.before, after: told.after,
                type: told.type)
            var event: Int?
            for edit in edits where edit.isRowAlone || edit.document.source != edit.reading.data {
                event = add(edit, leaving: edit.reading.replaced(by: edit.document.source), change, request)
            }
            return Step(preview: preview, event: event)
        } catch {
            return refused(change, error)
        }
    }

    /// Adds an edit and its row.
    ///
    /// - Returns: The place of the row.
    mutating func add(
        _ edit: PlannedEdit, leaving after: FileReading, _ change: Change, _ request: ChangeRequest
    ) -> Int {
        events.append(
            HistoryEvent(
                batch: request.batch, at: context.options.clock(), actor: request.author.name,
                role: request.author.role.rawValue, origin: request.author.origin, kind: edit.kind,
                provider: edit.provider, key: edit.key, type: edit.type, before: edit.before, after: edit.after,
                reason: change.reason, requestID: request.author.requestID,
                idempotencyKey: request.author.idempotencyKey, fileHashBefore: edit.reading.hash,
                fileHashAfter: after.hash))
        workspace.put(after, edit.content)
        return events.count - 1
    }

    /// What is told of a change that is not made.
    func refused(_ change: Change, _ refusal: ChangeError) -> Step {
        let seen = workspace.definition(of: change.key, showsInternal: context.options.showsInternal)
        let file = change.action.isAboutDefinition ? nil : file(for: change)
        let preview = ChangePreview(
            change: change, provider: file?.provider.name,
            before: seen == nil ? nil : file.flatMap { workspace.stored(change.key, in: $0) }, after: nil,
            refusal: refusal, type: seen?.type)
        return Step(preview: preview, event: nil)
    }

    /// The values file that a change asks for: the one that it names, else the first writable one.
    func file(for change: Change) -> Workspace.Values? {
        workspace.file(change.provider)
    }

    /// Whether there is no manifest yet, and there is to be one.
    var makesManifest: Bool { start.manifest.reading == nil && workspace.manifest.reading != nil }

    /// Takes up the manifest that was made for the requests.
    mutating func begin(with manifest: Workspace.Manifest) {
        start.manifest = manifest
    }

    /// The files that the requests change, in the order of the providers, the manifest last.
    var edits: [FileEdit] {
        var edits: [FileEdit] = []
        for (before, after) in zip(start.values, workspace.values) {
            guard let old = before.reading, let new = after.reading, old.hash != new.hash else { continue }
            edits.append(
                FileEdit(role: .values, path: after.provider.path, url: after.provider.url, before: old, after: new))
        }
        if let old = start.manifest.reading, let new = workspace.manifest.reading, old.hash != new.hash {
            edits.append(
                FileEdit(
                    role: .manifest, path: workspace.manifest.url.path(percentEncoded: false),
                    url: context.files.manifestTarget, before: old, after: new))
        }
        return edits
    }
}

extension FileReading {
    /// The file as it will be with other bytes.
    func replaced(by data: Data) -> FileReading {
        FileReading(data: data, hash: ContentHash.sha256(data), signature: signature, isSettled: false)
    }
}

/// An edit of a file that a change comes to.
struct PlannedEdit {
    /// What the file says then.
    enum Content {
        case values(Int, PropertyListDocument)
        case manifest(FlagManifest)
    }

    let key: FlagKeyPath
    let kind: HistoryRecord.Kind
    let provider: String?
    let type: FlagType
    let before: FlagValue?
    let after: FlagValue?
    /// The file as it was.
    let reading: FileReading
    let content: Content
    /// What a preview shows as before where that is not ``before``: of a flag that moves, the entry at its old key path.
    var toldBefore: FlagValue?
    /// Whether the row before it tells of the same bytes, so that they don't change once more.
    var isRowAlone = false

    var document: PropertyListDocument {
        switch content {
        case .values(_, let document): document
        case .manifest(let manifest): manifest.document
        }
    }
}

extension Workspace {
    /// The values file of a provider, else the first writable one.
    func file(_ provider: String?) -> Values? {
        guard let provider else { return values.first { $0.provider.isWritable } }
        return values.first { $0.provider.name == provider }
    }

    /// What a provider holds for a flag, where that can be told.
    func stored(_ key: FlagKeyPath, in file: Values) -> FlagValue? {
        guard case .success(let document) = file.content,
            case .success(let value) = Result(catching: { try document.value(at: key, dictionaryKeys: dictionaryKeys) })
        else { return nil }
        return value
    }

    /// Replaces what a file holds.
    fileprivate mutating func put(_ reading: FileReading, _ content: PlannedEdit.Content) {
        switch content {
        case .values(let place, let document):
            values[place] = Values(provider: values[place].provider, reading: reading, content: .success(document))
        case .manifest(let sound):
            manifest = Manifest(url: manifest.url, reading: reading, content: .success(sound))
            lastSoundManifest = sound
        }
    }
}
