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

    @Test("One session more than a token may have ends the one of its own that was seen longest ago")
    func capacityOfOne() {
        var sessions = Sessions()
        let token = Session.Grant.token(name: "other", digest: SecretDigest(of: "other"))
        let other = sessions.begin(token, from: "here", at: clock.now)
        let first = sessions.begin(grant, from: "here", at: clock.now)
        let second = sessions.begin(grant, from: "here", at: clock.now)
        clock.advance(seconds: 1)
        for _ in 2..<Sessions.capacityOfOne { _ = sessions.begin(grant, from: "here", at: clock.now) }
        #expect(sessions.find(first, at: clock.now) != nil)
        _ = sessions.begin(grant, from: "here", at: clock.now)
        #expect(sessions.all(at: clock.now).count == Sessions.capacityOfOne + 1)
        #expect(sessions.find(first, at: clock.now) != nil)
        #expect(sessions.find(second, at: clock.now) == nil)
        #expect(sessions.find(other, at: clock.now) != nil)
    }

    @Test("One session more than there is room for ends one of the token that has the most")
    func capacity() {
        var sessions = Sessions()
        let lone = sessions.begin(grant, from: "here", at: clock.now)
        clock.advance(seconds: 1)
        var (firstOfMost, count) = ("", 1)
        for number in 0...(Sessions.capacity / Sessions.capacityOfOne) {
            let name = "token \(number)"
            let token = Session.Grant.token(name: name, digest: SecretDigest(of: name))
            let size = number == 3 ? Sessions.capacityOfOne : Sessions.capacityOfOne - 10
            for place in 0..<size where count < Sessions.capacity {
                count += 1
                let identifier = sessions.begin(token, from: "here", at: clock.now)
                if number == 3, place == 0 { firstOfMost = identifier }
                clock.advance(seconds: 1)
            }
        }
        #expect(sessions.all(at: clock.now).count == Sessions.capacity)
        let new = sessions.begin(
            .token(name: "new", digest: SecretDigest(of: "new")), from: "here", at: clock.now)
        #expect(sessions.all(at: clock.now).count == Sessions.capacity)
        #expect(sessions.find(firstOfMost, at: clock.now) == nil)
        #expect(sessions.find(lone, at: clock.now) != nil && sessions.find(new, at: clock.now) != nil)
    }
}
