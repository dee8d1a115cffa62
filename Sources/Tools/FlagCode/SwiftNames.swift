import FeatureFlags

/// The names in one scope of Swift source, each used once.
package struct SwiftNames {
    private var used: Set<String>

    init(reserved: Set<String> = []) { used = reserved }

    /// An empty scope for the types in a collection.
    static var types: SwiftNames { SwiftNames(reserved: ["Keys", "FlagValue"]) }

    /// Returns the component, if the property's name doesn't derive it; else `nil`.
    static func key(of property: String, for component: String) -> String? {
        let derived = KeyConfiguration.Transform.snakeCase.component(for: property)
        return derived.utf8.elementsEqual(component.utf8) ? nil : component
    }

    /// Returns an unused name, without backticks.
    ///
    /// - Parameter fallback: The prefix if the text doesn't begin with a letter.
    mutating func property(_ text: String, fallback: String = "flag") -> String {
        let words = Self.words(of: text)
        let first = words.first ?? ""
        let head =
            first.unicodeScalars.allSatisfy { !$0.properties.isLowercase }
            ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        var name = head + words.dropFirst().map(Self.capitalized).joined()
        if name.unicodeScalars.first.map({ !$0.properties.isXIDStart }) ?? true {
            name = fallback + Self.capitalized(name)
        }
        // `x.self` and `x.init` mean something else, and `Type` and `Protocol` can't be named.
        if ["self", "init", "Self", "Type", "Protocol"].contains(name) { name += "_" }
        return unique(name)
    }

    mutating func type(_ property: String, suffix: String) -> String { unique(Self.capitalized(property) + suffix) }

    private mutating func unique(_ name: String) -> String {
        var (candidate, number) = (name, 2)
        while !used.insert(candidate).inserted {
            candidate = "\(name)\(number)"
            number += 1
        }
        return candidate
    }

    /// Returns a name, in backticks if it is a reserved word.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns the collection's name for a manifest file, which may be no type name (``isTypeName(_:)``).
    ///
    /// `ShopFlags` for `shop.manifest.xml`, `ShopEuFlags` for `shop.eu.manifest.xml`, `AppFlags` for
    /// `flags.manifest.xml`.
    package static func collection(ofFile name: String) -> String {
        let ending = ".manifest.xml"
        let base = name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
        let words = words(of: base).map(capitalized).filter { $0 != "Flags" }
        return (words.isEmpty ? "App" : words.joined()) + "Flags"
    }

    package static func isTypeName(_ text: String) -> Bool {
        words(of: text) == [text] && text.unicodeScalars.first?.properties.isXIDStart == true
            && !keywords.contains(text) && !taken.contains(text)
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func words(of text: String) -> [String] {
        text.unicodeScalars.split { !$0.properties.isXIDContinue || $0 == "_" || $0 == "\u{B7}" }.map { String($0) }
    }

    /// Type names that the source uses otherwise.
    private static let taken = Set<String>([
        "Any", "CaseIterable", "Codable", "CodingKey", "Flag", "FlagCollection", "FlagCollectionProtocol",
        "FlagConstraints", "FlagLimit", "FlagMetadata", "FlagProtocol", "FlagType", "FlagValue", "Hashable", "JSONData",
        "Keys", "Protocol", "RawRepresentable", "Self", "Type", "UInt64",
    ]).union(FlagType.allCases.map(\.rules.swiftName)).union(FlagFormat.allCases.map(\.swiftName))

    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout", "internal",
        "let", "open", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct",
        "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
        "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while", "any", "as",
        "await", "false", "is", "nil", "super", "throws", "true", "try", "async", "some",
    ]
}
