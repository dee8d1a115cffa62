import FeatureFlags

/// Flags by their possible property names.
struct FlagNames {
    private let leaves: [String: [FlagKeyPath]]
    private let generated: [String: [FlagKeyPath]]
    private let coded: [String: Set<String>]
    private var known: [String: Set<FlagKeyPath>] = [:]

    init(_ keys: Set<FlagKeyPath>, generated: [FlagKeyPath: String], coded: [String: Set<String>]) {
        leaves = Dictionary(grouping: keys, by: \.leaf)
        self.generated = Dictionary(grouping: keys.filter { generated[$0] != nil }) { generated[$0] ?? "" }
        self.coded = coded
    }

    /// The generator, the library or a decoder may have named the property.
    mutating func keys(of property: String) -> Set<FlagKeyPath> {
        if let found = known[property] { return found }
        let transforms: [KeyConfiguration.Transform] = [.none, .snakeCase, .kebabCase]
        let components = Set(transforms.map { $0.component(for: property) }).union(coded[property] ?? [])
        let found = Set(components.flatMap { leaves[$0] ?? [] }).union(generated[property] ?? [])
        known[property] = found
        return found
    }

    func keys(endingWith text: String) -> [FlagKeyPath] { leaves[text] ?? [] }
}

/// Finds identifiers and texts named like a flag without other references.
struct NamesakeFinder {
    /// The most places kept for one flag; more uses of a common name add nothing.
    private static let mostPlaces = 100

    private var names: FlagNames
    private(set) var found: [FlagKeyPath: Set<FlagReference>] = [:]

    init(_ names: FlagNames) { self.names = names }

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

/// Lines about a flag or a group.
package struct ToldLines: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case flag(FlagKeyPath)
        case group(FlagKeyPath)
        /// A flag whose key path only the running program knows.
        case untold
    }

    package let subject: Subject
    /// The lines, counted from 1.
    package let lines: ClosedRange<Int>

    init(of subject: Subject, _ lines: ClosedRange<Int>) {
        (self.subject, self.lines) = (subject, lines)
    }
}
