import FeatureFlags
import HTTPTypes
import PrometheusMetrics
import Testing

@testable import Flagboard

@Suite("What an embedded dashboard counts")
struct EmbeddedMetricsTests {
    private static let path = EmbeddedFixture.path

    @Test("Changes and refusals are counted by what the app has them counted, and told below the path")
    func counted() async throws {
        let registry = PrometheusRegistry.ofDashboard()
        let app = try await EmbeddedFixture(configure: { $0.metrics = DashboardMetrics(registry: registry) })
        let headers: HTTPFields = [.contentType: "application/json", .ifMatch: "*"]
        let flags = "\(Self.path)/api/v1/flags"
        #expect(try await app.ask(.put, "\(flags)/quick_checkout", headers, body: "{\"value\":true}").status == 200)
        #expect(try await app.ask(.put, "\(flags)/retries", headers, body: "{\"value\":5}").status == 423)
        try app.flags.$deliveryFee.set(2.5, in: "Local")
        let metrics = try await app.ask("\(Self.path)/metrics", as: "viewer")
        #expect(metrics.status == 200)
        for line in [
            "flagboard_changes_total{action=\"set\",origin=\"api\"} 1",
            "flagboard_changes_total{action=\"external\",origin=\"external\"} 1",
            "flagboard_refusals_total{reason=\"locked\"} 1", "flagboard_refusals_total{reason=\"not_allowed\"} 0",
            "flagboard_takes_changes 1", "flagboard_unreadable_files 0",
        ] { #expect(registry.text.contains("\n\(line)\n"), "\(line)") }
        #expect(metrics.body.contains("flagboard_refusals_total{reason=\"locked\"} 1\n"))
        #expect(try await app.ask("\(Self.path)/metrics", as: nil).status == 401)
    }

    @Test("Without a registry there is nothing at /metrics, and the app is named as who knows the numbers")
    func elsewhere() async throws {
        let app = try await EmbeddedFixture()
        let answer = try await app.ask("\(Self.path)/metrics")
        #expect(answer.status == 404 && answer.body.contains("Get them from the app"))
    }
}
