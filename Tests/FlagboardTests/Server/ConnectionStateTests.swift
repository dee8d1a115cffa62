import NIOCore
import NIOHTTP1
import Testing

@testable import Flagboard

@Suite("What a connection may take its time for")
struct ConnectionStateTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private static let limits = ConnectionLimits()

    private func at(_ seconds: Int64) -> NIODeadline { Self.start + .seconds(seconds) }

    private func head(_ method: HTTPMethod = .GET, _ headers: HTTPHeaders = [:]) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: headers)
    }

    private func state() -> ConnectionState { ConnectionState(limits: Self.limits, now: Self.start) }

    /// A connection whose request came at once and whose response has begun.
    private func answering() -> ConnectionState {
        var state = state()
        state.receiveBytes(at: at(1))
        state.receiveHead(head(), at: at(1))
        state.receiveEnd()
        _ = state.beginResponse(at: at(2))
        return state
    }

    @Test("A connection that is only read after the server was stopped has its whole time for a request from then on")
    func lateConnection() {
        var state = state()
        state.stop(at: at(1))
        state.open(at: at(3))
        #expect(state.deadline?.0 == at(3) + TimeAmount(Self.limits.lastRequest))
    }

    @Test("A head has 5 seconds from its first byte, however often more of it comes")
    func head() {
        var state = state()
        #expect(state.deadline?.0 == at(30))
        for second in 3...7 { state.receiveBytes(at: at(Int64(second))) }
        #expect(state.deadline?.0 == at(8) && state.deadline?.1 == .slowHead)
    }

    @Test("A request has 15 seconds from the first byte of its head, however often more of it comes")
    func body() {
        var state = state()
        state.receiveBytes(at: at(1))
        state.receiveHead(head(.POST), at: at(4))
        for second in 5...9 { state.receiveBytes(at: at(Int64(second))) }
        #expect(state.deadline?.0 == at(16) && state.deadline?.1 == .slowRequest)
        #expect(state.turn == .client(since: at(1)))
    }

    @Test("The server may take as long as it needs")
    func server() {
        var state = state()
        state.receiveBytes(at: at(1))
        state.receiveHead(head(), at: at(1))
        state.receiveEnd()
        #expect(state.deadline == nil)
        #expect(state.turn == .server)
    }

    @Test("A response of which the client has taken all there is may pause as long as it likes")
    func pausing() {
        var state = answering()
        state.noteWritten(1000, waiting: 0, at: at(3))
        #expect(state.deadline == nil)
        #expect(state.turn == .stream(since: at(3)))
    }

    @Test("A client that takes 4 KiB of a response every 15 seconds is never cut off")
    func taking() {
        var state = answering()
        var waiting = 1_000_000
        state.noteWritten(waiting, waiting: waiting, at: at(3))
        var now: Int64 = 3
        while waiting > 0 {
            #expect(state.deadline?.0 == at(now + 15))
            now += 14
            waiting = max(0, waiting - 4096)
            state.noteWritten(0, waiting: waiting, at: at(now))
            if waiting > 0 { #expect(state.turn == .client(since: at(now))) }
        }
        #expect(state.deadline == nil)
    }

    @Test("A client that takes less of a response has 15 seconds in all, even when more is written meanwhile")
    func takingLess() {
        var state = answering()
        state.noteWritten(100_000, waiting: 100_000, at: at(3))
        state.noteWritten(5000, waiting: 101_000, at: at(10))
        #expect(state.deadline?.0 == at(18) && state.deadline?.1 == .close)
        #expect(state.turn == .client(since: at(3)))
    }

    @Test("After a response, silence is borne for 30 seconds, and a head that had begun gets its 5 anew")
    func after() {
        var silent = answering()
        let endsSilent = silent.endResponse(at: at(4))
        #expect(!endsSilent)
        #expect(silent.deadline?.0 == at(34) && silent.deadline?.1 == .close)
        var begun = answering()
        begun.receiveBytes(at: at(3))
        #expect(begun.deadline == nil)
        let endsBegun = begun.endResponse(at: at(4))
        #expect(!endsBegun)
        #expect(begun.deadline?.0 == at(9) && begun.deadline?.1 == .slowHead)
    }

    @Test("A response to a request that is not all there is the last")
    func early() {
        var state = state()
        state.receiveHead(head(.POST), at: at(1))
        let isLast = state.beginResponse(at: at(2))
        state.receiveEnd()
        let ends = state.endResponse(at: at(3))
        #expect(isLast && ends)
        state.end(at: at(3))
        #expect(state.deadline?.0 == at(5) && state.deadline?.1 == .close)
        #expect(state.ignoresBytes)
    }

    @Test(
        "After a request that is the last, nothing is taken for another",
        arguments: [
            HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Connection": "keep-alive, CLOSE"]),
            HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Upgrade": "websocket"]),
            HTTPRequestHead(version: .http1_1, method: .CONNECT, uri: "a:1"),
            HTTPRequestHead(version: .http1_0, method: .GET, uri: "/", headers: ["Connection": "keep-alive"]),
        ])
    func last(head: HTTPRequestHead) {
        var state = state()
        state.receiveHead(head, at: at(1))
        #expect(!state.ignoresBytes)
        state.receiveEnd()
        #expect(state.ignoresBytes)
        let isLast = state.beginResponse(at: at(2))
        #expect(isLast)
    }

    @Test("The first to close is who has kept the server waiting longest, then the quietest stream, never who waits")
    func firstToClose() {
        let late = ConnectionTurn.client(since: at(9)), early = ConnectionTurn.client(since: at(5))
        let stream = ConnectionTurn.stream(since: at(1)), quieter = ConnectionTurn.stream(since: at(0))
        #expect(ConnectionTurn.firstToClose(of: ["a": late, "b": early, "c": stream, "d": .server]) == "b")
        #expect(ConnectionTurn.firstToClose(of: ["a": stream, "b": .server, "c": quieter]) == "c")
        #expect(ConnectionTurn.firstToClose(of: ["a": .server, "b": .server]) == nil)
    }

    @Test(
        "Once the server stops, a silent connection stays open for a moment, and what comes in it is the last request")
    func lastRequest() {
        var state = state()
        state.stop(at: at(10))
        #expect(state.deadline?.0 == at(10) + .milliseconds(500) && state.deadline?.1 == .close)
        state.receiveBytes(at: at(10))
        #expect(state.deadline?.0 == at(12) && state.deadline?.1 == .slowHead)
        state.receiveHead(head(), at: at(11))
        #expect(state.deadline?.0 == at(12) && state.deadline?.1 == .slowRequest)
        state.receiveEnd()
        #expect(state.deadline == nil)
        let isLast = state.beginResponse(at: at(13))
        #expect(isLast)
        #expect(state.ignoresBytes)
        #expect(state.deadline?.0 == at(17) && state.deadline?.1 == .close)
    }

    @Test("A response that had begun when the server stopped is followed by one more, and none is waited for longer")
    func lastAnswer() {
        var state = answering()
        state.stop(at: at(3))
        #expect(state.deadline?.0 == at(7) && state.deadline?.1 == .close)
        let isLast = state.endResponse(at: at(4))
        #expect(!isLast)
        #expect(state.deadline?.0 == at(4) + .milliseconds(500) && state.deadline?.1 == .close)
    }

    @Test(
        "A response that is sent as it is worked out is waited for from part to part while the client takes all of it")
    func slowlyMadeAnswer() {
        var state = answering()
        state.stop(at: at(3))
        state.noteWritten(100, waiting: 0, at: at(6))
        #expect(state.deadline?.0 == at(10) && state.deadline?.1 == .close)
        state.noteWritten(100, waiting: 50, at: at(9))
        #expect(state.deadline?.0 == at(13))
        // A client that does not take what waits for it has no more time by what is written meanwhile.
        state.noteWritten(100, waiting: 120, at: at(11))
        #expect(state.deadline?.0 == at(13))
        state.noteWritten(0, waiting: 80, at: at(12))
        #expect(state.deadline?.0 == at(16))
        state.noteWritten(0, waiting: 0, at: at(14))
        #expect(state.deadline?.0 == at(15))
    }

    @Test("Of requests that were sent together, all are answered before the connection ends")
    func together() {
        var state = state()
        for _ in 1...2 {
            state.receiveBytes(at: at(1))
            state.receiveHead(head(), at: at(1))
            state.receiveEnd()
        }
        state.stop(at: at(2))
        for isLast in [false, true] {
            let begun = state.beginResponse(at: at(3))
            #expect(begun == isLast)
            let ended = state.endResponse(at: at(3))
            #expect(ended == isLast)
        }
    }
}
