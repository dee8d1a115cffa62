import Testing

@testable import Flagboard

@Suite("Fields of a CSV file")
struct HistoryCSVTests {
    @Test(
        "What may divide fields anywhere stands in quotes, and what would be calculated is text",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("a;=1+1", "\"a;'=1+1\""), ("x\t=1+1", "\"x\t'=1+1\""),
            ("a; +SUM(A1)", "\"a;' +SUM(A1)\""), ("a\n@x", "\"a\n'@x\""), ("1;-5;2", "\"1;-5;2\""),
            ("a;=b;c;=d", "\"a;'=b;c;'=d\""),
            ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("=1+1", "'=1+1"), ("-5", "-5"), ("", ""),
        ])
    func fields(text: String, field: String) {
        #expect(HistoryCSV.field(text) == field)
    }

    @Test("A byte order mark comes first where it is asked for")
    func byteOrderMark() {
        #expect(HistoryCSV(hasByteOrderMark: true).header == "\u{FEFF}" + HistoryCSV().header)
        #expect(HistoryCSV().header.unicodeScalars.first == "i")
    }
}
