import Foundation

/// Takes events out of a stream (`text/event-stream`, HTML 9.2.6), however it is cut into pieces.
package struct EventStreamReader: Sendable {
    /// What was told.
    package struct Event: Hashable, Sendable {
        /// What it is called; `message` where the stream doesn't say.
        package let name: String
        /// What it says.
        package let data: String
    }

    /// The id of the last event that had one, to be sent as `Last-Event-ID`; empty where the stream has none.
    package private(set) var lastEventID = ""
    /// How long the stream wants to be waited for when it breaks, where it says so.
    package private(set) var retry: Duration?

    private let maximumSize: Int
    private var isAtStart = true
    private var endedByReturn = false
    private var line: [UInt8] = []
    private var name = ""
    private var data: String?
    private var id = ""
    /// How many bytes the event so far has.
    private var size = 0

    /// Begins a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The id that the stream is to go on from.
    ///   - maximumSize: The most bytes of one event.
    package init(after lastEventID: String = "", maximumSize: Int = 1 << 20) {
        (self.lastEventID, id, self.maximumSize) = (lastEventID, lastEventID, maximumSize)
    }

    /// Reads a piece of the stream.
    ///
    /// - Parameter piece: Its bytes.
    /// - Returns: The events that are complete with it.
    /// - Throws: Where an event has more bytes than are kept.
    package mutating func events(in piece: some Sequence<UInt8>) throws(EventStreamError) -> [Event] {
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
                    throw EventStreamError("an event of the stream has more than \(maximumSize) bytes")
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
            // A comment is no part of an event.
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

/// Why a stream of events can't be read on.
package struct EventStreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    package let description: String

    init(_ description: String) { self.description = description }
}
