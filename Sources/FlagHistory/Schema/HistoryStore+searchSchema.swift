import GRDB

extension HistoryStore {
    /// Indexes in which a row stands beside all others of the same flag, actor, origin and kind, in the order of the pages,
    /// so that no mixture of filters has to look at many rows that don't match; and which rows an hour has.
    static let searchTables = """
        DROP INDEX history_by_actor;
        DROP INDEX history_by_origin;
        DROP INDEX history_by_kind;
        DROP INDEX history_by_path;
        CREATE INDEX history_by_origin ON history (origin, kind);
        CREATE INDEX history_by_actor ON history (actor, origin, kind);
        CREATE INDEX history_by_path ON history (path, origin, kind);
        CREATE INDEX history_by_path_alone ON history (path);
        CREATE INDEX history_by_path_and_actor ON history (path, actor, origin, kind);

        CREATE TABLE history_hour (
            hour INTEGER PRIMARY KEY,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL CHECK (last >= first)
        ) STRICT;
        INSERT INTO history_hour SELECT at / 3600000000, min(id), max(id) FROM history GROUP BY 1;
        """

    /// Keeps the hours in step with the rows, whoever adds them.
    static let searchGuards = """
        CREATE TRIGGER history_is_noted_by_hour AFTER INSERT ON history BEGIN
            INSERT INTO history_hour (hour, first, last) VALUES (NEW.at / 3600000000, NEW.id, NEW.id)
                ON CONFLICT (hour) DO UPDATE SET last = NEW.id;
        END;
        """

    /// Takes rows that were removed out of the hours; called where the rows up to one are gone.
    static func forgetHours(upTo last: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM history_hour WHERE last <= ?", arguments: [last])
        try db.execute(
            sql: "UPDATE history_hour SET first = ? WHERE first <= ?", arguments: [last + 1, last])
    }
}
