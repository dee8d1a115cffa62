import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// Finds what other programs did to the files since the history last knew them, and records it flag by flag.
struct OutsideEdits {
    let history: HistoryStore
    let clock: @Sendable () -> Date
    /// How long to wait for another process that writes the history; `nil` for as long as a change does.
    var patience: Duration?

    /// Compares each file that can be read with the history's head for it.
    ///
    /// A file seen for the first time becomes its head without a row; one that can't be read now is left for later.
    func record(_ workspace: Workspace) throws(HistoryStoreError) {
        let hashes = try history.headHashes()
        for file in workspace.values { try record(file, workspace.definitions, hashes) }
        if let reading = workspace.manifest.reading, case .success(let manifest?) = workspace.manifest.content {
            try record(
                reading, .manifest, at: workspace.manifest.url, provider: nil, hashes,
                now: { EntriesByFlag(manifest) },
                before: { data in EntriesByFlag(try FlagManifest(source: data, maximumSize: .max)) })
        }
    }

    /// Compares one file of values with the history's head for it.
    private func record(
        _ file: Workspace.Values, _ definitions: FlagManifest?, _ hashes: FileHashes
    ) throws(HistoryStoreError) {
        guard let reading = file.reading, case .success(let document) = file.content else { return }
        try record(
            reading, .values, at: file.provider.url, provider: file.provider.name, hashes,
            now: { EntriesByFlag(document, definitions) },
            before: { data in EntriesByFlag(try PropertyListDocument(source: data, maximumSize: .max), definitions) })
    }

    /// Each look comes by here, and most find nothing new: what the file says is worked out only where it is needed.
    private func record(
        _ reading: FileReading, _ role: FileRole, at url: URL, provider: String?, _ hashes: FileHashes,
        now: () -> EntriesByFlag, before: (Data) throws -> EntriesByFlag
    ) throws(HistoryStoreError) {
        let path = url.path(percentEncoded: false)
        guard hashes.hash(of: role, at: path) != reading.hash else { return }
        let head = FileHead(role: role, path: path, hash: reading.hash, content: reading.data)
        guard let known = try history.head(of: role, at: path), let content = known.content else {
            return try history.setHead(head, patience: patience)
        }
        var remark = ""
        var old = EntriesByFlag()
        do {
            old = try before(content)
        } catch {
            remark = "; what the file held before can't be read any more"
        }
        let events = events(
            now().changes(since: old), provider: provider, from: known.hash, to: reading.hash, remark: remark)
        if events.isEmpty { return try history.setHead(head, patience: patience) }
        _ = try history.append(events, head: head, patience: patience)
    }

    /// The rows of what another program did to a file.
    ///
    /// - Parameters:
    ///   - changes: What.
    ///   - provider: Whose values; `nil` for the manifest.
    ///   - before: The hash of the file before it.
    ///   - after: The hash of the file after it.
    ///   - remark: What the reasons say besides; begins with what parts it from the rest.
    /// - Returns: The rows, one batch.
    func events(
        _ changes: [EntriesByFlag.Change], provider: String?, from before: Data, to after: Data, remark: String
    ) -> [HistoryEvent] {
        let (batch, at) = (UUID(), clock())
        return changes.map { change in
            HistoryEvent(
                batch: batch, at: at, actor: "unknown", role: "", origin: .external, kind: .external,
                provider: provider, key: change.subject.key, type: change.type, before: change.before,
                after: change.after, reason: change.subject.prefix + "edited outside Flagboard" + remark,
                fileHashBefore: before, fileHashAfter: after)
        }
    }
}
