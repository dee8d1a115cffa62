import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// A plan of requests on top of each other, without writing.
///
/// Each change passes the rules and its planner, which yields edited files and history rows.
struct ChangePlan {
    struct Step {
        let preview: ChangePreview
        let event: Int?
    }

    let context: ChangeContext
    private(set) var start: Workspace
    let unsettled: UnsettledChange?
    private(set) var workspace: Workspace
    /// True to answer what changes would do, without their environment's rules.
    private let isTrial: Bool
    /// The rows, with hashes of intermediate contents, though files are replaced only once.
    private(set) var events: [HistoryEvent] = []

    init(
        _ context: ChangeContext, on workspace: Workspace, unsettled: UnsettledChange?, isTrial: Bool = false
    ) {
        self.isTrial = isTrial
        self.context = context
        self.unsettled = unsettled
        start = workspace
        self.workspace = workspace
    }

    /// Adds a request completely or not at all, each change on top of those before it.
    ///
    /// Edits and parses a file once per run of independent changes, since batches hold thousands.
    mutating func add(_ request: ChangeRequest) -> [Step] {
        let before = (workspace, events)
        var steps: [Step] = []
        while steps.count < request.changes.count {
            let rest = request.changes[steps.count...]
            let rules = ChangeRules(context: context, workspace: workspace, unsettled: unsettled, events: events)
            let change = rest[rest.startIndex]
            switch change.action {
            case .note:
                for note in NotePlan(rules).planned(rest, by: request.author) {
                    steps.append(add(note, of: request))
                }
            case .definition:
                for change in DefinitionPlan(rules).planned(rest, by: request.author) {
                    steps.append(add(change, of: request))
                }
            case .value:
                for change in ValuePlan(rules).planned(rest, by: request.author) {
                    steps.append(add(change, of: request))
                }
            }
        }
        guard steps.contains(where: { $0.preview.refusal != nil }) else {
            if !isTrial, request.takesBackDefinitions { restoreBytes(before: before.0, since: before.1.count) }
            return steps
        }
        (workspace, events) = before
        return steps.map { Step(preview: $0.preview, event: nil) }
    }

    private mutating func add(_ planned: PlannedChange, of request: ChangeRequest) -> Step {
        switch planned.result {
        case .failure(let refusal): return Step(preview: refused(planned.change, refusal), event: nil)
        case .success(let edits):
            if !isTrial, edits.edits.contains(where: \.isRecorded),
                let refusal = EnvironmentCheck(context, workspace).refusal(
                    of: planned.change, making: edits.edits, by: request.author)
            {
                return Step(preview: refused(planned.change, refusal), event: nil)
            }
            let preview = ChangePreview(
                change: planned.change, provider: edits.provider, before: edits.before, after: edits.after,
                type: edits.type)
            var event: Int?
            for edit in edits.edits where edit.isRecorded {
                events.append(HistoryEvent(edit, of: planned.change, request, at: context.options.clock()))
                workspace.put(edit)
                event = events.count - 1
            }
            return Step(preview: preview, event: event)
        }
    }

    /// Adds a reason: a row without an edit.
    private mutating func add(
        _ planned: PlannedNote, of request: ChangeRequest
    ) -> Step {
        let change = planned.change
        switch planned.record {
        case .failure(let refusal): return Step(preview: refused(change, refusal), event: nil)
        case .success(let record):
            let event = HistoryEvent(
                .note, of: change, by: request.author, batch: request.batch, at: context.options.clock(),
                provider: record.event.provider, key: record.event.key, type: record.event.type,
                after: .integer(Int128(record.id)))
            events.append(event)
            let preview = ChangePreview(
                change: change, provider: event.provider, before: nil, after: event.after, type: event.type)
            return Step(preview: preview, event: events.count - 1)
        }
    }

    private func refused(_ change: Change, _ refusal: ChangeError) -> ChangePreview {
        let seen = workspace.definition(of: change.key, showsInternal: context.options.showsInternal)
        let file = change.action.isAboutValue ? workspace.file(change.provider, for: change.key) : nil
        return ChangePreview(
            change: change, provider: file?.provider.name,
            before: seen == nil ? nil : file.flatMap { workspace.stored(change.key, in: $0) }, after: nil,
            refusal: refusal, type: seen?.type)
    }

    var makesManifest: Bool { start.manifest.reading == nil && workspace.manifest.reading != nil }

    mutating func begin(with manifest: Workspace.Manifest) {
        start.manifest = manifest
    }

    /// The changes for running apps, joined into one for each value.
    var appEdits: [AppEdit] {
        zip(start.appProviders, workspace.appProviders).compactMap { before, after in
            guard let writer = before.writer, before != after else { return nil }
            var changes: [FlagKeyPath: AppProvider.Change] = [:]
            for event in events where event.provider == before.name && event.kind.changesFlags {
                changes[event.key] = AppProvider.Change(
                    key: event.key, before: changes[event.key].map(\.before) ?? event.before, after: event.after)
            }
            let edit = AppEdit(
                provider: before.name,
                changes: changes.values.filter { $0.before != $0.after }.sorted { $0.key < $1.key }, writer: writer)
            return edit.changes.isEmpty ? nil : edit
        }
    }

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

extension ChangePlan {
    /// Puts the bytes from before the edit that a reversal takes back, if they mean what is planned.
    private mutating func restoreBytes(before: Workspace, since first: Int) {
        let edits = TakenBackEdits(context: context, events: events[first...])
        do throws(HistoryStoreError) {
            if let (sound, reading) = try edits.manifest(from: before.manifest, planned: workspace.manifest) {
                replaceHash(of: workspace.manifest.reading, by: reading, since: first)
                workspace.put(sound, reading)
            }
            for (place, file) in workspace.values.enumerated() {
                let found = try edits.values(from: before.values[place], planned: file, workspace.definitions)
                guard let (document, reading) = found else { continue }
                replaceHash(of: file.reading, by: reading, since: first)
                workspace.put(document, at: place, reading)
            }
        } catch {
            context.options.log(
                "the former bytes can't be restored, so the flags are written again: \(error.description)")
        }
    }

    private mutating func replaceHash(of planned: FileReading?, by reading: FileReading, since first: Int) {
        guard let planned else { return }
        for index in events[first...].indices {
            if events[index].fileHashBefore == planned.hash { events[index].fileHashBefore = reading.hash }
            if events[index].fileHashAfter == planned.hash { events[index].fileHashAfter = reading.hash }
        }
    }
}

extension ChangeRequest {
    fileprivate var takesBackDefinitions: Bool {
        author.origin == .revert
            && changes.contains { if case .definition = $0.action { true } else { false } }
    }
}

extension HistoryEvent {
    fileprivate init(_ edit: PlannedEdit, of change: Change, _ request: ChangeRequest, at time: Date) {
        self.init(
            edit.kind, of: change, by: request.author, batch: request.batch, at: time, provider: edit.provider,
            key: edit.key, type: edit.type, before: edit.before, after: edit.after)
        (fileHashBefore, fileHashAfter) = (edit.reading?.hash, edit.leaving?.hash)
    }
}

extension Workspace {
    fileprivate mutating func put(_ edit: PlannedEdit) {
        switch edit.content {
        case .values(.app(let place), let document):
            appProviders[place] = appProviders[place].changed(
                by: AppProvider.Change(key: edit.key, before: edit.before, after: edit.after), to: document)
        case .values(.file(let place), let document):
            put(document, at: place, edit.leaving)
        case .manifest(let sound): put(sound, edit.leaving)
        }
    }

    fileprivate mutating func put(_ document: PropertyListDocument, at place: Int, _ reading: FileReading?) {
        var file = Values(provider: values[place].provider, reading: reading, content: .success(document))
        file.remember(values[place], definitions)
        values[place] = file
    }

    fileprivate mutating func put(_ sound: FlagManifest, _ reading: FileReading?) {
        manifest = Manifest(url: manifest.url, reading: reading, content: .success(sound))
        lastSoundManifest = sound
    }
}

/// A set that finds key paths at, around or inside its own.
struct TouchedKeys {
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
