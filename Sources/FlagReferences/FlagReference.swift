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

    /// Joins what files say.
    ///
    /// - Parameters:
    ///   - files: What each says, by its path.
    ///   - known: The flags that there are.
    package init(_ files: [String: SourceFacts], known: Set<FlagKeyPath>) {
        let collections = DeclaredCollections(SourceTypes(files), files, known: known)
        var finder = ReferenceFinder(collections: collections, known: known)
        for (file, facts) in files { finder.read(facts, file) }
        places = finder.found.mapValues { found in
            let isUsed = found.contains { $0.kind == .key || $0.kind == .property }
            return found.filter { !isUsed || $0.kind != .possible }.sorted()
        }
        declared = collections.keys
        untold = collections.untold.sorted()
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
}
