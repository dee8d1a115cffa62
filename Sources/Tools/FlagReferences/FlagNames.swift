import FeatureFlags

/// Flags by the names that a property of theirs may have.
struct FlagNames {
    private let leaves: [String: [FlagKeyPath]]
    private let generated: [String: [FlagKeyPath]]
    /// The texts that stand for names, as `CodingKeys` has them.
    private let coded: [String: Set<String>]
    private var known: [String: Set<FlagKeyPath>] = [:]

    /// - Parameters:
    ///   - keys: The flags.
    ///   - generated: The property by which generated code declares each flag.
    ///   - coded: The texts that stand for names, as `CodingKeys` has them.
    init(_ keys: Set<FlagKeyPath>, generated: [FlagKeyPath: String], coded: [String: Set<String>]) {
        leaves = Dictionary(grouping: keys, by: \.leaf)
        self.generated = Dictionary(grouping: keys.filter { generated[$0] != nil }) { generated[$0] ?? "" }
        self.coded = coded
    }

    /// The flags that a property may be: by the name that the generator, the library or a decoder makes of their key paths.
    mutating func keys(of property: String) -> Set<FlagKeyPath> {
        if let found = known[property] { return found }
        let transforms: [KeyConfiguration.Transform] = [.none, .snakeCase, .kebabCase]
        let components = Set(transforms.map { $0.component(for: property) }).union(coded[property] ?? [])
        let found = Set(components.flatMap { leaves[$0] ?? [] }).union(generated[property] ?? [])
        known[property] = found
        return found
    }

    /// The flags of which a text is the last component.
    func keys(endingWith text: String) -> [FlagKeyPath] { leaves[text] ?? [] }
}
