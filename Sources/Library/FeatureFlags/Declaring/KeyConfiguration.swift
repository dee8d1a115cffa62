/// How key paths are made from the names of properties; RealFlags' type of the same name.
///
/// ```swift
/// let keys = KeyConfiguration(prefix: "shop", keyTransform: .kebabCase)
/// let flags = FlagsLoader(ShopFlags.self, providers: [local], keyConfiguration: keys)
/// print(flags.$quickCheckout.keyPath)  // shop/quick-checkout
/// ```
public struct KeyConfiguration: Hashable, Sendable {
    /// How a property's name becomes a component of its key path.
    ///
    /// ```swift
    /// print(KeyConfiguration.Transform.snakeCase.component(for: "quickCheckout"))  // quick_checkout
    /// ```
    public enum Transform: Hashable, Sendable {
        /// As it is: `flatBoolean`.
        case none
        /// `flat-boolean`.
        case kebabCase
        /// `flat_boolean`.
        case snakeCase
        /// This text, whatever the name.
        case custom(String)

        /// The component for a property's name.
        ///
        /// A `-` or `_` comes between a lower-case letter or digit and an upper-case one, so `myURLPath2Go` becomes
        /// `my_urlpath2_go`, as RealFlags has it.
        ///
        /// - Parameter name: The name of a property.
        /// - Returns: The component.
        public func component(for name: String) -> String {
            switch self {
            case .none: name
            case .kebabCase: Self.separated(name, by: "-")
            case .snakeCase: Self.separated(name, by: "_")
            case .custom(let component): component
            }
        }

        private static func separated(_ name: String, by separator: Unicode.Scalar) -> String {
            var result = String.UnicodeScalarView()
            var previous: Unicode.Scalar = " "
            for scalar in name.unicodeScalars {
                let endsWord = ("a"..."z").contains(previous) || ("0"..."9").contains(previous)
                if endsWord, ("A"..."Z").contains(scalar) { result.append(separator) }
                result.append(scalar)
                previous = scalar
            }
            return String(result).lowercased()
        }
    }

    /// A first component of every key path, transformed as the others; `nil` for none.
    public let globalPrefix: String?
    /// What joins the components where a key path is one text (``FlagKeyPath/fullPath``), as in `UserDefaults`.
    public let pathSeparator: String
    /// How names become components.
    public let keyTransform: Transform

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - prefix: A first component of every key path.
    ///   - pathSeparator: What joins the components where a key path is one text.
    ///   - keyTransform: How names become components.
    public init(
        prefix: String? = nil, pathSeparator: String = FlagKeyPath.DefaultPathSeparator,
        keyTransform: Transform = .snakeCase
    ) {
        globalPrefix = prefix
        self.pathSeparator = pathSeparator
        self.keyTransform = keyTransform
    }

    /// The prefix as a component.
    var prefixComponents: [String] { globalPrefix.map { [keyTransform.component(for: $0)] } ?? [] }
}
