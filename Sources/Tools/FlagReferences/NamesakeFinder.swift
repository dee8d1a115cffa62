import FeatureFlags

/// Finds identifiers and texts with the name of a flag that has no other reference.
struct NamesakeFinder {
    /// The most places that are kept of one flag; so many names of nothing in particular say no more.
    private static let mostPlaces = 100

    private var names: FlagNames
    /// What was found.
    private(set) var found: [FlagKeyPath: Set<FlagReference>] = [:]

    /// - Parameter names: The flags.
    init(_ names: FlagNames) { self.names = names }

    /// Finds what one file says.
    mutating func read(
        _ facts: SourceFacts, _ file: String, _ checkStop: () throws(CancellationError) -> Void
    ) throws(CancellationError) {
        try checkStop()
        for access in facts.accesses where !access.isCalled {
            add(names.keys(of: access.name.plainProperty), .namesake, file, access.position)
        }
        for mention in facts.mentions {
            add(
                names.keys(of: mention.name), mention.isDeclaration ? .namesakeDeclaration : .namesake, file,
                mention.position)
        }
        for text in facts.texts { add(names.keys(endingWith: text.text), .namesake, file, text.position) }
    }

    private mutating func add(
        _ keys: some Sequence<FlagKeyPath>, _ kind: FlagReference.Kind, _ file: String, _ position: SourcePosition
    ) {
        for key in keys where found[key]?.count ?? 0 < Self.mostPlaces {
            found[key, default: []].insert(
                FlagReference(file: file, position: position, kind: kind, lines: position.line...position.line))
        }
    }
}
