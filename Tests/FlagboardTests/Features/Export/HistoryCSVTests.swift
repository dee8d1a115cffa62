import Testing

@testable import Flagboard

@Suite("Fields of a CSV file")
struct HistoryCSVTests {
    @Test(
        "What may divide fields anywhere stands in quotes, and what would be calculated is text",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("a;=1+1", "\"a;=1+1\""), ("x\t=1+1", "\"x\t=1+1\""),
            ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("=1+1", "'=1+1"), ("-5", "-5"), ("", ""),
        ])
    func fields(text: String, field: String) {
        #expect(HistoryCSV.field(text) == field)
    }
}
