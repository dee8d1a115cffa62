import FlagHistory
import Foundation
import GRDB

extension TemporaryHistory {
    /// Puts the published history of the first release into the folder, with its key and its checkpoints.
    ///
    /// It has seven rows about `ui/blue_text` and `ui/size`.
    func putFirstRelease() throws {
        let vector = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Vectors/history-1")
        let statements = try String(contentsOf: vector.appending(path: "flags.history.sql"), encoding: .utf8)
        let raw = try raw()
        try raw.writeWithoutTransaction { try $0.execute(sql: statements) }
        try raw.close()
        for name in ["flags.history.key", "flags.history.checkpoints"] {
            let place = folder.appending(path: name)
            try FileManager.default.copyItem(at: vector.appending(path: name), to: place)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
        }
    }

    /// The same rows as any program reads them, one text each.
    func rowsAsStored() throws -> [String] {
        let raw = try raw()
        let rows = try raw.read { try Row.fetchAll($0, sql: "SELECT * FROM history ORDER BY id").map { "\($0)" } }
        try raw.close()
        return rows
    }
}

extension HistoryVerdict {
    /// Whether everything about the history holds.
    var isSound: Bool { if case .sound = self { true } else { false } }
}
