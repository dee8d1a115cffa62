import FeatureFlags
import Foundation
import HTTPTypes
import Hummingbird

/// An address of the dashboard: what answers there, who may come, and what its pages and forms may do.
///
/// Each ``Feature`` has its own. The router, the checks of every request and the links of pages, templates and scripts are made from
/// that list.
struct Route: Sendable {
    /// What answers a request.
    typealias Answer = @Sendable (Request, DashboardContext) async throws -> Response
    /// What answers a request to a dashboard.
    typealias Handler = @Sendable (Dashboard) -> Answer

    /// Who may come, as far as the address decides; whose change is taken, the change service decides.
    enum Visitors: Hashable, Sendable {
        case everybody, signedIn
        /// Admins, who alone do what the end of a sentence says.
        case admins(String)

        /// Those who decide about tokens and sessions.
        static let adminsOfAccess = admins("see and decide who is let in")
        /// Those who decide about webhooks.
        static let adminsOfWebhooks = admins("see webhooks, and test, repeat or remove them")
    }

    /// What templates call it: `{{>to-sign-in}}` is the path of `sign-in`.
    let name: String
    /// Where it is: `:id` stands for any one component, and `**` for the rest, whatever that is.
    let path: String
    /// What answers each method.
    let handlers: [HTTPRequest.Method: Handler]
    let visitors: Visitors
    /// Whether programs and scripts ask for it, which no page helps.
    let isForPrograms: Bool
    /// Whether its page may hold what no other person may ever learn: a new token, or what a person signs in with.
    let mayShowSecrets: Bool
    /// The sentence that says what its form asks for, where that may be sent again by a person who has signed in anew.
    let resuming: (@Sendable (SentForm) -> String)?
    /// What comes before the part of its path that differs; all of it where none does.
    let prefix: String
    /// What follows that part.
    private let suffix: String
    /// The path of the page that its form is on.
    private let formPath: String
    /// The components of its path, as far as each stands for one.
    private let parts: [Substring.UTF8View]
    private let takesRest: Bool

    /// Lists an address.
    ///
    /// - Parameters:
    ///   - resuming: Says what its form asks for, where that may be sent again after a sign-in.
    ///   - page: The page that its form is on; its own where it has one.
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

    /// The methods that it takes, as a refusal of any other names them.
    var methods: [HTTPRequest.Method] {
        let order: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete]
        return order.filter { handlers[$0 == .head ? .get : $0] != nil }
    }

    /// Where it is for one value of the part of its path that differs, percent-encoded.
    func path(_ value: String) -> String { prefix + value + suffix }

    /// The key path that the rest of an address's path names, percent-encoded; `nil` where it names none.
    func key(in path: String) -> FlagKeyPath? {
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        guard let rest = String(path.utf8.dropFirst(prefix.utf8.count)) else { return nil }
        let text = rest.utf8.contains(UInt8(ascii: "%")) ? rest.removingPercentEncoding : rest
        return text.flatMap { FlagKeyPath(text: $0) }
    }

    /// What a download is saved under: the last part of its path.
    var fileName: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// Whether a path is this route's, byte by byte.
    func matches(_ path: String) -> Bool { matches(Self.components(of: path)) }

    /// Whether this is the address of a definition, or of a new one.
    var isDefinition: Bool { [.newDefinition, .definition, .definitionByKey].contains(self) }

    /// The route where this one's rest of a path is empty: to the router, one of nothing but empty components is none.
    var alone: Route? { takesRest ? Self.reached(by: prefix) : nil }

    /// Lets a visitor in, or not, who has signed in where that is wanted.
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
    /// What comes before everything that is for machines.
    private static let apiPrefixes = ["/api/", "/ofrep/"]

    /// The routes of ``all``, by the first component of their paths; of two that a path fits, the one that names more of it comes first.
    private static let byFirstComponent = Dictionary(grouping: all) { Substring($0.parts[1]) }
        .mapValues { routes in routes.sorted { $0.openness < $1.openness } }

    /// How much of a path it leaves open.
    private var openness: Int { parts.count(where: Self.isOpen) + (takesRest ? 100 - parts.count : 0) }

    /// The route whose path this is, byte by byte.
    static func at(_ path: String) -> Route? { at(components(of: path)) }

    /// The route that the router finds at a path: to the router, empty components are none.
    static func reached(by path: String) -> Route? {
        let components = components(of: path)
        guard components.dropFirst().contains(where: \.isEmpty) else { return at(components) }
        return at("/" + components.filter { !$0.isEmpty }.map { String(Substring($0)) }.joined(separator: "/"))
    }

    private static func at(_ components: [Substring.UTF8View]) -> Route? {
        guard components.count > 1 else { return nil }
        return byFirstComponent[Substring(components[1])]?.first { $0.matches(components) }
    }

    /// Whether a path is among those for machines, whether there is such a route or not.
    static func isInAPI(_ path: String) -> Bool {
        apiPrefixes.contains { path.utf8.starts(with: $0.utf8) }
    }

    /// Whether a path is asked for by a program or a script, which no page helps.
    static func isForPrograms(_ path: String) -> Bool { isInAPI(path) || reached(by: path)?.isForPrograms == true }

    /// Whether a path is answered without knowing who asks.
    static func isForEverybody(_ path: String) -> Bool { at(path)?.visitors == .everybody }

    /// The methods that a path takes, where there is nothing as well.
    static func methods(of path: String) -> [HTTPRequest.Method] {
        at(path)?.methods ?? (isInAPI(path) ? [.get, .head] : [.get, .head, .post])
    }

    /// The page that the form of an address is on: the address itself, unless that shows nothing.
    static func page(ofForm address: String) -> String {
        let path = String(address.prefix { $0 != "?" })
        guard let route = at(path), route.formPath != route.path else { return address }
        return zip(components(of: route.formPath), components(of: path))
            .map { String(Substring(isOpen($0) ? $1 : $0)) }.joined(separator: "/")
    }
}
