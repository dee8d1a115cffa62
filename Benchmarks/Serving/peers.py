"""The same work by Python's own library: SQLite for what is looked up, JSON and property lists by its C code."""

import html
import sqlite3

from files import KINDS, key, value

ROW = '<tr><td><a href="/flags/{0}">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td></tr>'
ROWS_OF_A_PAGE = 100
HISTORY = 'SELECT id, at, actor, origin, kind, "key", "before", "after", reason FROM history ORDER BY id DESC LIMIT 50'


class FlagTable:
    """The flags of a file as a table of SQLite, and pages of them as plain tables of HTML."""

    def __init__(self, count):
        self.database = sqlite3.connect(":memory:")
        self.database.execute("CREATE TABLE flag (key TEXT PRIMARY KEY, type TEXT, value TEXT, about TEXT) WITHOUT ROWID")
        self.database.executemany(
            "INSERT INTO flag VALUES (?, ?, ?, ?)",
            ((key(number), KINDS[number % 4], str(value(number)), f"What number {number} is for, in a sentence.")
             for number in range(count)))

    def list(self):
        return self._page(f"SELECT * FROM flag ORDER BY key LIMIT {ROWS_OF_A_PAGE}")

    def search(self, text):
        return self._page(
            f"SELECT * FROM flag WHERE key LIKE ?1 OR value LIKE ?1 OR about LIKE ?1 ORDER BY key LIMIT {ROWS_OF_A_PAGE}",
            f"%{text}%")

    def flag(self, wanted):
        return self._page("SELECT * FROM flag WHERE key = ?", wanted)

    def _page(self, sql, *arguments):
        return page(self.database.execute(sql, arguments))


def page(rows):
    """Rows as a table of HTML, each text escaped."""
    return "".join(ROW.format(*(html.escape(str(cell)) for cell in row)) for row in rows).encode()


def history_page(database):
    """The newest changes, as a table of HTML."""
    return page((row[5], row[2], row[7], row[8]) for row in database.execute(HISTORY))
