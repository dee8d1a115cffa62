import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("Sessions")
struct SessionsTests {
    private let clock = TestClock()
    private let grant = Session.Grant.launch(SecretDigest(of: "secret"))

    @Test("A session is over after 8 hours without a request", arguments: [(7.99, true), (8, false)])
    func idle(hours: Double, isFound: Bool) {
        var sessions = Sessions()
        let identifier = sessions.begin(grant, from: "here", at: clock.now)
        clock.advance(hours: hours)
        #expect((sessions.find(identifier, at: clock.now) != nil) == isFound)
        #expect(sessions.all(at: clock.now).isEmpty == !isFound)
    }

    @Test("A session is over after 24 hours, however often it is seen")
    func absolute() {
        var sessions = Sessions()
        let identifier = sessions.begin(grant, from: "here", at: clock.now)
        for _ in 1...5 {
            clock.advance(hours: 4.5)
            #expect(sessions.find(identifier, at: clock.now)?.lastSeen == clock.now)
        }
        clock.advance(hours: 1.5)
        #expect(sessions.find(identifier, at: clock.now) == nil)
    }

    @Test("A clock that goes back keeps a session from lasting longer")
    func clockGoesBack() {
        var sessions = Sessions()
        let identifier = sessions.begin(grant, from: "here", at: clock.now)
        let seen = clock.now
        clock.advance(hours: -5)
        #expect(sessions.find(identifier, at: clock.now)?.lastSeen == seen)
    }

    @Test("Identifiers are 256 random bits, all different, and none of them is kept")
    func identifiers() {
        var sessions = Sessions()
        let identifiers = (0..<100).map { _ in sessions.begin(grant, from: "here", at: clock.now) }
        #expect(Set(identifiers).count == 100)
        for identifier in identifiers {
            #expect(identifier.wholeMatch(of: /[A-Za-z0-9_\-]{43}/) != nil)
            #expect(!String(describing: sessions).contains(identifier))
        }
    }

    @Test("One session more than there is room for ends the one that was seen longest ago")
    func capacity() {
        var sessions = Sessions()
        let first = sessions.begin(grant, from: "here", at: clock.now)
        let second = sessions.begin(grant, from: "here", at: clock.now)
        clock.advance(seconds: 1)
        for _ in 2..<Sessions.capacity { _ = sessions.begin(grant, from: "here", at: clock.now) }
        #expect(sessions.find(first, at: clock.now) != nil)
        _ = sessions.begin(grant, from: "here", at: clock.now)
        #expect(sessions.all(at: clock.now).count == Sessions.capacity)
        #expect(sessions.find(first, at: clock.now) != nil)
        #expect(sessions.find(second, at: clock.now) == nil)
    }
}
