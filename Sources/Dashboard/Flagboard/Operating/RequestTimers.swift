import CoreMetrics
import HTTPTypes
import Hummingbird

/// How long requests take, by route and class of status.
///
/// All timers are there from the start, so that no request waits for a lock to find its own.
struct RequestTimers: Sendable {
    /// One for each class of status, from 1xx on.
    private typealias Classes = [Timer]

    private let byPath: [String: Classes]
    private let assets: Classes
    private let none: Classes

    /// - Parameter factory: What the times go to.
    init(_ factory: any MetricsFactory) {
        func classes(_ name: String) -> Classes {
            (1...5).map { digit in
                let labels = [("route", name), ("status", "\(digit)xx")]
                return Timer(label: DashboardMetric.requests.rawValue, dimensions: labels, factory: factory)
            }
        }
        byPath = Dictionary(
            uniqueKeysWithValues: Route.all.map { (RouterPath($0.path).description, classes($0.name)) })
        assets = classes("assets")
        none = classes("none")
    }

    /// Takes the time of a request.
    ///
    /// - Parameter endpoint: What the router found, by its path; `nil` where the request did not get that far.
    func record(_ time: Duration, endpoint: String?, path: String, status: HTTPResponse.Status) {
        let classes = endpoint.flatMap { byPath[$0] } ?? others(endpoint, path)
        let place = status.code / 100 - 1
        guard classes.indices.contains(place) else { return }
        classes[place].recordNanoseconds(Int64(time / .nanoseconds(1)))
    }

    /// The timers of what was refused on the way to its route, of a file, or of nothing.
    private func others(_ endpoint: String?, _ path: String) -> Classes {
        if endpoint == PublicFiles.endpoint { return assets }
        return Route.reached(by: path).flatMap { byPath[RouterPath($0.path).description] } ?? none
    }
}
