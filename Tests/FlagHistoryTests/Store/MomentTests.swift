import FlagHistory
import Testing

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
}
