import FeatureFlags

/// A place in source code that is about a flag.
package struct FlagReference: Hashable, Comparable, Sendable {
    /// How the place is about the flag.
    package enum Kind: String, CaseIterable, Sendable {
        /// The flag, or a constant of its key path in a type called `Keys`, is declared.
        case declaration
        /// A text, or a constant that holds it, is the flag's key path.
        case key
        /// The property that declares the flag is used, by a collection.
        case property
        /// A property of that name is used, and of what can't be told.
        case possible
        /// Something has the name of a flag that nothing else is known of.
        case namesake
        /// Something that has the name of a flag is declared, and nothing else is known of the flag.
        case namesakeDeclaration = "namesake-declaration"

        /// Whether it may be a use of the flag.
        package var isUse: Bool { self != .declaration && self != .namesakeDeclaration }
        /// Whether it is about the flag, and not only perhaps.
        package var isCertain: Bool { self == .declaration || self == .key || self == .property }
    }

    /// The file, as a path from the folder that was read.
    package let file: String
    /// The place.
    package let position: SourcePosition
    /// How it is about the flag.
    package let kind: Kind
    /// The lines that tell of the flag there: those of a whole declaration, with the comments before it, or of a text.
    package let lines: ClosedRange<Int>

    /// Whether one place comes before another, by file.
    package static func < (left: FlagReference, right: FlagReference) -> Bool {
        left.file == right.file
            ? (left.position, left.kind.rawValue) < (right.position, right.kind.rawValue) : left.file < right.file
    }
}

/// Where the flags of a folder of source code are declared and used.
package struct FlagReferences: Sendable {
    /// The places of each flag, by file and line; a possible use is among them only where no certain one is, and what only
    /// has its name only where there is nothing else.
    package let places: [FlagKeyPath: [FlagReference]]
    /// The key paths that properties declare, whether there is such a flag or not.
    package let declared: Set<FlagKeyPath>
    /// The properties that declare flags whose key path is known only when the program runs.
    package let untold: [FlagReference]
    /// The lines of each file that are about flags and groups, those of possible uses among them.
    private let lines: [String: [ToldLines]]

    /// Joins what files say.
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

    /// Whether a flag is used, or may be: the places that declare it are no uses.
    ///
    /// - Returns: `false` where nothing in the code uses it.
    package func isUsed(_ key: FlagKeyPath) -> Bool { places[key]?.contains { $0.kind.isUse } ?? false }

    /// Whether a flag is used for all that is known, or only may be.
    ///
    /// - Returns: `false` where nothing uses it, and where each use may be that of something else.
    package func isCertainlyUsed(_ key: FlagKeyPath) -> Bool {
        places[key]?.contains { $0.kind.isUse && $0.kind.isCertain } ?? false
    }
}

extension FlagReferences {
    /// The flags that a file is about.
    ///
    /// - Returns: Each with its lines; none where no flag is in the file, or there is no such file.
    package func flags(in file: String) -> [FlagKeyPath: [Int]] {
        places.compactMapValues { found in
            let lines = found.filter { $0.file == file }.map(\.position.line)
            return lines.isEmpty ? nil : lines
        }
    }

    /// The lines of a file that tell of flags and groups, possible uses among them.
    ///
    /// - Returns: The lines, in no order; none where no flag is in the file, or there is no such file.
    package func lines(in file: String) -> [ToldLines] { lines[file] ?? [] }
}
