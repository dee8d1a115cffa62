import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// All flags that may be seen at one moment, for another server to answer with the same.
public struct FlagsSnapshot: Sendable {
    /// The values that providers hold and that are in force, as a property list; flags that have their default are left out.
    public let values: Data
    /// The definitions, as a manifest; `nil` where there is none.
    public let manifest: Data?
    /// The last row of the history that they are told with, and its hash.
    public let head: ChainHead
}

extension ChangeService {
    /// What tells one moment's snapshot from another's; `nil` where there is none now, since a file can't be read.
    ///
    /// - Throws: ``ChangeError`` where the history is damaged.
    public func snapshotVersion() async throws(ChangeError) -> FlagRevision? {
        Self.snapshotVersion(try await reader.state())
    }

    /// All flags at one moment.
    ///
    /// - Returns: The snapshot, and what tells it from another one.
    /// - Throws: ``ChangeError`` where a file can't be read now, or a value can't be written.
    public func snapshot() async throws(ChangeError) -> (snapshot: FlagsSnapshot, version: FlagRevision) {
        let state = try await reader.state()
        guard let version = Self.snapshotVersion(state), let row = state.lastRow,
            case .success(let manifest) = state.workspace.manifest.content
        else {
            throw ChangeError(
                .unavailable,
                "A file can't be read now, a change waits to be cleared up, or values come from the app that this is part of.",
                remedy: "In the first two cases, ask again once that is mended; an app's own values can't be followed.")
        }
        var tree = NestedValues()
        let entries = state.catalogue.entries.filter(\.resolution.isOverridden)
        for entry in entries.filter(\.isDefined) + entries.filter({ !$0.isDefined }) {
            guard case .provider(let name) = entry.resolution.source, let stored = entry.resolution[name]?.stored else {
                continue
            }
            tree.insert(stored, at: entry.key)
        }
        do {
            let snapshot = FlagsSnapshot(
                values: try ExportFormat.propertyList.data(tree.value, jsonFlags: []),
                manifest: try manifest?.omitting(
                    state.workspace.hiddenFlags(showsInternal: showsInternal),
                    keeping: Set(state.catalogue.collections.keys)),
                head: try head(row))
            return (snapshot, version)
        } catch let error as ChangeError {
            throw error
        } catch {
            context.options.log("a snapshot failed: \(error)")
            throw ChangeError(
                .unavailable, "The flags can't be written down now.", remedy: "The log says why.")
        }
    }

    private static func snapshotVersion(_ state: FilesState) -> FlagRevision? {
        guard let version = state.flags.wholeVersion, let row = state.lastRow else { return nil }
        return FlagRevision(rawValue: "\(version.rawValue)-\(row)")
    }

    private func head(_ row: Int64) throws -> ChainHead {
        let head = try history.chainHead()
        guard head.id != row else { return head }
        guard let hash = try history.hash(ofRow: row) else {
            throw ChangeError(
                .unavailable, "The history was pruned while the flags were written down.", remedy: "Ask again.")
        }
        return ChainHead(id: row, hash: hash)
    }
}
