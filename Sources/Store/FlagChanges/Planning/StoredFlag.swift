import FeatureFlags
import FeatureFlagsXML
import FlagHistory

/// A flag that has a definition, and the manifest that holds it.
struct StoredFlag {
    let file: EditedFile<FlagManifest>
    let definition: FlagDefinition
    /// The definition's entry as the file holds it.
    let entry: FlagValue

    /// The edit that leaves the manifest as another one.
    ///
    /// - Parameters:
    ///   - start: The manifest before, where that is no longer ``file``.
    ///   - type: The flag's type then; `nil` for that of now.
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
    /// A flag and its entry in the manifest; `nil` where it has none.
    func storedFlag(_ key: FlagKeyPath) -> StoredFlag? {
        guard case .success(let manifest?) = manifest.content, let reading = self.manifest.reading,
            let definition = manifest.definition(of: key), let entry = manifest.storedEntry(of: key)
        else { return nil }
        return StoredFlag(
            file: EditedFile(content: manifest, reading: reading), definition: definition, entry: entry)
    }
}
