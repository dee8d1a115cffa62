import FeatureFlags
import FlagHistory
import Foundation
import Synchronization
import Testing

@testable import FlagChanges

/// A clock that shows what a test says.
private final class SetClock: Sendable {
    private let time = Mutex(Project.now)

    @Sendable func read() -> Date { time.withLock { $0 } }

    func move(by seconds: TimeInterval) { time.withLock { $0 = $0.addingTimeInterval(seconds) } }
}

@Suite("A clock that is put back or forth")
struct ClockTests {
    let project: Project
    private let clock = SetClock()
    private let key = FlagKeyPath.of("checkout", "limit")
    private let day: TimeInterval = 86_400

    init() throws { project = try Project() }

    private func service(deniedRowsPerMinute: Int = 60) throws -> ChangeService {
        try project.service(ChangeService.Options(deniedRowsPerMinute: deniedRowsPerMinute, clock: clock.read))
    }

    @Test(
        "Rows keep their order whatever their times, the chain is intact, and a file's last state is what was stored last"
    )
    func keepsOrder() async throws {
        let service = try service()
        let steps: [TimeInterval] = [0, -day, 400 * day, -800 * day, 0.000001]
        var times: [Date] = []
        for (number, step) in steps.enumerated() {
            clock.move(by: step)
            times.append(clock.read())
            _ = try await service.apply(Change(key: key, action: .setText("\(number + 6)")), by: Project.author)
        }
        let rows = try service.rows()
        #expect(rows.map(\.event.after) == (6...10).map { .integer($0) })
        #expect(rows.map(\.id) == [1, 2, 3, 4, 5])
        #expect(zip(rows, times).allSatisfy { abs($0.event.at.timeIntervalSince($1)) < 0.001 })
        #expect(try await service.catalogue()[key]?.resolution.effectiveValue == .integer(10))
        if case .broken(let row, let reason) = try service.history.verifyChain() { Issue.record("\(row): \(reason)") }
    }

    @Test("An interruption and an outside edit before the clock's last time are recovered and recorded all the same")
    func recovers() async throws {
        do {
            let service = try service()
            _ = try await service.apply(Change(key: key, action: .setText("6")), by: Project.author)
        }
        clock.move(by: -30 * day)
        try project.write(Project.values)
        let service = try service()
        #expect(try service.rows().map(\.event.kind) == [.set, .external])
        #expect(try service.rows().map(\.id) == [1, 2])
    }

    @Test("Refused attempts are recorded again after the clock was put back, and not without end")
    func countsDenied() async throws {
        let service = try service(deniedRowsPerMinute: 2)
        let locked = Change(key: .of("checkout", "region"), action: .setText("south"))
        for _ in 1...2 {
            for _ in 1...5 {
                await #expect(throws: ChangeError.self) { try await service.apply(locked, by: Project.author) }
            }
            clock.move(by: -day)
        }
        #expect(try service.rows().map(\.event.kind) == [.denied, .denied, .denied, .denied])
    }
}
