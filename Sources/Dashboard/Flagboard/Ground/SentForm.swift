import FeatureFlags

struct SentForm: Sendable {
    let address: String
    let fields: [(name: String, value: String)]

    static func path(of address: String) -> String { String(address.prefix { $0 != "?" }) }

    /// Returns the flag in the path, or in the query's `key`.
    func key(_ route: Route, _ byKey: Route) -> FlagKeyPath? {
        let path = Self.path(of: address)
        guard Route.at(path) == byKey else { return Route.at(path) == route ? route.key(in: path) : nil }
        guard let query = address.split(separator: "?", maxSplits: 1).dropFirst().first,
            let fields = FormFields(ifReadable: query)
        else { return nil }
        return fields["key"].flatMap { FlagKeyPath(text: $0) }
    }

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    func count(of name: String) -> Int { fields.count { $0.name == name } }
}
