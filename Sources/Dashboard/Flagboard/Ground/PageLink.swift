import FeatureFlags
import Foundation
import HTTPTypes
import Hummingbird

/// Where the links and forms of the pages lead.
enum PageLink {
    static let flags = Route.flags.path
    static let history = Route.history.path
    static let compare = Route.compare.path
    static let environments = Route.environments.path
    static let timeMachine = Route.timeMachine.path
    static let export = Route.export.path
    static let importing = Route.importing.path
    static let access = Route.access.path
    static let webhooks = Route.webhooks.path
    static let signIn = Route.signIn.path
    static let settings = Route.settings.path
    static let help = Route.help.path
    static let searches = Route.searches.path

    /// The page of one flag, each component of its key path percent-encoded.
    static func flag(_ key: FlagKeyPath, provider: String? = nil) -> String {
        let address = address(of: key, .flag, byKey: .flagByKey)
        guard let provider, !provider.isEmpty else { return address }
        return adding("provider", provider, to: address)
    }

    /// The page on which a flag is defined that has no definition yet.
    static let newDefinition = Route.newDefinition.path

    /// That page with a key path filled in.
    static func newDefinition(of key: FlagKeyPath) -> String { newDefinition + query([("key", key.text)]) }

    /// That page with a key path, a type and a default filled in.
    static func newDefinition(of key: FlagKeyPath, _ type: FlagType, default fallback: String) -> String {
        newDefinition + query([("key", key.text), ("type", type.rawValue), ("default", fallback)])
    }

    /// The page on which a flag's definition is changed.
    static func definition(_ key: FlagKeyPath) -> String {
        let address = address(of: key, .definition, byKey: .definitionByKey)
        return address == newDefinition ? adding("key", key.text, to: Route.definitionByKey.path) : address
    }

    /// The bytes of a flag's effective value.
    static func data(of key: FlagKeyPath) -> String { adding("key", key.text, to: Route.flagData.path) }

    /// The address of a key path behind a route's prefix.
    ///
    /// Browsers take the components `.` and `..` for steps in the path, encoded or not, and drop an empty one at the
    /// end: such a key path travels in the query.
    private static func address(of key: FlagKeyPath, _ route: Route, byKey: Route) -> String {
        steps(of: key).map(route.path) ?? adding("key", key.text, to: byKey.path)
    }

    /// A key path as steps of a path, each percent-encoded; `nil` where one would be taken for another step, or dropped.
    static func steps(of key: FlagKeyPath) -> String? {
        guard key.components.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
        // A mark at the start of a component would make one character of it and the separator before it.
        return key.components.map { encode(FlagKeyPath(components: [$0]).text) }.joined(separator: "/")
    }

    /// The lines around a place in the source code.
    static func source(_ file: String, line: Int) -> String {
        Route.source.path + query([("file", file), ("line", String(line))])
    }

    /// A link with one more item in its query.
    static func adding(_ name: String, _ value: String, to href: String) -> String {
        "\(href)\(href.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(encode(name))=\(encode(value))"
    }

    /// The form of an import with what was sent.
    static func importing(again id: String) -> String { importing + query([("preview", id)]) }

    /// The page that shows what a person asked for before it is done.
    static func preview(_ id: String) -> String { Route.batch.path + query([("preview", id)]) }

    static func change(_ id: Int64) -> String { Route.change.path(String(id)) }

    /// Where the form that reverts a change goes.
    static func revert(_ id: Int64) -> String { Route.revert.path(String(id)) }

    /// Where the form goes that gives a change its reason.
    static func reason(_ id: Int64) -> String { Route.reason.path(String(id)) }

    /// The changes that were applied together.
    static func batch(_ batch: UUID) -> String { history + query([("batch", batch.uuidString)]) }

    static func history(of key: FlagKeyPath) -> String { history + query([("key", key.text)]) }

    /// The items that have a value as a query with its question mark; empty where none has.
    static func query(_ items: [(String, String?)]) -> String {
        let pairs = items.compactMap { name, value -> String? in
            guard let value, !value.isEmpty else { return nil }
            return "\(encode(name))=\(encode(value))"
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// Percent-encodes every byte but RFC 3986's unreserved ones.
    static func encode(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension Dashboard {
    /// The page of the dashboard that a form was on, as the browser tells it; else the list of flags.
    static func origin(of request: Request) -> String {
        referrer(of: request).map(LocalPath.checked) ?? PageLink.flags
    }

    /// The page of the dashboard that a form was on, as the browser tells it by its `Referer`.
    ///
    /// - Returns: Its path and query; `nil` where the browser does not say them, or names another site's.
    static func referrer(of request: Request) -> String? {
        guard let referer = request.headers[.referer], let url = URLComponents(string: referer),
            url.percentEncodedHost.map({ request.head.authority?.hasPrefix($0) ?? false }) ?? false
        else { return nil }
        let items = url.percentEncodedQueryItems?.filter { $0.name != FlashMessages.query } ?? []
        var page = URLComponents()
        page.percentEncodedPath = url.percentEncodedPath
        page.percentEncodedQueryItems = items.isEmpty ? nil : items
        return page.string
    }
}

/// A link with its text.
struct TextLink: Hashable, PagePart {
    let label: String
    let href: String
}

/// One entry of a select or of a group of radio buttons.
struct ChoiceOption: Hashable, PagePart {
    let value: String
    let label: String
    let isSelected: Bool
    /// What ties a radio button to its label.
    let id: String

    init(value: String, label: String, isSelected: Bool, id: String = "") {
        self.value = value
        self.label = label
        self.isSelected = isSelected
        self.id = id
    }
}

/// What a page says where it has nothing to list.
struct EmptyState: Hashable, PagePart {
    let heading: String
    let advice: String
    let link: TextLink?
}

/// An address within the dashboard, to go to after a sign-in.
enum LocalPath {
    /// How long one may be, in bytes.
    private static let longest = 2048

    /// What a request asks to go to where that is within the dashboard, else the list of flags.
    ///
    /// Browsers take `//` and `/\` for the start of another host's address, and drop tabs and line ends before they look.
    static func checked(_ text: String?) -> String {
        guard let text, text.utf8.count <= longest, text.utf8.first == UInt8(ascii: "/"),
            text.utf8.dropFirst().first != UInt8(ascii: "/"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return PageLink.flags }
        let route = Route.reached(by: String(text.prefix { $0 != "?" && $0 != "#" }))
        return route == .signIn || route == .signOut ? PageLink.flags : text
    }
}
