import FeatureFlags

/// The icons of `icons.svg`: for the SF Symbol that a flag names, else for its type.
enum FlagIcon {
    /// The symbols by the first words of the names that they are shown for.
    private static let symbols: [String: String] = {
        let sprite = PageSources.built.assets.first { $0.name == "icons.svg" }
        let text = String(decoding: sprite?.bytes ?? [], as: UTF8.self)
        return text.matches(of: /<symbol id="([^"]+)"(?: data-also="([^"]+)")?/).reduce(into: [:]) { symbols, match in
            let also = match.2?.split(separator: " ") ?? []
            for name in [match.1] + also { symbols[String(name)] = String(match.1) }
        }
    }()

    static func symbol(of definition: FlagDefinition) -> String {
        definition.metadata.uiIcon.flatMap(symbol(named:)) ?? "type-\(definition.type.rawValue)"
    }

    /// Returns the symbol for a name such as `cart.badge.plus`, which is that of `cart`; `nil` for an unknown name.
    static func symbol(named name: String) -> String? {
        var words = name.lowercased().split(separator: ".")
        while !words.isEmpty {
            if let symbol = symbols[words.joined(separator: ".")] { return symbol }
            words.removeLast()
        }
        return nil
    }
}
