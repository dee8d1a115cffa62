import FeatureFlags
import Foundation
import HTTPTypes
import Hummingbird

/// An address with its handlers and access rules.
///
/// The router, the checks of requests and all links are made from the routes of each ``Feature``.
struct Route: Sendable {
    typealias Answer = @Sendable (Request, DashboardContext) async throws -> Response
    typealias Handler = @Sendable (Dashboard) -> Answer

    /// The visitors that an address admits; the change service checks changes.
    enum Visitors: Hashable, Sendable {
        case everybody, signedIn
        /// The text completes "Only admins …".
        case admins(String)

        static let adminsOfAccess = admins("can manage access")
        static let adminsOfWebhooks = admins("can manage webhooks")
    }

    /// The template name: `{{>to-sign-in}}` is the path of `sign-in`.
    let name: String
    /// `:id` matches one component, `**` the rest.
    let path: String
    let handlers: [HTTPRequest.Method: Handler]
    let visitors: Visitors
    /// Errors are not shown as pages.
    let isForPrograms: Bool
    /// For example a new token, or sign-in credentials.
    let mayShowSecrets: Bool
    /// Describes the form, if it may be sent again after signing in.
    let resuming: (@Sendable (SentForm) -> String)?
    let prefix: String
    private let suffix: String
    private let formPath: String
    /// Without `**`.
    private let parts: [Substring.UTF8View]
    private let takesRest: Bool

    /// - Parameter page: The page with the form, if not this route's own.
    init(
        _ name: String, _ path: String, get: Handler? = nil, post: Handler? = nil, put: Handler? = nil,
        delete: Handler? = nil, visitors: Visitors = .signedIn, isForPrograms: Bool = false,
        mayShowSecrets: Bool = false, resuming: (@Sendable (SentForm) -> String)? = nil, formOn page: Route? = nil
    ) {
        self.name = name
        self.path = path
        handlers = [.get: get, .post: post, .put: put, .delete: delete].compactMapValues { $0 }
        self.visitors = visitors
        self.isForPrograms = isForPrograms
        self.mayShowSecrets = mayShowSecrets
        self.resuming = resuming
        formPath = page?.path ?? path
        takesRest = path.hasSuffix("**")
        parts = Self.components(of: path).dropLast(takesRest ? 1 : 0)
        prefix = String(path.prefix { $0 != ":" && $0 != "*" })
        suffix = String(path.dropFirst(prefix.count).drop { $0 != "/" })
    }

    /// In the order of an `Allow` header.
    var methods: [HTTPRequest.Method] {
        let order: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete]
        return order.filter { handlers[$0 == .head ? .get : $0] != nil }
    }

    /// `value` is percent-encoded.
    func path(_ value: String) -> String { prefix + value + suffix }

    /// Returns the key path in a path's encoded rest, if any.
    func key(in path: String) -> FlagKeyPath? {
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        guard let rest = String(path.utf8.dropFirst(prefix.utf8.count)) else { return nil }
        let text = rest.utf8.contains(UInt8(ascii: "%")) ? rest.removingPercentEncoding : rest
        return text.flatMap { FlagKeyPath(text: $0) }
    }

    var fileName: String { path.split(separator: "/").last.map(String.init) ?? "" }

    func matches(_ path: String) -> Bool { matches(Self.components(of: path)) }

    var isDefinition: Bool { [.newDefinition, .definition, .definitionByKey].contains(self) }

    /// The route for an empty rest, since the router skips empty components.
    var alone: Route? { takesRest ? Self.reached(by: prefix) : nil }

    func admit(_ visitor: Visitor?) throws(RequestError) {
        guard case .admins(let deed) = visitors, visitor?.isAdmin != true else { return }
        throw RequestError(
            .forbidden, title: "Not allowed", message: "Only admins \(deed).",
            remedy: "Ask an admin, or sign in with an admin’s token.")
    }

    private func matches(_ components: [Substring.UTF8View]) -> Bool {
        (takesRest ? components.count > parts.count : components.count == parts.count)
            && zip(parts, components).allSatisfy { Self.isOpen($0) ? !$1.isEmpty : $0.elementsEqual($1) }
    }

    private static func isOpen(_ part: Substring.UTF8View) -> Bool { part.first == UInt8(ascii: ":") }

    private static func components(of path: String) -> [Substring.UTF8View] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }
}

extension Route: Equatable {
    static func == (one: Route, other: Route) -> Bool { one.path == other.path }
}

extension Route {
    private static let apiPrefixes = ["/api/", "/ofrep/"]

    /// The most specific first.
    private static let byFirstComponent = Dictionary(grouping: all) { Substring($0.parts[1]) }
        .mapValues { routes in routes.sorted { $0.openness < $1.openness } }

    private var openness: Int { parts.count(where: Self.isOpen) + (takesRest ? 100 - parts.count : 0) }

    static func at(_ path: String) -> Route? { at(components(of: path)) }

    /// Returns the route that the router finds, since it skips empty components.
    static func reached(by path: String) -> Route? {
        let components = components(of: path)
        guard components.dropFirst().contains(where: \.isEmpty) else { return at(components) }
        return at("/" + components.filter { !$0.isEmpty }.map { String(Substring($0)) }.joined(separator: "/"))
    }

    private static func at(_ components: [Substring.UTF8View]) -> Route? {
        guard components.count > 1 else { return nil }
        return byFirstComponent[Substring(components[1])]?.first { $0.matches(components) }
    }

    static func isInAPI(_ path: String) -> Bool {
        apiPrefixes.contains { path.utf8.starts(with: $0.utf8) }
    }

    /// `true` for a path of programs, whose errors are not shown as pages.
    static func isForPrograms(_ path: String) -> Bool { isInAPI(path) || reached(by: path)?.isForPrograms == true }

    static func isForEverybody(_ path: String) -> Bool { at(path)?.visitors == .everybody }

    /// Returns a path's methods, also without a route.
    static func methods(of path: String) -> [HTTPRequest.Method] {
        at(path)?.methods ?? (isInAPI(path) ? [.get, .head] : [.get, .head, .post])
    }

    static func page(ofForm address: String) -> String {
        let path = String(address.prefix { $0 != "?" })
        guard let route = at(path), route.formPath != route.path else { return address }
        return zip(components(of: route.formPath), components(of: path))
            .map { String(Substring(isOpen($0) ? $1 : $0)) }.joined(separator: "/")
    }
}
