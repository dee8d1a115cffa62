import FeatureFlags

/// The names of one scope of Swift source, each given once.
package struct SwiftNames {
    private var used: Set<String>

    /// - Parameter reserved: Names that mean something else there.
    init(reserved: Set<String> = []) { used = reserved }

    /// The names of types in a collection, of which none is given yet.
    static var types: SwiftNames { SwiftNames(reserved: ["Keys", "FlagValue"]) }

    /// The component of a key path, where a property's name does not lead to it by itself; else `nil`.
    static func key(of property: String, for component: String) -> String? {
        let derived = KeyConfiguration.Transform.snakeCase.component(for: property)
        return derived.utf8.elementsEqual(component.utf8) ? nil : component
    }

    /// A name for a property, a constant or a case.
    ///
    /// - Parameter fallback: What the name begins with where the text gives no letter to begin with.
    /// - Returns: The name without backticks; one that is taken already gets a number.
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

    /// A name for a type.
    mutating func type(_ property: String, suffix: String) -> String { unique(Self.capitalized(property) + suffix) }

    private mutating func unique(_ name: String) -> String {
        var (candidate, number) = (name, 2)
        while !used.insert(candidate).inserted {
            candidate = "\(name)\(number)"
            number += 1
        }
        return candidate
    }

    /// A name as it stands in source: a reserved word in backticks.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The name of the collection that a manifest's file stands for: `ShopFlags` for `shop.manifest.xml`, `ShopEuFlags` for
    /// `shop.eu.manifest.xml`, `AppFlags` for `flags.manifest.xml`.
    ///
    /// - Returns: The name, which may be none of a type (``isTypeName(_:)``) where the file's is made of other signs.
    package static func collection(ofFile name: String) -> String {
        let ending = ".manifest.xml"
        let base = name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
        let words = words(of: base).map(capitalized).filter { $0 != "Flags" }
        return (words.isEmpty ? "App" : words.joined()) + "Flags"
    }

    /// Whether a text can be the name of a type.
    package static func isTypeName(_ text: String) -> Bool {
        words(of: text) == [text] && text.unicodeScalars.first?.properties.isXIDStart == true
            && !keywords.contains(text) && !taken.contains(text)
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func words(of text: String) -> [String] {
        text.unicodeScalars.split { !$0.properties.isXIDContinue || $0 == "_" || $0 == "\u{B7}" }.map { String($0) }
    }

    /// What the source means by other names of types.
    private static let taken: Set<String> = [
        "Any", "Bool", "CaseIterable", "Data", "Date", "Double", "Flag", "FlagCollection", "FlagCollectionProtocol",
        "FlagConstraints", "FlagLimit", "FlagMetadata", "FlagProtocol", "FlagType", "FlagValue", "Hashable", "Int",
        "JSONData", "Keys", "Protocol", "RawRepresentable", "Self", "String", "Type", "UInt64", "URL",
    ]

    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout", "internal",
        "let", "open", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct",
        "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
        "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while", "any", "as",
        "await", "false", "is", "nil", "super", "throws", "true", "try", "async", "some",
    ]
}
