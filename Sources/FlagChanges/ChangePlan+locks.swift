import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

extension ChangePlan {
    /// The edit of a flag's lock, in its definition.
    func lockEdit(_ change: Change, _ definition: FlagDefinition, isLocked: Bool) throws(ChangeRefusal) -> PlannedEdit {
        let name = context.files.manifest.lastPathComponent
        guard case .success(let manifest?) = workspace.manifest.content, let reading = workspace.manifest.reading else {
            throw ChangeRefusal(
                .invalid, key: change.key,
                "\(change.key) has no definition to lock: there is no manifest, which is where locks are kept.",
                remedy: "Make \(name) with the flag's key and type, then lock it; nothing was changed.")
        }
        guard let before = manifest.storedEntry(of: change.key) else {
            throw ChangeRefusal(
                .invalid, key: change.key, "\(change.key) has no definition to lock: it is known by its value alone.",
                remedy: "Add its key and type to \(name), then lock it; nothing was changed.")
        }
        let edited: FlagManifest
        do {
            edited = try manifest.settingLock(isLocked, of: change.key)
        } catch {
            throw refusal(error, of: change.key)
        }
        return PlannedEdit(
            key: change.key, kind: isLocked ? .lock : .unlock, provider: nil, type: definition.type, before: before,
            after: edited.storedEntry(of: change.key), reading: reading, content: .manifest(edited))
    }
}
