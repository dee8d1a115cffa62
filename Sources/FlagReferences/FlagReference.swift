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
    /// The places of each flag, by file and line; a possible use is among them only where no certain one is.
    package let places: [FlagKeyPath: [FlagReference]]
    /// The key paths that properties declare, whether there is such a flag or not.
    package let declared: Set<FlagKeyPath>
    /// The properties that declare flags whose key path is known only when the program runs.
    package let untold: [FlagReference]
    /// The lines of each file that are about flags and groups, those of possible uses among them.
    private let lines: [String: [ToldLines]]

    /// Joins what files say.
    ///
    /// - Parameters:
    ///   - files: What each says, by its path.
    ///   - known: The flags that there are.
    ///   - checkStop: Throws once the look is given up.
    /// - Throws: What `checkStop` throws.
    package init(
        _ files: [String: SourceFacts], known: Set<FlagKeyPath>,
        checkStop: () throws(CancellationError) -> Void = {}
    ) throws(CancellationError) {
        let collections = try DeclaredCollections(SourceTypes(files), files, known: known, checkStop)
        var finder = ReferenceFinder(collections: collections, known: known)
        for (file, facts) in files { try finder.read(facts, file, checkStop) }
        places = finder.found.mapValues { found in
            let isUsed = found.contains { $0.kind == .key || $0.kind == .property }
            return found.filter { !isUsed || $0.kind != .possible }.sorted()
        }
        declared = collections.keys
        untold = collections.untold.sorted()
        var lines: [String: [ToldLines]] = [:]
        for (key, found) in finder.found {
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
    /// - Parameter key: The flag.
    /// - Returns: `false` where nothing in the code uses it.
    package func isUsed(_ key: FlagKeyPath) -> Bool { places[key]?.contains { $0.kind != .declaration } ?? false }
}

extension FlagReferences {
    /// The flags that a file is about.
    ///
    /// - Parameter file: The file.
    /// - Returns: Each with its lines; none where no flag is in the file, or there is no such file.
    package func flags(in file: String) -> [FlagKeyPath: [Int]] {
        places.compactMapValues { found in
            let lines = found.filter { $0.file == file }.map(\.position.line)
            return lines.isEmpty ? nil : lines
        }
    }

    /// The lines of a file that tell of flags and groups, possible uses among them.
    ///
    /// - Parameter file: The file.
    /// - Returns: The lines, in no order; none where no flag is in the file, or there is no such file.
    package func lines(in file: String) -> [ToldLines] { lines[file] ?? [] }
}
