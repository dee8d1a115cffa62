import FeatureFlags

/// A form as it was sent to an address of the dashboard.
struct SentForm: Sendable {
    /// The address, within the dashboard.
    let address: String
    /// Its fields, in their order.
    let fields: [(name: String, value: String)]

    static func path(of address: String) -> String { String(address.prefix { $0 != "?" }) }

    /// The flag that the address names, behind a route's prefix or by its field `key`.
    func key(_ route: Route, _ byKey: Route) -> FlagKeyPath? {
        let path = Self.path(of: address)
        guard Route.at(path) == byKey else { return Route.at(path) == route ? route.key(in: path) : nil }
        guard let query = address.split(separator: "?", maxSplits: 1).dropFirst().first,
            case .success(let fields) = Result(catching: { () throws(FormFieldsError) in try FormFields(query) })
        else { return nil }
        return fields["key"].flatMap { FlagKeyPath(text: $0) }
    }

    /// The first field of a name.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    func count(of name: String) -> Int { fields.count { $0.name == name } }
}
