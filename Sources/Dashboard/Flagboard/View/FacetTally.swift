import FeatureFlags

/// Counts of one pass over all flags, by the numbers in the traits.
struct FacetTally: Sendable {
    /// Indexes of the flags to list.
    private(set) var found: [Int] = []
    /// Those with marks that depend on more than the flag.
    private(set) var doubtful: [Int] = []
    /// Numbers of flags that fail exactly one criterion, by its bit.
    private(set) var missed = Array(repeating: 0, count: Int.bitWidth)
    private(set) var states = Array(repeating: 0, count: FlagFilter.State.allCases.count)
    private(set) var marks = Array(repeating: 0, count: FlagFilter.Mark.allCases.count)
    private(set) var types = Array(repeating: 0, count: FlagType.allCases.count)
    private(set) var sources: [Int]
    private(set) var owners: [Int]
    private(set) var tagLists: [Int]
    private(set) var groups: [Int]
    /// Groups in order of appearance.
    private(set) var groupsInOrder: [Int] = []

    private init(sources: Int, owners: Int, tagLists: Int, groups: Int) {
        self.sources = Array(repeating: 0, count: sources)
        self.owners = Array(repeating: 0, count: owners)
        self.tagLists = Array(repeating: 0, count: tagLists)
        self.groups = Array(repeating: 0, count: groups)
    }

    init(_ traits: CatalogueTraits, misses: (Int) -> FlagFilter.Misses) {
        self.init(
            sources: traits.sources.values.count, owners: traits.owners.values.count,
            tagLists: traits.tagLists.values.count, groups: traits.groups.values.count)
        var withoutWords = 0
        for (place, flag) in traits.flags.enumerated() {
            let misses = misses(place)
            // Most flags fail only the search.
            if misses == .text { withoutWords += 1 } else { count(flag, at: place, misses) }
        }
        missed[FlagFilter.Misses.text.rawValue.trailingZeroBitCount] += withoutWords
    }

    /// Counts a search without other criteria: flags that don't match fail only the search, so they are not visited.
    init(_ traits: CatalogueTraits, having matches: [Bool]) {
        self.init(
            sources: traits.sources.values.count, owners: traits.owners.values.count,
            tagLists: traits.tagLists.values.count, groups: traits.groups.values.count)
        for (place, isMatch) in matches.enumerated() where isMatch { count(traits.flags[place], at: place, []) }
        missed[FlagFilter.Misses.text.rawValue.trailingZeroBitCount] = matches.count - found.count
    }

    static let empty = FacetTally(sources: 0, owners: 0, tagLists: 0, groups: 0)

    private mutating func count(_ flag: FlagTraits, at place: Int, _ misses: FlagFilter.Misses) {
        if misses.isEmpty {
            found.append(place)
            if flag.isDoubtful { doubtful.append(place) }
            Self.count(flag.marks, in: &marks)
            if groups[flag.group] == 0 { groupsInOrder.append(flag.group) }
            groups[flag.group] += 1
        } else if misses.isOne {
            missed[misses.rawValue.trailingZeroBitCount] += 1
        }
        if misses.isSubset(of: .state) { Self.count(flag.states, in: &states) }
        if misses.isSubset(of: .type) { types[flag.type] += 1 }
        if misses.isSubset(of: .tag) { tagLists[flag.tags] += 1 }
        if misses.isSubset(of: .owner), let owner = flag.owner { owners[owner] += 1 }
        if misses.isSubset(of: .provider), let source = flag.source { sources[source] += 1 }
    }

    private static func count(_ bits: UInt16, in counts: inout [Int]) {
        var bits = bits
        while bits != 0 {
            counts[bits.trailingZeroBitCount] += 1
            bits &= bits - 1
        }
    }
}

extension FlagFilter.Misses {
    fileprivate var isOne: Bool { rawValue.nonzeroBitCount == 1 }
}
