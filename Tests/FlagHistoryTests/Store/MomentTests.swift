import Foundation
import GRDB
import Testing

@testable import FlagHistory

@Suite("Reads of one moment")
struct MomentTests {
    @Test("Reads within one moment don't see what is written meanwhile, and those after it do")
    func oneMoment() throws {
        let history = try TemporaryHistory()
        let (reader, writer) = (try history.open(), try history.open())
        try writer.append([.sample(key: "a")], head: nil)
        let query = HistoryQuery(hiddenKeys: [])
        let (before, page, head) = try reader.atOneMoment { () throws(HistoryStoreError) in
            let before = try reader.page(query).total
            try writer.append([.sample(key: "b")], head: nil)
            return (before, try reader.page(query).total, try reader.chainHead().id)
        }
        #expect(before == 1 && page == 1 && head == 1)
        #expect(try reader.page(query).total == 2)
    }

    @Test("A moment ends, and is one, though the store is being closed meanwhile")
    func closing() throws {
        let history = try TemporaryHistory()
        let (reader, writer) = (try history.open(), try history.open())
        try writer.append([.sample(key: "a")], head: nil)
        let query = HistoryQuery(hiddenKeys: [])
        let isClosed = DispatchSemaphore(value: 0)
        let totals = try reader.atOneMoment { () throws(HistoryStoreError) in
            let before = try reader.page(query).total
            // What closing begins with, so that the reads below come after it however late the other thread is.
            reader.pool.invalidateReadOnlyConnections()
            Thread.detachNewThread {
                reader.close()
                isClosed.signal()
            }
            try writer.append([.sample(key: "b")], head: nil)
            return [before, try reader.page(query).total, try reader.page(query).total]
        }
        #expect(totals == [1, 1, 1])
        isClosed.wait()
    }
}
