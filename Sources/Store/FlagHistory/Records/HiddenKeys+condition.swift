import FeatureFlags
import Foundation
import GRDB

extension HiddenKeys {
    /// Matches visible rows of `history`.
    ///
    /// Looks up the hidden paths once, by the index, so that a page's cost doesn't grow with their rows.
    var isShown: SQL { isShown(flags: Self.pathsInside(flags), groups: Self.pathsInside(groups)) }

    /// Returns the condition with paths looked up once, for many queries of one snapshot.
    func isShown(_ db: Database) throws -> SQL {
        func found(_ keys: Set<FlagKeyPath>) throws -> SQL {
            let paths =
                keys.isEmpty ? [] : try SQLRequest<String>(literal: Self.pathsInside(keys), cached: true).fetchAll(db)
            return "SELECT value FROM json_each(\(FlagJSON.text(.array(paths.map(FlagValue.string)))))"
        }
        return isShown(flags: try found(flags), groups: try found(groups))
    }

    private func isShown(flags inFlags: SQL, groups inGroups: SQL) -> SQL {
        var parts: [SQL] = []
        if !flags.isEmpty {
            parts.append("path NOT IN (\(inFlags))")
            let above = Self.paths(Set(flags.flatMap(\.ancestors)))
            parts.append(
                """
                (path IN (SELECT value FROM json_each(\(above))) AND type IS NOT NULL
                    AND (\(Self.isDictionary) OR \(Self.isNoteOfHidden))) IS NOT TRUE
                """)
        }
        if !groups.isEmpty {
            parts.append(
                """
                (type IS NULL AND kind NOT IN ('prune', 'accept') AND path IN (\(inGroups))) IS NOT TRUE
                """)
        }
        return parts.isEmpty ? "TRUE" : parts.joined(separator: " AND ")
    }

    private static let isDictionary: SQL =
        """
        (substr("before", 1, 14) IS '{"dictionary":' OR substr("after", 1, 14) IS '{"dictionary":')
        """

    /// Matches reasons whose change has a dictionary, or was pruned.
    private static let isNoteOfHidden: SQL =
        """
        (kind = 'note' AND NOT EXISTS (
            SELECT 1 FROM (SELECT id AS noted, "before" AS held, "after" AS leaves FROM history)
            WHERE noted = CAST(json_extract("after", '$.integer') AS INTEGER)
                AND substr(held, 1, 14) IS NOT '{"dictionary":' AND substr(leaves, 1, 14) IS NOT '{"dictionary":'))
        """

    /// Selects distinct key paths by stepping through the index.
    private static func pathsInside(_ keys: Set<FlagKeyPath>) -> SQL {
        """
        WITH RECURSIVE hidden (lowest, bound) AS (
            SELECT value, substr(value, 1, length(value) - 1) || '0' FROM json_each(\(paths(keys)))
        ), inside (path, bound) AS (
            SELECT (SELECT min(h.path) FROM history AS h WHERE h.path >= lowest AND h.path < bound), bound FROM hidden
            UNION ALL
            SELECT (SELECT min(h.path) FROM history AS h WHERE h.path > inside.path AND h.path < inside.bound), bound
            FROM inside WHERE inside.path IS NOT NULL
        ) SELECT path FROM inside WHERE path IS NOT NULL
        """
    }

    private static func paths(_ keys: Set<FlagKeyPath>) -> String {
        FlagJSON.text(.array(keys.map { .string(StoredEvent.path(of: $0.text)) }))
    }
}
