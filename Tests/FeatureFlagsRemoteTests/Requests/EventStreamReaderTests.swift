import FeatureFlagsRemote
import Foundation
import Testing

@Suite("A stream of events, read")
struct EventStreamReaderTests {
    private typealias Event = EventStreamReader.Event

    private func events(_ text: String) throws -> [String] {
        var reader = EventStreamReader()
        return try reader.events(in: text.utf8).map { "\($0.name)=\($0.data)" }
    }

    @Test(arguments: [
        ("data: a\n\n", ["message=a"]), ("data:a\r\n\r\n", ["message=a"]), ("data: a\r\r", ["message=a"]),
        ("data:  a\n\n", ["message= a"]), ("data\n\n", ["message="]), ("data: a\ndata: b\n\n", ["message=a\nb"]),
        ("event: x\ndata: a\n\ndata: b\n\n", ["x=a", "message=b"]), ("event: x\n\ndata: b\n\n", ["message=b"]),
        (": still here\n\n", []), ("data: a\n", []), ("data: a", []),
        ("nothing: a\ndata: {\"a\": 1}\n\n", ["message={\"a\": 1}"]),
        ("\u{FEFF}data: a\n\n", ["message=a"]), ("\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", ["message=b"]),
        ("data: a:b\n\n", ["message=a:b"]), ("data: \u{301}\n\n", ["message=\u{301}"]), ("\n\r\n\r", []),
    ])
    func `each form of lines, fields and comments is read as HTML 9.2 has it`(_ text: String, _ told: [String]) throws {
        #expect(try events(text) == told)
    }

    @Test func `a stream may be cut anywhere, within a character and between the two bytes of a line end too`() throws {
        let text =
            "retry: 2000\r\n: Flagboard\r\n\r\nid: 7\r\nevent: flag-changed\r\ndata: ä€👩‍👩‍👧\r\ndata: b\r\n\r\ndata: c\r\n\r\n"
        for size in 1...9 {
            var reader = EventStreamReader()
            var told: [Event] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                told += try reader.events(in: bytes[start..<min(start + size, bytes.count)])
            }
            #expect(told.map(\.name) == ["flag-changed", "message"])
            #expect(told.map(\.data) == ["ä€👩‍👩‍👧\nb", "c"])
            #expect(reader.lastEventID == "7")
            #expect(reader.retry == .seconds(2))
        }
    }

    @Test func `the last id stays until another one comes, and is that of whole events`() throws {
        var reader = EventStreamReader(after: "5")
        #expect(reader.lastEventID == "5")
        _ = try reader.events(in: "data: a\n\n".utf8)
        #expect(reader.lastEventID == "5")
        _ = try reader.events(in: "id: 6\ndata: a\n".utf8)
        #expect(reader.lastEventID == "5")
        _ = try reader.events(in: "\nid: 7\0\ndata: a\n\n".utf8)
        #expect(reader.lastEventID == "6")
        _ = try reader.events(in: "id\ndata: a\n\n".utf8)
        #expect(reader.lastEventID == "")
    }

    @Test(arguments: ["retry: soon\n", "retry: -1\n", "retry\n", "retry: 99999999999999999999\n"])
    func `what retry can't mean changes nothing`(_ line: String) throws {
        var reader = EventStreamReader()
        _ = try reader.events(in: "retry: 10\n\(line)".utf8)
        #expect(reader.retry == .milliseconds(10))
    }

    @Test func `an event that never ends is refused, and any number of comments and events is not`() throws {
        var reader = EventStreamReader(maximumSize: 100)
        for _ in 0..<50 {
            _ = try reader.events(in: ": still here\n: still here\n".utf8)
            #expect(try reader.events(in: "data: \(String(repeating: "x", count: 80))\n\n".utf8).count == 1)
        }
        #expect(throws: RemoteError.self) {
            for _ in 0..<50 { _ = try reader.events(in: "data: aa\n".utf8) }
        }
    }
}
