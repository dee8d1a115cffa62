import HTTPTypes
import Hummingbird

/// A link, a list of flags as text and, if programs can request the same, lines of flagboard and curl.
struct PageCopies: Hashable, PagePart {
    /// `link, text, CLI command or cURL`.
    let forms: String
    let lines: [TerminalLines.Line]
    let needsToken: Bool
    /// The address of a list of flags as text.
    let textHref: String?

    private struct Twin {
        let route: Route
        let command: String
        /// The command's options by query item.
        let options: [String: String]
    }

    /// One-time query items.
    private static let passing: Set = [FlashMessages.query, FlagFilter.returnField, "saved", "standing", "done"]

    /// - Parameter file: The values file for our own commands; `nil` if those don't reach the flags.
    init(_ target: String, at address: CurlLine.Address, file: String?) {
        let path = String(target.prefix { $0 != "?" })
        let items = target.dropFirst(path.count + 1).split(separator: "&").filter { item in
            !Self.passing.contains(String(item.prefix { $0 != "=" }))
        }
        let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
        let link = TerminalLines.Line(name: "link to this page", text: address.base + path + query)
        textHref = Route.at(path) == .flags ? Route.flagsText.path + query : nil
        let others: [(String, String?)] =
            if let twin = Self.twin(of: path), let fields = FormFields(ifReadable: query.dropFirst()),
                !Self.isOfViewer(fields)
            {
                [
                    ("flagboard command for this page", file.flatMap { Self.command(twin, fields, $0) }),
                    ("curl command for this page", Self.curl(twin, fields).text(to: address)),
                ]
            } else {
                []
            }
        lines = [link] + others.compactMap { name, text in text.map { TerminalLines.Line(name: name, text: $0) } }
        let hasCommands = lines.count > 1
        needsToken = address.needsToken && hasCommands
        let kinds = ["link"] + (textHref == nil ? [] : ["text"]) + (hasCommands ? ["CLI command", "cURL"] : [])
        let last = kinds.count > 1 ? " or \(kinds[kinds.count - 1])" : ""
        forms = kinds.prefix(max(1, kinds.count - 1)).joined(separator: ", ") + last
    }

    /// Programs can't request a page that depends on the viewer's browser.
    private static func isOfViewer(_ fields: FormFields) -> Bool {
        let states = (fields["state"] ?? "").split(separator: ",")
        return FlagFilter.Mark.allCases.contains { $0.isOfViewer && states.contains(Substring($0.rawValue)) }
    }

    private static func twin(of path: String) -> Twin? {
        switch Route.at(path) {
        case .flags:
            Twin(
                route: .apiFlags, command: "list",
                options: FlagCriterion.all.reduce(into: ["q": "query", "sort": "sort"]) { $0[$1.name] = $1.name })
        case .history:
            Twin(
                route: .apiHistory, command: "history list",
                options: [
                    "q": "query", "key": "key", "group": "group", "actor": "actor", "origin": "origin",
                    "kind": "kind", "from": "from", "to": "to", "before": "before",
                ])
        case .compare:
            Twin(route: .apiComparison, command: "diff", options: ["left": "left", "right": "right"])
        default: nil
        }
    }

    private static func known(_ twin: Twin, _ fields: FormFields) -> [(name: String, value: String)] {
        let names = twin.route.operations[.get]?.query.map(\.name) ?? []
        return names.compactMap { name in
            fields[name].flatMap { $0.isEmpty ? nil : (name, $0) }
        }
    }

    private static func curl(_ twin: Twin, _ fields: FormFields) -> CurlLine {
        CurlLine(
            method: .get,
            path: twin.route.path + PageLink.query(known(twin, fields).map { ($0.name, $0.value) }))
    }

    /// `nil` without an option for a criterion.
    private static func command(_ twin: Twin, _ fields: FormFields, _ file: String) -> String? {
        var options: [(name: String, value: String)] = []
        for (name, value) in known(twin, fields) {
            guard let option = twin.options[name] else { return nil }
            options.append((option, value))
        }
        return FlagboardLine(command: twin.command, arguments: [file], options: options).text
    }
}

extension CatalogueView {
    /// Returns the view for an answer to a form that also has an address.
    func asked(for href: String, by request: Request) -> CatalogueView {
        var view = self
        view.asked = AskedPage(address: BrowserAddress(of: request), target: href)
        return view
    }
}

extension AskedPage {
    /// Returns an address for other people: "since my last visit" becomes a fixed row.
    func target(for lastVisit: ViewerVisit.Sight?) -> String {
        let path = target.prefix { $0 != "?" }
        guard let lastVisit, path == PageLink.history else { return target }
        let items = target.dropFirst(path.count + 1).split(separator: "&").map {
            $0 == "since=\(ViewerVisit.word)" ? "since=\(lastVisit.row)" : String($0)
        }
        return path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }
}
