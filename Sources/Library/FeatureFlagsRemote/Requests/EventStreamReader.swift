import Foundation

/// Reads events from a stream (`text/event-stream`, HTML 9.2.6) in any pieces.
package struct EventStreamReader: Sendable {
    package struct Event: Hashable, Sendable {
        /// `message` if the stream names none.
        package let name: String
        package let data: String
    }

    /// For `Last-Event-ID`; empty if there was none.
    package private(set) var lastEventID = ""
    package private(set) var retry: Duration?

    private let maximumSize: Int
    private var isAtStart = true
    private var endedByReturn = false
    private var line: [UInt8] = []
    private var name = ""
    private var data: String?
    private var id = ""
    private var size = 0

    package init(after lastEventID: String = "", maximumSize: Int = 1 << 20) {
        (self.lastEventID, id, self.maximumSize) = (lastEventID, lastEventID, maximumSize)
    }

    /// Reads a piece of the stream, and returns the events that it completes.
    package mutating func events(in piece: some Sequence<UInt8>) throws(RemoteError) -> [Event] {
        var events: [Event] = []
        for byte in piece {
            defer { endedByReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where endedByReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                size += 1
                guard size <= maximumSize else {
                    throw RemoteError.content("an event is larger than \(maximumSize) bytes")
                }
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        var bytes = line.dropFirst(colon + 1)
        if bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
        let value = String(decoding: bytes, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = value
        case "data": data = data.map { "\($0)\n\(value)" } ?? value
        case "id" where !bytes.contains(0): id = value
        case "retry" where bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }):
            retry = UInt32(value).map { .milliseconds(Int64($0)) } ?? retry
        case "":
            size -= line.count
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer { (name, data, size) = ("", nil, 0) }
        lastEventID = id
        return data.map { Event(name: name.isEmpty ? "message" : name, data: $0) }
    }
}
