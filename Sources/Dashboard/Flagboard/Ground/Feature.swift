import FlagChanges
import Synchronization

/// A part of the dashboard: its addresses, and the style sheets and scripts that its pages need.
///
/// Each has a folder of `Features`, and its value there; ``all`` lists them. The router, the links of pages, the layout's head and the
/// menus are made from that list.
struct Feature: Sendable {
    let routes: [Route]
    /// The names of its style sheets, without `.css`.
    let styles: [String]
    /// The names of its scripts, without `.js`.
    let scripts: [String]

    init(routes: [Route], styles: [String] = [], scripts: [String] = []) {
        (self.routes, self.styles, self.scripts) = (routes, styles, scripts)
    }

    /// The style sheets that every page names, in their order.
    static let allStyles = ["flagboard", "frame"] + all.flatMap(\.styles) + ["comfort"]
    /// The scripts that every page names, in their order.
    static let allScripts = ["sending", "comfort", "menu", "disclosures"] + all.flatMap(\.scripts) + ["times"]
}

/// A link to a page of the dashboard, in a menu.
struct MenuItem: Sendable {
    let label: String
    let href: String
    /// Whether a viewer sees it.
    let isShown: @Sendable (MenuViewer) -> Bool

    /// - Parameter isShown: Whether a viewer sees it; all do unless told otherwise.
    init(_ label: String, _ route: Route, isShown: @escaping @Sendable (MenuViewer) -> Bool = { _ in true }) {
        (self.label, href, self.isShown) = (label, route.path, isShown)
    }
}

/// The viewer of a page, as far as the links of menus depend on it.
struct MenuViewer {
    let providers: [ProviderSummary]
    let visitor: Visitor?
    /// Whether webhooks are sent by this dashboard's process.
    let hasWebhooks: Bool
    /// Whether the viewer can define flags now.
    var canDefine = false
}

/// What features keep between requests, one value of each type, so that the dashboard need not know the features.
final class FeatureStates: Sendable {
    private let values = Mutex<[ObjectIdentifier: any Sendable]>([:])

    /// The value of a type.
    ///
    /// - Parameter make: Makes the value, where it is asked for first.
    func value<State: Sendable>(_ make: () -> State) -> State {
        values.withLock { values in
            if let value = values[ObjectIdentifier(State.self)] as? State { return value }
            let value = make()
            values[ObjectIdentifier(State.self)] = value
            return value
        }
    }
}
