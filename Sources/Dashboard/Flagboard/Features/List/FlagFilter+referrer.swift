import Hummingbird

extension FlagFilter {
    /// The list that a form stands in, as the browser says by its `Referer`: so a row needs no field for the way back.
    ///
    /// It is `nil` where the form stands on another page, or the browser does not say where.
    init?(referringTo request: Request) {
        guard let address = Dashboard.referrer(of: request), address.prefix(while: { $0 != "?" }) == PageLink.flags
        else {
            return nil
        }
        switch Result(catching: { try FormFields(String(address.dropFirst(PageLink.flags.count + 1))) }) {
        case .success(let fields): self.init(query: fields.values)
        case .failure: return nil
        }
    }
}
