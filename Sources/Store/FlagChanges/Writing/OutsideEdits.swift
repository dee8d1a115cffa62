import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

struct OutsideEdits {
    let history: HistoryStore
    let clock: @Sendable () -> Date
    var patience: Duration?

    /// Records differences between files and history.
    ///
    /// New files are stored without a row, unreadable ones left for later. `previous` saves parsing the history's copy.
    ///
    /// - Returns: The history's last row; `nil` if there were differences.
    @discardableResult
    func record(_ workspace: Workspace, after previous: Workspace? = nil) throws(HistoryStoreError) -> Int64? {
        var hashes = try history.headHashes()
        for (place, file) in workspace.values.enumerated() {
            try record(file, workspace.definitions, after: previous?.values[place], &hashes)
        }
        guard let reading = workspace.manifest.reading, case .success(let manifest?) = workspace.manifest.content else {
            return hashes.lastRow
        }
        try record(
            reading, .manifest, at: workspace.manifest.url, provider: nil, &hashes,
            now: { EntriesByFlag(manifest) },
            before: { hash, content in
                if let last = previous?.manifest, last.reading?.hash == hash, case .success(let sound?) = last.content {
                    return EntriesByFlag(sound)
                }
                return try content().map { EntriesByFlag(try FlagManifest(source: $0, maximumSize: .max)) }
            })
        return hashes.lastRow
    }

    private func record(
        _ file: Workspace.Values, _ definitions: FlagManifest?, after previous: Workspace.Values?,
        _ hashes: inout FileHashes
    ) throws(HistoryStoreError) {
        guard let reading = file.reading, case .success(let document) = file.content else { return }
        try record(
            reading, .values, at: file.provider.url, provider: file.provider.name, &hashes,
            now: { EntriesByFlag(document, definitions) },
            before: { hash, content in
                if let previous, previous.reading?.hash == hash, case .success(let last) = previous.content {
                    return EntriesByFlag(last, definitions)
                }
                return try content().map {
                    EntriesByFlag(try PropertyListDocument(source: $0, maximumSize: .max), definitions)
                }
            })
    }

    /// Compares a file lazily, since each look calls this, mostly without news.
    ///
    /// `before` returns `nil` if the history doesn't know the content.
    private func record(
        _ reading: FileReading, _ role: FileRole, at url: URL, provider: String?, _ hashes: inout FileHashes,
        now: () -> EntriesByFlag, before: (Data, () throws -> Data?) throws -> EntriesByFlag?
    ) throws(HistoryStoreError) {
        let path = url.path(percentEncoded: false)
        let known = hashes.hash(of: role, at: path)
        guard known != reading.hash else { return }
        hashes.lastRow = nil
        let head = FileHead(role: role, path: path, hash: reading.hash, content: reading.data)
        guard let known else { return try history.setHead(head, patience: patience) }
        var remark = ""
        var old = EntriesByFlag()
        do {
            guard let held = try before(known, { try history.head(of: role, at: path)?.content }) else {
                return try history.setHead(head, patience: patience)
            }
            old = held
        } catch let error as HistoryStoreError {
            throw error
        } catch {
            remark = "; the previous content can no longer be read"
        }
        let events = events(
            now().changes(since: old), provider: provider, from: known, to: reading.hash, remark: remark)
        if events.isEmpty { return try history.setHead(head, patience: patience) }
        try history.record(events, head: head, patience: patience)
    }

    /// Returns the rows of an external edit; `remark` is appended to the reasons and begins with its separator.
    func events(
        _ changes: some Collection<EntriesByFlag.Change>, provider: String?, from before: Data, to after: Data,
        remark: String
    ) -> some Collection<HistoryEvent> {
        let (batch, at) = (UUID(), clock())
        return changes.lazy.map { change in
            HistoryEvent(
                batch: batch, at: at, actor: HistoryEvent.unknownActor, role: "", origin: .external, kind: .external,
                provider: provider, key: change.subject.key, type: change.type, before: change.before,
                after: change.after, reason: change.subject.prefix + HistoryEvent.outsideReason + remark,
                fileHashBefore: before, fileHashAfter: after)
        }
    }
}

extension HistoryEvent {
    /// The reason of an edit outside of which nothing else is known.
    package static let outsideReason = "edited outside Flagboard"

    /// The actor of an edit outside.
    package static let unknownActor = "unknown"
}
