import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// The files from before the edits that a reversal takes back, with their comments, layout and order.
///
/// A plan writes a definition anew at the end of the manifest; the history may still have its bytes.
struct TakenBackEdits {
    let context: ChangeContext
    /// The rows of the reversal.
    let events: ArraySlice<HistoryEvent>

    /// The number of flags by which an edit is looked for.
    private static let mostKeys = 8

    /// Returns `nil` if the planned content is another one, or the history no longer has the edit.
    func manifest(
        from old: Workspace.Manifest, planned: Workspace.Manifest
    ) throws(HistoryStoreError) -> (FlagManifest, FileReading)? {
        guard case .success(let manifest?) = planned.content, let reading = old.reading,
            reading.hash != planned.reading?.hash
        else { return nil }
        let entries = EntriesByFlag(manifest)
        let path = planned.url.path(percentEncoded: false)
        for data in try contents(before: reading, .manifest, at: path, provider: nil) {
            guard
                case .success(let former) = Result(catching: {
                    try FlagManifest(source: data, maximumSize: context.files.maximumFileSize)
                }),
                EntriesByFlag(former).changes(since: entries).isEmpty
            else { continue }
            return (former, reading.replaced(by: data))
        }
        return nil
    }

    func values(
        from old: Workspace.Values, planned: Workspace.Values, _ manifest: FlagManifest?
    ) throws(HistoryStoreError) -> (PropertyListDocument, FileReading)? {
        guard case .success(let document) = planned.content, let reading = old.reading,
            reading.hash != planned.reading?.hash
        else { return nil }
        let entries = EntriesByFlag(document, manifest)
        let provider = planned.provider
        for data in try contents(before: reading, .values, at: provider.path, provider: provider.name) {
            guard
                case .success(let former) = Result(catching: {
                    try PropertyListDocument(source: data, maximumSize: context.files.maximumFileSize)
                }),
                EntriesByFlag(former, manifest).changes(since: entries).isEmpty
            else { continue }
            return (former, reading.replaced(by: data))
        }
        return nil
    }

    private func contents(
        before reading: FileReading, _ role: FileRole, at path: String, provider: String?
    ) throws(HistoryStoreError) -> [Data] {
        let history = context.history
        var hashes: Set<Data> = []
        var contents: [Data] = []
        for event in events.lazy.filter({ $0.provider == provider }).prefix(Self.mostKeys) {
            guard let hash = try history.fileHash(beforeLastChangeOf: event.key, in: provider),
                hashes.insert(hash).inserted,
                let splices = try history.splices(takingBackEditOf: hash, of: role, at: path, in: reading.data)
            else { continue }
            // From the end, since each starts where it is in the current content.
            let back = ContentEdit(splices: splices.reversed())
            if let content = back.applied(to: reading.data) { contents.append(content) }
        }
        return contents
    }
}
