import FlagChanges
import Synchronization

/// A part of the dashboard with its folder in `Features`.
///
/// The router, links, menus and the layout's head are made from ``all``.
struct Feature: Sendable {
    let routes: [Route]
    let styles: [String]
    let scripts: [String]

    init(routes: [Route], styles: [String] = [], scripts: [String] = []) {
        (self.routes, self.styles, self.scripts) = (routes, styles, scripts)
    }

    static let allStyles = ["flagboard", "frame"] + all.flatMap(\.styles) + ["comfort"]
    static let allScripts = ["sending", "comfort", "menu", "disclosures"] + all.flatMap(\.scripts) + ["times"]
}

struct MenuItem: Sendable {
    let label: String
    let href: String
    let isShown: @Sendable (MenuViewer) -> Bool

    init(_ label: String, _ route: Route, isShown: @escaping @Sendable (MenuViewer) -> Bool = { _ in true }) {
        (self.label, href, self.isShown) = (label, route.path, isShown)
    }
}

struct MenuViewer {
    let providers: [ProviderSummary]
    let visitor: Visitor?
    let hasWebhooks: Bool
    var canDefine = false
}

/// State kept between requests, by type, so that the dashboard need not know the features.
final class FeatureStates: Sendable {
    private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

    func value<State: Sendable>(_ make: () -> State) -> State {
        values.withLock { values in
            if let value = values[ObjectIdentifier(State.self)] as? State { return value }
            let value = make()
            values[ObjectIdentifier(State.self)] = value
            return value
        }
    }
}
