import FeatureFlags
import Foundation
import GRDB

/// An index that yields few rows beyond a query's, in the order of ids.
enum IndexChoice {
    case all
    /// Each condition must leave the order of ids.
    case indexed([SQL])
    /// In any order.
    case few(SQL)
    /// Rows with a text's trigrams, as a full-text query; they may lack the text itself.
    case text(String)

    /// An index with fewer rows is read to its end.
    private static let fewRows = 4000
    /// The same for a text, whose rows need a second read elsewhere in the file.
    private static let fewRowsOfText = 500

    private static let mostArmsKept = 12

    var hasFewStatements: Bool { if case .indexed(let arms) = self { arms.count <= Self.mostArmsKept } else { true } }

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

    /// Returns a condition for each origin and kind with rows; `nil` without such filters.
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

    /// `true` if so few candidates may match that portions must end by id.
    var isSparse: Bool { if case .text = self { true } else { false } }

    /// `true` if a portion ends by id, which is cheaper if all ids are candidates.
    var endsByID: Bool { isSparse || isAll }

    var isAll: Bool { if case .all = self { true } else { false } }

    /// Returns a query without order or limit.
    func ids(in range: ClosedRange<Int64>) -> SQL {
        let bounds: SQL = "id BETWEEN \(range.lowerBound) AND \(range.upperBound)"
        return switch self {
        case .all: "SELECT id FROM history WHERE \(bounds)"
        case .indexed(let arms) where arms.isEmpty: "SELECT id FROM history WHERE FALSE"
        case .indexed(let arms): arms.map { SQL("\($0) AND \(bounds)") }.joined(separator: " UNION ALL ")
        case .few(let rows): "\(rows) AND \(bounds)"
        case .text(let trigrams):
            // With `+`, SQLite doesn't ask the index for the order, which backwards takes five times as long.
            """
            SELECT +rowid AS id FROM history_search WHERE history_search MATCH \(trigrams)
                AND rowid BETWEEN \(range.lowerBound) AND \(range.upperBound)
            """
        }
    }
}
