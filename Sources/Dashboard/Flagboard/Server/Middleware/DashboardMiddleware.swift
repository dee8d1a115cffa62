import Hummingbird

/// A step that every request to the dashboard passes before its route.
protocol DashboardMiddleware: RouterMiddleware where Context == DashboardContext {}

extension DashboardMiddleware {
    /// The rest of the way: the steps after this one, and the route.
    typealias Next = (Request, DashboardContext) async throws -> Response
}
