import Foundation
import Hummingbird
import Logging
import Testing

@testable import Flagboard

@Suite("Routes")
struct RoutesTests {
    @Test("The paths that the router answers are those of Routes.swift, by which the tests of all pages go")
    func paths() throws {
        let folder = Samples.templates.deletingLastPathComponent()
        let source = try String(
            contentsOf: folder.appending(path: "Sources/Flagboard/Routes.swift"), encoding: .utf8)
        let written = source.matches(of: /static let \w+: RouterPath = "([^"]+)"/)
            .map { RouterPath(String($0.1)).description }
        let router = try DashboardFixture("").dashboard.router(logger: Logger(label: "test"))
        let answered = Set(router.routes.map(\.path.description))
        #expect(answered.symmetricDifference(written) == [])
        #expect(written.count == answered.count && answered.count > 40)
    }
}
