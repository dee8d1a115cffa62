import FeatureFlags
import Foundation
import GRDB

/// Where the rows of a query are looked for: an index that has few others beside them, in the order of the ids.
enum IndexChoice {
    /// All rows.
    case all
    /// Rows by the index of this condition's columns; none of the conditions leaves another order than that of the ids.
    case indexed([SQL])
    /// A few rows, whatever order their index has.
    case few(SQL)
    /// Rows that have what a text is made of, as the full-text index takes it; they may not hold the text itself.
    case text(String)

    /// Below how many rows an index is followed to its end, whatever else is asked for.
    private static let fewRows = 4000
    /// The same where a text is asked for too: each row's text is read from another place of the file then.
    private static let fewRowsOfText = 500

    /// How many arms the statements have at most that are prepared once.
    private static let mostArmsKept = 12

    /// Whether the statements for it are few.
    var hasFewStatements: Bool { if case .indexed(let arms) = self { arms.count <= Self.mostArmsKept } else { true } }

    /// Chooses the index.
    init(_ query: HistoryQuery, _ db: Database) throws {
        let all = SQL("SELECT id FROM history INDEXED BY")
        if let batch = query.batch {
            self = .few("\(all) history_by_batch WHERE batch = \(batch.uuidString)")
            return
        }
        let arms = try Self.arms(query, db)
        let group = query.group.map { SQL("\(all) history_by_path WHERE \(HistoryQuery.isInside($0))") }
        let trigrams = query.trigrams
        let few = trigrams == nil ? Self.fewRows : Self.fewRowsOfText
        func isFew(_ rows: SQL) throws -> Bool {
            let count = try SQLRequest<Int>(
                literal: "SELECT count(*) FROM (SELECT 1 FROM (\(rows)) LIMIT \(few))",
                cached: query.hasFewStatements && (arms.map(Self.indexed)?.hasFewStatements ?? true)
            ).fetchOne(db)
            return (count ?? 0) < few
        }
        if let arms, try arms.isEmpty || isFew(arms.joined(separator: " UNION ALL ")) {
            self = .indexed(arms)
        } else if let group, try isFew(group) {
            self = .few(group)
        } else if let trigrams {
            self = .text(trigrams)
        } else {
            self = arms.map(Self.indexed) ?? .all
        }
    }

    /// The rows of each origin and kind that there are for the flag and the actor that are asked for; `nil` where nothing of
    /// it is.
    private static func arms(_ query: HistoryQuery, _ db: Database) throws -> [SQL]? {
        guard query.key != nil || query.actor != nil || query.origin != nil || query.kind != nil else { return nil }
        var index = "history_by_origin"
        var fixed: [SQL] = []
        if let key = query.key {
            index = query.actor == nil ? "history_by_path" : "history_by_path_and_actor"
            fixed.append("path = \(StoredEvent.path(of: key.text))")
        } else if query.actor != nil {
            index = "history_by_actor"
        }
        if let actor = query.actor { fixed.append("actor = \(StoredEvent.storable(actor))") }
        func arm(_ origin: SQL, _ kind: SQL) -> SQL {
            let rows = (fixed + ["origin = \(origin)", "kind = \(kind)"]).joined(separator: " AND ")
            return "SELECT id FROM history INDEXED BY \(sql: index) WHERE \(rows)"
        }
        let origins = (query.origin.map { [$0] } ?? HistoryRecord.Origin.allCases).map(\.rawValue)
        let kinds = (query.kind.map { [$0] } ?? HistoryRecord.Kind.allCases).filter { $0 != query.exceptKind }
            .map(\.rawValue)
        return try SQLRequest<Row>(
            literal: """
                SELECT o.value AS origin, k.value AS kind
                FROM json_each(\(list(origins))) AS o CROSS JOIN json_each(\(list(kinds))) AS k
                WHERE EXISTS (\(arm("o.value", "k.value")))
                """, cached: true
        ).fetchAll(db).map { row in
            let (origin, kind): (String, String) = (try row.sound("origin"), try row.sound("kind"))
            return arm("\(origin)", "\(kind)")
        }
    }

    private static func list(_ texts: [String]) -> String {
        FlagJSON.line(.array(texts.map(FlagValue.string)))
    }

    /// Whether so many of them may be without a match that a look at them must end by id, and not by number.
    var isSparse: Bool { if case .text = self { true } else { false } }

    /// Whether a look at them ends by id: that costs less where every id is one of them.
    var endsByID: Bool { isSparse || isAll }

    /// Whether all rows are candidates.
    var isAll: Bool { if case .all = self { true } else { false } }

    /// The ids within bounds, without order or limit.
    func ids(in range: ClosedRange<Int64>) -> SQL {
        let bounds: SQL = "id BETWEEN \(range.lowerBound) AND \(range.upperBound)"
        return switch self {
        case .all: "SELECT id FROM history WHERE \(bounds)"
        case .indexed(let arms) where arms.isEmpty: "SELECT id FROM history WHERE FALSE"
        case .indexed(let arms): arms.map { SQL("\($0) AND \(bounds)") }.joined(separator: " UNION ALL ")
        case .few(let rows): "\(rows) AND \(bounds)"
        case .text(let trigrams):
            // With its sign the id is no column, whose order would be asked of the index: backwards it takes five times as long.
            """
            SELECT +rowid AS id FROM history_search WHERE history_search MATCH \(trigrams)
                AND rowid BETWEEN \(range.lowerBound) AND \(range.upperBound)
            """
        }
    }
}
