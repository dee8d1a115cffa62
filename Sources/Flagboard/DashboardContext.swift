import Hummingbird

/// What the dashboard knows of a request beyond the request itself.
struct DashboardContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}
