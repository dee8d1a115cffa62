import FeatureFlags
import FeatureFlagsXML
import FlagHistory
import Foundation

/// All visible flags at one moment, for a replica.
package struct FlagsSnapshot: Sendable {
    /// The providers' values in force as a property list, without flags at their default.
    package let values: Data
    package let manifest: Data?
    /// The problems of broken sources, by each stale or unknown flag.
    package let broken: [String: String]
    /// The last row of the history at that moment.
    package let head: ChainHead
}

extension ChangeService {
    /// Returns the version of the current snapshot; `nil` if none can be made.
    package func snapshotVersion() async throws(ChangeError) -> FlagRevision? {
        Self.snapshotVersion(try await reader.state())
    }

    package func snapshot() async throws(ChangeError) -> (snapshot: FlagsSnapshot, version: FlagRevision) {
        let state = try await reader.state()
        guard let version = Self.snapshotVersion(state), let row = state.lastRow,
            case .success(let manifest) = state.workspace.manifest.content
        else {
            throw ChangeError(
                .unavailable,
                "Can't create a snapshot: the definitions can't be read, a change is pending, or a host app provides "
                    + "values.",
                remedy:
                    "Fix the definitions or wait for the pending change. Values from a host app can't be in a snapshot."
            )
        }
        var tree = NestedValues()
        let entries = state.catalogue.entries.filter(\.resolution.isFromProvider)
        for entry in entries.filter(\.isDefined) + entries.filter({ !$0.isDefined }) {
            guard case .provider(let name) = entry.resolution.source,
                let reading = entry.resolution.readings.first(where: { $0.provider == name }),
                let stored = reading.lastGood ?? reading.answer.stored
            else { continue }
            tree.insert(stored, at: entry.key)
        }
        // A sound value from another provider needs no mark.
        let broken = state.catalogue.entries.filter { $0.resolution.isStale || !$0.resolution.isFromProvider }
            .compactMap { entry in
                entry.resolution.brokenSources.last?.problem.map { (entry.key.text, $0.description) }
            }
        do {
            let snapshot = FlagsSnapshot(
                values: try ExportFormat.propertyList.data(tree.value, jsonFlags: []),
                manifest: try manifest?.omitting(
                    state.workspace.hiddenFlags(showsInternal: showsInternal),
                    keeping: Set(state.catalogue.collections.keys)),
                broken: Dictionary(broken, uniquingKeysWith: { first, _ in first }),
                head: try head(row))
            return (snapshot, version)
        } catch let error as ChangeError {
            throw error
        } catch {
            context.options.log("snapshot failed: \(error)")
            throw ChangeError(
                .unavailable, "Can't create a snapshot of the flags now.", remedy: "See the log for the cause.")
        }
    }

    private static func snapshotVersion(_ state: FilesState) -> FlagRevision? {
        guard let version = state.flags.versionInForce, let row = state.lastRow else { return nil }
        return FlagRevision(rawValue: "\(version.rawValue)-\(row)")
    }

    private func head(_ row: Int64) throws -> ChainHead {
        let head = try history.chainHead()
        guard head.id != row else { return head }
        guard let hash = try history.hash(ofRow: row) else {
            throw ChangeError(
                .unavailable, "The history was pruned while the snapshot was created.", remedy: "Try again.")
        }
        return ChainHead(id: row, hash: hash)
    }
}
