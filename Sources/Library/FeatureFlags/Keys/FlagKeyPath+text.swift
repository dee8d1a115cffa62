/// What RealFlags calls the parts of a key path.
extension FlagKeyPath {
    /// What joins the components of a ``fullPath`` unless a ``KeyConfiguration`` says otherwise.
    public static let DefaultPathSeparator = "/"

    /// The components joined by the separator, unescaped: the key of a flat store such as `UserDefaults`.
    public var fullPath: String { components.joined(separator: pathSeparator) }

    /// The components, outermost first.
    public var pathComponents: [String] { components }

    /// The first component.
    public var first: String? { components.first }

    /// The last component.
    public var last: String? { components.last }

    /// The number of components.
    public var count: Int { components.count }

    /// The component at an index from 0; `nil` past the last.
    public subscript(_ index: Int) -> String? {
        components.indices.contains(index) ? components[index] : nil
    }
}
