import FeatureFlags
import FlagChanges
import Foundation
import Hummingbird

struct TerminalRequests {
    let address: CurlLine.Address
    /// The values file for our own commands; `nil` if those don't reach the flags.
    let file: String?
    let usualProvider: @Sendable (FlagKeyPath) -> String?
    /// The rules by which changes need a reason or a confirmation.
    var environments: EnvironmentCheck?

    /// Limit of a value's JSON in bytes.
    private static let longestValue = 2_000

    func reading(_ key: FlagKeyPath) -> TerminalLines.Group? {
        group(
            to: "read it",
            file.flatMap { FlagboardLine(command: "get", arguments: [$0, key.text]).text },
            CurlLine(method: .get, path: Self.path(of: key)))
    }

    /// `nil` if the value is too long.
    func setting(
        _ key: FlagKeyPath, to value: FlagValue, of type: FlagType?, in provider: String?, reason: String = "",
        for purpose: String
    ) -> TerminalLines.Group? {
        let json = PlainValue(value, of: type).json
        let text = FlagJSON.line(json)
        guard text.utf8.count <= Self.longestValue else { return nil }
        let (typed, options) = Self.typed(value, of: type, text)
        var members = Self.members(accompanying(provider, reason))
        members["value"] = json
        return group(
            to: purpose, command("set", key, typed, options + self.options(provider, key, reason)),
            CurlLine(
                method: .put, path: Self.path(of: key, [("provider", unusual(provider, key))]),
                headers: ["If-Match: *"],
                json: .object(members)))
    }

    func resetting(_ key: FlagKeyPath, in provider: String?, reason: String = "") -> TerminalLines.Group? {
        group(
            to: "reset it", command("reset", key, [], options(provider, key, reason)),
            CurlLine(
                method: .delete,
                path: Self.path(
                    of: key, [("provider", unusual(provider, key))] + accompanying(provider, reason).map { ($0, $1) }),
                headers: ["If-Match: *"]))
    }

    func locking(_ key: FlagKeyPath, _ isLocked: Bool, reason: String = "") -> TerminalLines.Group? {
        let action = isLocked ? "lock" : "unlock"
        let change: [String: JSONValue] = ["key": .scalar(.string(key.text)), "action": .scalar(.string(action))]
        var members = Self.members(accompanying(nil, reason))
        members["changes"] = .array([.object(change)])
        return group(
            to: "\(action) it", command(action, key, [], options(nil, key, reason)),
            CurlLine(method: .post, path: Route.apiBatches.path, json: .object(members)))
    }

    func reading(change id: Int64) -> TerminalLines.Group? {
        group(to: "read this change", nil, CurlLine(method: .get, path: Route.apiChange.path("\(id)")))
    }

    func lines(_ groups: [TerminalLines.Group?]) -> TerminalLines? {
        let groups = groups.compactMap(\.self)
        return groups.isEmpty ? nil : TerminalLines(groups: groups, needsToken: address.needsToken)
    }

    static func path(of key: FlagKeyPath, _ query: [(String, String?)] = []) -> String {
        Route.apiFlag.path(key.address) + PageLink.query(query)
    }

    private func group(
        to purpose: String, _ command: String?, _ curl: CurlLine
    ) -> TerminalLines.Group? {
        let lines = [("flagboard", command), ("curl", curl.text(to: address))].compactMap { program, text in
            text.map { TerminalLines.Line(name: "\(program) command to \(purpose)", text: $0) }
        }
        return lines.isEmpty
            ? nil
            : TerminalLines.Group(heading: purpose.uppercasedFirst, lines: lines)
    }

    private func command(
        _ name: String, _ key: FlagKeyPath, _ arguments: [String], _ options: [(name: String, value: String)]
    ) -> String? {
        file.flatMap {
            FlagboardLine(command: name, arguments: [$0, key.text] + arguments, options: options).text
        }
    }

    private func options(_ provider: String?, _ key: FlagKeyPath, _ reason: String) -> [(name: String, value: String)] {
        (unusual(provider, key).map { [("provider", $0)] } ?? []) + accompanying(provider, reason)
    }

    /// The reason, or a placeholder for a required one, and the confirmation.
    private func accompanying(_ provider: String?, _ reason: String) -> [(name: String, value: String)] {
        let demand = ChangeDemand(environments, changing: [provider])
        let reason = reason.isEmpty && demand.isReasonRequired ? "Why" : reason
        return [("reason", reason), ("confirm", demand.confirmation?.name ?? "")].filter { !$0.1.isEmpty }
    }

    private static func members(_ fields: [(name: String, value: String)]) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.name, .scalar(.string($0.value))) })
    }

    private func unusual(_ provider: String?, _ key: FlagKeyPath) -> String? {
        provider == usualProvider(key) ? nil : provider
    }

    /// An argument if unambiguous, else JSON.
    private static func typed(
        _ value: FlagValue, of type: FlagType?, _ json: String
    ) -> ([String], [(name: String, value: String)]) {
        let asJSON = ([String](), [(name: "json-value", value: ShellText.visible(json: json))])
        guard let rules = type?.rules, rules.form == .single, rules.askedKinds.contains(value.kind) else {
            return asJSON
        }
        switch value {
        case .bool, .integer: return ([json], [])
        case .double(let number) where number.isFinite: return ([json], [])
        case .string(let text) where rules.kinds == ["string"]:
            // A single dash means standard input.
            return text.isEmpty || text == "-" || ShellText.word(text) == nil ? asJSON : ([text], [])
        default: return asJSON
        }
    }
}

extension Dashboard {
    func address(for request: Request) -> CurlLine.Address {
        address(of: BrowserAddress(of: request))
    }

    /// Returns the address to give to somebody else: the public one, if there is one.
    func sharedAddress(for request: Request) -> CurlLine.Address {
        let address = address(for: request)
        guard let publicURL else { return address }
        return CurlLine.Address(base: publicURL.origin + mount.text, needsToken: address.needsToken)
    }

    /// Returns this dashboard's address for programs, as a browser reaches it.
    func address(of browser: BrowserAddress) -> CurlLine.Address {
        let named = "\(scheme(of: browser).rawValue)://\(browser.authority ?? "")"
        let origin = isHiddenByProxy(browser) == true ? publicURL?.origin : nil
        let needsToken =
            switch access {
            // The app authenticates by its own means.
            case .open, .ownSocket, .app: false
            case .signIn: true
            }
        return CurlLine.Address(base: (origin ?? named) + mount.text, needsToken: needsToken)
    }

    func terminalRequests(_ request: Request, _ view: CatalogueView) -> TerminalRequests {
        TerminalRequests(
            address: address(for: request), file: commandsFile(for: view.visitor),
            usualProvider: { view.catalogue.usualProvider(for: $0)?.name }, environments: view.environments)
    }

    /// `nil` if commands don't reach the flags.
    func commandsFile(for visitor: Visitor?) -> String? {
        if case .app = access { return nil }
        let values = service.files.values
        // Only those who run the server may learn its paths.
        return visitor?.isAdmin == true ? values.path(percentEncoded: false) : values.lastPathComponent
    }
}
