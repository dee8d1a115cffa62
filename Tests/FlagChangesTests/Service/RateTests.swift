import FeatureFlags
import FlagChanges
import Foundation
import Testing

/// How many changes a second the service makes; printed where `FLAGBOARD_RATES` is set.
@Suite("Rates", .serialized, .enabled(if: ProcessInfo.processInfo.environment["FLAGBOARD_RATES"] != nil))
struct RateTests {
    @Test("Changes a second by the number of callers at once", arguments: [1, 8, 50])
    func changes(callers: Int) async throws {
        let each = 400 / callers
        let flags = (0..<callers).map { ("w\($0)", "integer", "") }
        let project = try Project(values: Project.plist("<key>a</key><true/>"), manifest: Project.manifest(flags))
        let service = try project.service()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask {
                    for number in 1...each {
                        let change = Change(key: .of("w\(caller)"), action: .setText("\(number)"))
                        _ = try await service.apply(change, by: Project.author)
                    }
                }
            }
            try await group.waitForAll()
        }
        let rate = Double(callers * each) / ((ContinuousClock.now - start) / .seconds(1))
        print("\(callers) callers: \(Int(rate)) changes/s")
        #expect(try service.rows().count == callers * each)
    }
}
