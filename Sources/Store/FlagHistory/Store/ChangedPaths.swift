import FeatureFlags
import Foundation
import GRDB
import Synchronization

/// The key paths that ever changed, by provider.
///
/// Cached: the history only grows, so only newer rows are read. Paths of pruned rows stay and find nothing.
final class ChangedPaths: Sendable {
    private struct Known {
        var head: Int64
        var paths: Set<String>
        /// A JSON array, sorted to take the fewest lookup steps.
        var list: String
    }

    /// With more new rows, the index is cheaper.
    private static let mostNewRows = 1000
    private let known = Mutex<[String?: Known]>([:])

    /// Returns a JSON array; of the definitions' paths for `nil`.
    func list(of provider: String?, _ db: Database) throws -> String {
        let head = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM history")) ?? 0
        let last = known.withLock { $0[provider] }
        if let last, last.head >= head { return last.list }
        let paths: Set<String>
        if let last, head - last.head <= Self.mostNewRows {
            paths = last.paths.union(try Self.paths(of: provider, after: last.head, db))
        } else {
            paths = try Self.paths(of: provider, db)
        }
        let now =
            last?.paths == paths
            ? Known(head: head, paths: paths, list: last?.list ?? "")
            : Known(head: head, paths: paths, list: FlagJSON.text(.array(paths.sorted().map(FlagValue.string))))
        known.withLock { known in
            // Another read may have seen more rows meanwhile.
            if known[provider].map({ $0.head < head }) ?? true { known[provider] = now }
        }
        return now.list
    }

    private static func paths(of provider: String?, after row: Int64, _ db: Database) throws -> Set<String> {
        try String.fetchSet(
            db,
            sql: """
                SELECT path FROM history NOT INDEXED
                WHERE id > :row AND provider IS :provider AND \(HistoryStore.isApplied)
                """, arguments: ["row": row, "provider": provider])
    }

    private static func paths(of provider: String?, _ db: Database) throws -> Set<String> {
        try String.fetchSet(
            db, sql: "\(query) SELECT path FROM changed WHERE path IS NOT NULL", arguments: ["provider": provider])
    }

    /// Steps through the index, so that the cost grows with the paths, not with their rows.
    static let query = """
        WITH RECURSIVE changed (path) AS (
            SELECT (SELECT path FROM history INDEXED BY history_by_subject
                WHERE provider IS :provider AND \(HistoryStore.isApplied) ORDER BY path LIMIT 1)
            UNION ALL
            SELECT (SELECT path FROM history INDEXED BY history_by_subject
                WHERE provider IS :provider AND path > changed.path AND \(HistoryStore.isApplied)
                ORDER BY path LIMIT 1)
            FROM changed WHERE changed.path IS NOT NULL)
        """
}
