import FeatureFlags
import Foundation
import GRDB

extension HiddenKeys {
    /// Whether a row of the table `history` may appear.
    ///
    /// The hidden rows are looked up by the index of `path`, so that a long history costs no more than a short one.
    var isShown: SQL {
        var hidden: [SQL] = []
        if !flags.isEmpty {
            hidden.append(Self.rows(Self.isBelow, flags))
            let above = Set(flags.flatMap(\.ancestors))
            hidden.append(Self.rows("h.path = k.value AND h.type IS NOT NULL AND \(Self.isDictionary)", above))
        }
        if !groups.isEmpty {
            hidden.append(Self.rows("\(Self.isBelow) AND h.type IS NULL AND h.kind NOT IN ('prune', 'accept')", groups))
        }
        return hidden.isEmpty ? "TRUE" : "id NOT IN (\(hidden.joined(separator: " UNION ALL ")))"
    }

    /// What stands inside a path begins with it, and `0` follows on the `/` that it ends with.
    private static let isBelow: SQL =
        "h.path >= k.value AND h.path < substr(k.value, 1, length(k.value) - 1) || '0'"

    /// Whether a row's value, before or after, is a dictionary, by its text form.
    private static let isDictionary: SQL =
        """
        (substr(h."before", 1, 14) = '{"dictionary":' OR substr(h."after", 1, 14) = '{"dictionary":')
        """

    private static func rows(_ condition: SQL, _ keys: Set<FlagKeyPath>) -> SQL {
        let paths = FlagJSON.text(.array(keys.map { .string(StoredEvent.path(of: $0.text)) }))
        return "SELECT h.id FROM json_each(\(paths)) AS k CROSS JOIN history AS h ON \(condition)"
    }
}
