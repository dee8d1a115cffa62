import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("Forms and downloads, byte by byte")
struct EncodingTests {
    @Test(
        "A field of CSV stays one field, whatever marks follow its quotation marks",
        arguments: [
            ("a\"\u{301},=1", "\"a\"\"\u{301},=1\""), ("\"\u{301}", "\"\"\"\u{301}\""), ("=1+1", "'=1+1"),
            ("@x", "'@x"), ("-1.5", "-1.5"), ("-1+2", "'-1+2"), ("+\u{301}x", "'+\u{301}x"), ("a\r\nb", "\"a\r\nb\""),
            ("\n=1", "\"'\n'=1\""), ("plain", "plain"), (" =1", "' =1"), ("\u{FEFF}=1", "'\u{FEFF}=1"), ("＝1", "'＝1"),
            ("a =1", "a =1"), (" a", " a"),
        ])
    func csv(text: String, field: String) {
        #expect(Array(HistoryCSV.field(text).utf8) == Array(field.utf8))
    }

    @Test("A row of CSV shows values as they read and their kinds beside them")
    func csvRow() throws {
        let record = Samples.record(7, "a/b", before: nil, after: .string(""), reason: "why, then")
        #expect(
            HistoryCSV().header
                == "id,at,actor,role,origin,kind,provider,key,type,before,before_kind,after,after_kind,reason,batch,"
                + "request_id,idempotency_key,file_hash_before,file_hash_after,previous_hash,hash,altered\r\n")
        let columns = HistoryCSV().header.split(separator: ",").map(String.init)
        let fields = try HistoryCSV().line(of: record).split(separator: ",", omittingEmptySubsequences: false)
        #expect(columns.firstIndex(of: "after_kind").map { fields[$0] } == "string")
        #expect(columns.firstIndex(of: "before_kind").map { fields[$0] } == "")
        #expect(columns.firstIndex(of: "id").map { fields[$0] } == "7")
    }

    @Test("A line of JSON holds what the row's hash was made over")
    func jsonLines() throws {
        struct Line: Decodable {
            let id: Int64
            let batch, at, actor, role, origin, kind, key, reason, hash: String
            let provider, type, request_id, idempotency_key, file_hash_before, file_hash_after: String?
            let before, after: FlagValue?
            let previous_hash: String
        }
        let hash = Data(repeating: 0xA0, count: 32)
        let at = Date(timeIntervalSinceReferenceDate: 785_012_345.000_123)
        let event = HistoryEvent(
            batch: UUID(), at: at, actor: "a\"\u{301}", role: "editor", origin: .form, kind: .set, provider: "Local",
            key: Samples.key("a/b"), type: .dictionary, before: nil,
            after: .dictionary(["x/": .double(0.1), "é": .integer(18_446_744_073_709_551_615)]), reason: "",
            idempotencyKey: "k", fileHashBefore: hash)
        let record = HistoryRecord(id: 9, event: event, previousHash: hash, hash: hash)
        let text = try HistoryJSONLines().line(of: record)
        let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        #expect(line.id == 9 && line.batch == event.batch.uuidString && line.at == "2025-11-16T18:59:05.000123Z")
        #expect(line.actor == event.actor && line.before == nil && line.after == event.after)
        #expect(line.idempotency_key == "k" && line.previous_hash == hash.hexadecimal && line.file_hash_after == nil)
        let digits = hash.hexadecimal
        let expected =
            "{\"id\":9,\"batch\":\"\(line.batch)\",\"at\":\"\(line.at)\",\"actor\":\"a\\\"\u{301}\",\"role\":\"editor\","
            + "\"origin\":\"form\",\"kind\":\"set\",\"provider\":\"Local\",\"key\":\"a/b\",\"type\":\"dictionary\","
            + "\"before\":null,\"after\":\(try #require(event.after).encodedText()),\"reason\":\"\",\"request_id\":null,"
            + "\"idempotency_key\":\"k\",\"file_hash_before\":\"\(digits)\",\"file_hash_after\":null,"
            + "\"previous_hash\":\"\(digits)\",\"hash\":\"\(digits)\"}\n"
        #expect(Array(text.utf8) == Array(expected.utf8))
    }

    @Test(
        "Fields are told apart by bytes, whatever mark follows a separator",
        arguments: [
            ("a=1&\u{301}b=2", ["a": "1", "\u{301}b": "2"]),
            ("a=\u{301}&b=+\u{301}", ["a": "\u{301}", "b": " \u{301}"]),
            ("a=%26%3D&b", ["a": "&=", "b": ""]), ("", [:]),
        ])
    func fields(encoded: String, values: [String: String]) throws {
        #expect(try FormFields(encoded).values == values)
    }

    @Test("What is not URL-encoded UTF-8 is refused", arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "a=1&a=2"])
    func badFields(encoded: String) {
        #expect(throws: UnreadableFormError.self) { try FormFields(encoded) }
    }

    @Test("Raw bytes that are not UTF-8 are refused rather than replaced")
    func rawBytes() {
        #expect(throws: UnreadableFormError.malformed) { try FormFields(bytes: Array("a=".utf8) + [0xFF]) }
    }

    @Test(
        "Line ends follow the text that the form started from",
        arguments: [
            ("a\nb", "a\r\nb", "a\r\nb"), ("a\nc", "a\r\nb", "a\r\nc"), ("a\nc", "a\nb", "a\nc"),
            ("a\nb\nc", "a\r\nb\nc", "a\r\nb\nc"), ("a\nb\nd", "a\r\nb\nc", "a\nb\nd"),
            ("a\n\u{301}b", "x\r\ny", "a\r\n\u{301}b"), ("a\nb", "x\ry", "a\rb"),
        ])
    func lineEnds(typed: String, original: String, restored: String) {
        #expect(Array(LineEnds.restored(typed, like: original).utf8) == Array(restored.utf8))
    }
}
