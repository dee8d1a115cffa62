import FeatureFlags
import FlagHistory
import Foundation
import Testing

@Suite("The changes around a moment")
struct NeighbourTests {
    private static let batch = UUID()

    /// Seven rows: a change, a batch of two, a refused attempt, two changes, of which the first is of `secret`, and an aborted one.
    private static func history() throws -> (folder: TemporaryHistory, history: HistoryStore) {
        try TemporaryHistory.filled([
            .sample(), .sample(key: "a", batch: batch), .sample(key: "b", batch: batch), .sample(kind: .denied),
            .sample(key: "secret"), .sample(key: "c"), .sample(kind: .aborted),
        ])
    }

    @Test(
        "The change before, the one after and the one after that are found, attempts passed over and a batch taken as one",
        arguments: [
            (0, nil, 1, 2), (1, 1, 2, 5), (3, 2, 5, 6), (4, 2, 5, 6), (5, 5, 6, nil), (6, 6, nil, nil),
            (99, 6, nil, nil),
        ] as [(Int64, Int64?, Int64?, Int64?)])
    func found(row: Int64, previous: Int64?, next: Int64?, afterNext: Int64?) throws {
        let store = try Self.history()
        let neighbours = try store.history.neighbours(ofMomentAfter: row, hiddenKeys: [])
        #expect(neighbours.previous?.id == previous)
        #expect(neighbours.next?.id == next)
        #expect(neighbours.afterNext?.id == afterNext)
    }

    @Test("What is hidden is passed over, also within a batch")
    func hidden() throws {
        let store = try Self.history()
        let neighbours = try store.history.neighbours(ofMomentAfter: 3, hiddenKeys: [.make("secret"), .make("a")])
        #expect(neighbours.previous?.id == 3 && neighbours.next?.id == 6 && neighbours.afterNext == nil)
    }

    @Test("An empty history has no changes around any moment")
    func empty() throws {
        let folder = try TemporaryHistory()
        let store = try folder.open()
        #expect(
            try store.neighbours(ofMomentAfter: .max, hiddenKeys: [])
                == NeighbouringChanges(previous: nil, next: nil, afterNext: nil))
    }
}
