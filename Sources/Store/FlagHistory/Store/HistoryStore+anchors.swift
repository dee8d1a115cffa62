import GRDB

extension HistoryStore {
    /// Where rows were pruned, oldest first.
    ///
    /// - Throws: Why it can't be read.
    public func anchors() throws(HistoryStoreError) -> [HistoryAnchor] {
        try read(Self.anchors)
    }

    /// The anchor of the pruning that took a row away.
    ///
    /// - Parameter id: The row.
    /// - Returns: `nil` where it was not pruned.
    /// - Throws: Why it can't be read.
    public func anchor(ofRow id: Int64) throws(HistoryStoreError) -> HistoryAnchor? {
        try read { db in
            let columns = SQL(sql: HistoryAnchor.columns)
            return try SQLRequest<Row>(
                literal: "SELECT \(columns) FROM anchor WHERE \(id) BETWEEN first AND last", cached: true
            ).fetchOne(db).map(HistoryAnchor.init)
        }
    }

    static func anchors(_ db: Database) throws -> [HistoryAnchor] {
        try Row.fetchAll(db, sql: "SELECT \(HistoryAnchor.columns) FROM anchor ORDER BY last").map(HistoryAnchor.init)
    }

    static func lastAnchor(_ db: Database) throws -> HistoryAnchor? {
        let newest = "SELECT \(HistoryAnchor.columns) FROM anchor ORDER BY last DESC LIMIT 1"
        return try Row.fetchOne(db.cachedStatement(sql: newest)).map(HistoryAnchor.init)
    }
}
