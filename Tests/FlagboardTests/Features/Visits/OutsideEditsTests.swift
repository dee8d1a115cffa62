import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("What edits from outside have touched")
final class OutsideEditsTests {
    private let folder: URL
    private let history: HistoryStore

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "outside-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        history = try HistoryStore(url: folder.appending(path: "history.sqlite"))
    }

    deinit {
        history.close()
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("\(folder) stays: \(error)\n".utf8))
        }
    }

    /// A history whose rows are edits from outside, by their keys; of `nil` are changes by people.
    private func append(_ keys: [String?]) throws {
        let events = keys.map { key in
            HistoryEvent(
                batch: UUID(), at: Date(timeIntervalSince1970: 1_800_000_000), actor: "ann", role: "editor",
                origin: key == nil ? .form : .external, kind: key == nil ? .set : .external, provider: "Local",
                key: Samples.key(key ?? "mine"), type: .bool, before: .bool(false), after: .bool(true), reason: "")
        }
        _ = try history.append(events, head: nil)
    }

    @Test("Each viewer is told of the rows since the own visit, however many there are and whoever asks first")
    func starts() throws {
        try append(["a", nil, "b", "c", "a"])
        let edits = OutsideEdits()
        func keys(after start: Int64, through end: Int64) throws -> [String] {
            try edits.keys(after: start, through: end, in: history).map(\.text).sorted()
        }
        #expect(try keys(after: 3, through: 5) == ["a", "c"])
        #expect(try keys(after: 1, through: 5) == ["a", "b", "c"])
        #expect(try keys(after: 4, through: 5) == ["a"])
        #expect(try keys(after: 5, through: 5).isEmpty)
        try append(["b", nil, "d"])
        #expect(try keys(after: 5, through: 8) == ["b", "d"])
        #expect(try keys(after: 0, through: 8) == ["a", "b", "c", "d"])
        // A page that was made before the last rows came.
        #expect(try keys(after: 2, through: 5) == ["a", "b", "c"])
        #expect(try keys(after: 7, through: 8) == ["d"])
    }

    @Test("What lies further back than the newest rows is not looked at")
    func reach() throws {
        try append(["a", "b", "c", "d"])
        let edits = OutsideEdits(reach: 2)
        #expect(try edits.keys(after: 0, through: 4, in: history).map(\.text).sorted() == ["c", "d"])
        try append(["e"])
        #expect(try edits.keys(after: 0, through: 5, in: history).map(\.text).sorted() == ["d", "e"])
    }
}
