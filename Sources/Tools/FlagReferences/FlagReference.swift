import FeatureFlags

/// A place in source code.
package struct FlagReference: Hashable, Comparable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A declaration of the flag, or of a constant of its key path in a type `Keys`.
        case declaration
        /// The key path as a text, or a constant that holds it.
        case key
        /// A use of the flag's property through its collection.
        case property
        /// A property of that name, on an unknown expression.
        case possible
        /// Something named like a flag without other references.
        case namesake
        /// A declaration named like a flag without other references.
        case namesakeDeclaration = "namesake-declaration"

        package var isUse: Bool { self != .declaration && self != .namesakeDeclaration }
        package var isCertain: Bool { self == .declaration || self == .key || self == .property }
    }

    /// The path from the source folder.
    package let file: String
    package let position: SourcePosition
    package let kind: Kind
    /// The whole declaration with the comments before it, or the lines of a text.
    package let lines: ClosedRange<Int>

    package static func < (left: FlagReference, right: FlagReference) -> Bool {
        left.file == right.file
            ? (left.position, left.kind.rawValue) < (right.position, right.kind.rawValue) : left.file < right.file
    }
}

/// The declarations and uses of flags in a folder of source code.
package struct FlagReferences: Sendable {
    /// Each flag's places, by file and line.
    ///
    /// Possible uses are left out beside certain ones, namesakes beside anything else.
    package let places: [FlagKeyPath: [FlagReference]]
    /// The key paths that properties declare, defined or not.
    package let declared: Set<FlagKeyPath>
    /// Declarations whose key path only the running program knows.
    package let untold: [FlagReference]
    /// Each file's lines about flags and groups, including possible uses.
    private let lines: [String: [ToldLines]]

    package init(
        _ files: [String: SourceFacts], known: Set<FlagKeyPath>, generated: [FlagKeyPath: String] = [:],
        checkStop: () throws(CancellationError) -> Void = {}
    ) throws(CancellationError) {
        let collections = try DeclaredCollections(SourceTypes(files), files, known: known, checkStop)
        let coded = Dictionary(
            grouping: files.values.flatMap { $0.mentions.filter { $0.coded != nil } }, by: \.name
        ).mapValues { Set($0.compactMap(\.coded)) }
        let names = { FlagNames($0, generated: generated, coded: coded) }
        var finder = ReferenceFinder(
            collections: collections, known: known, undeclared: names(known.subtracting(collections.keys)))
        for (file, facts) in files { try finder.read(facts, file, checkStop) }
        let rest = known.subtracting(collections.keys).subtracting(finder.found.keys)
        var namesakes = NamesakeFinder(names(rest))
        for (file, facts) in files where !rest.isEmpty { try namesakes.read(facts, file, checkStop) }
        let all = finder.found.merging(namesakes.found) { certain, _ in certain }
        places = all.mapValues { found in
            let isUsed = found.contains { $0.kind == .key || $0.kind == .property }
            return found.filter { !isUsed || $0.kind != .possible }.sorted()
        }
        declared = collections.keys
        untold = collections.untold.sorted()
        var lines: [String: [ToldLines]] = [:]
        for (key, found) in all {
            for place in found { lines[place.file, default: []].append(ToldLines(of: .flag(key), place.lines)) }
        }
        for (key, found) in collections.groupLines {
            for place in found { lines[place.file, default: []].append(ToldLines(of: .group(key), place.lines)) }
        }
        for place in untold { lines[place.file, default: []].append(ToldLines(of: .untold, place.lines)) }
        self.lines = lines
    }

    /// `true` for a certain or possible use; declarations don't count.
    package func isUsed(_ key: FlagKeyPath) -> Bool { places[key]?.contains { $0.kind.isUse } ?? false }

    package func isCertainlyUsed(_ key: FlagKeyPath) -> Bool {
        places[key]?.contains { $0.kind.isUse && $0.kind.isCertain } ?? false
    }
}

extension FlagReferences {
    package func flags(in file: String) -> [FlagKeyPath: [Int]] {
        places.compactMapValues { found in
            let lines = found.filter { $0.file == file }.map(\.position.line)
            return lines.isEmpty ? nil : lines
        }
    }

    /// Returns the lines about flags and groups, unordered and including possible uses.
    package func lines(in file: String) -> [ToldLines] { lines[file] ?? [] }
}
