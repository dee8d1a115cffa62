import FeatureFlags
import Foundation
import HTTPTypes
import Hummingbird

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
    static let searches = Route.searches.path

    static func flag(_ key: FlagKeyPath, provider: String? = nil) -> String {
        let address = address(of: key, .flag, byKey: .flagByKey)
        guard let provider, !provider.isEmpty else { return address }
        return adding("provider", provider, to: address)
    }

    static let newDefinition = Route.newDefinition.path

    static func newDefinition(of key: FlagKeyPath) -> String { newDefinition + query([("key", key.text)]) }

    /// Returns the address of a new flag's form, filled in with the definition of another flag.
    static func newDefinition(copying key: FlagKeyPath) -> String { newDefinition + query([("from", key.text)]) }

    static func newDefinition(of key: FlagKeyPath, _ type: FlagType, default fallback: String) -> String {
        newDefinition + query([("key", key.text), ("type", type.rawValue), ("default", fallback)])
    }

    static func definition(_ key: FlagKeyPath) -> String {
        let address = address(of: key, .definition, byKey: .definitionByKey)
        return address == newDefinition ? adding("key", key.text, to: Route.definitionByKey.path) : address
    }

    static func data(of key: FlagKeyPath) -> String { adding("key", key.text, to: Route.flagData.path) }

    /// Browsers resolve `.` and `..` even when encoded, and drop an empty component at the end: such key paths travel
    /// in the query.
    private static func address(of key: FlagKeyPath, _ route: Route, byKey: Route) -> String {
        steps(of: key).map(route.path) ?? adding("key", key.text, to: byKey.path)
    }

    /// Returns the encoded path; `nil` if browsers would resolve or drop a component.
    static func steps(of key: FlagKeyPath) -> String? {
        guard key.components.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
        // A combining mark at a component's start would merge with the separator into one Character.
        return key.components.map { encode(FlagKeyPath(components: [$0]).text) }.joined(separator: "/")
    }

    static func source(_ file: String, line: Int) -> String {
        Route.source.path + query([("file", file), ("line", String(line))])
    }

    static func adding(_ name: String, _ value: String, to href: String) -> String {
        "\(href)\(href.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")\(encode(name))=\(encode(value))"
    }

    static func importing(again id: String) -> String { importing + query([("preview", id)]) }

    static func preview(_ id: String) -> String { Route.batch.path + query([("preview", id)]) }

    static func change(_ id: Int64) -> String { Route.change.path(String(id)) }

    static func revert(_ id: Int64) -> String { Route.revert.path(String(id)) }

    static func again(_ id: Int64) -> String { Route.again.path(String(id)) }

    static func reason(_ id: Int64) -> String { Route.reason.path(String(id)) }

    static func batch(_ batch: UUID) -> String { history + query([("batch", batch.uuidString)]) }

    static func history(of key: FlagKeyPath) -> String { history + query([("key", key.text)]) }

    /// Non-empty items with a question mark, or an empty text.
    static func query(_ items: [(String, String?)]) -> String {
        let pairs = items.compactMap { name, value -> String? in
            guard let value, !value.isEmpty else { return nil }
            return "\(encode(name))=\(encode(value))"
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// Percent-encodes every byte except RFC 3986's unreserved ones.
    static func encode(_ text: String) -> String {
        guard !text.utf8.allSatisfy(\.isUnreserved) else { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension Dashboard {
    /// The page in the `Referer`, else the list of flags.
    static func origin(of request: Request) -> String {
        referrer(of: request).map(LocalPath.checked) ?? PageLink.flags
    }

    /// Path and query, if within the dashboard.
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

struct TextLink: Hashable, PagePart {
    let label: String
    let href: String
}

struct ChoiceOption: Hashable, PagePart {
    let value: String
    let label: String
    let isSelected: Bool
    let id: String
    /// Names of what the form shows only with this option, separated by spaces.
    let details: String?

    init(value: String, label: String, isSelected: Bool, id: String = "", details: String? = nil) {
        self.value = value
        self.label = label
        self.isSelected = isSelected
        self.id = id
        self.details = details
    }
}

struct EmptyState: Hashable, PagePart {
    let heading: String
    let advice: String
    let link: TextLink?
}

enum LocalPath {
    private static let longest = 2048

    /// Replaces a target outside the dashboard by the list of flags.
    ///
    /// Browsers read `//` and `/\` as another host's address, and first drop tabs and line ends.
    static func checked(_ text: String?) -> String {
        guard let text, text.utf8.count <= longest, text.utf8.first == UInt8(ascii: "/"),
            text.utf8.dropFirst().first != UInt8(ascii: "/"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return PageLink.flags }
        let route = Route.reached(by: String(text.prefix { $0 != "?" && $0 != "#" }))
        return route == .signIn || route == .signOut ? PageLink.flags : text
    }
}
