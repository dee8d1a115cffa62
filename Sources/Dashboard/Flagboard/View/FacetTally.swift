import FeatureFlags

/// Counts of one pass over all flags, by the numbers in the traits.
struct FacetTally: Sendable {
    /// Indexes of the flags to list.
    private(set) var found: [Int] = []
    /// Those with marks that depend on more than the flag.
    private(set) var doubtful: [Int] = []
    /// Numbers of flags that fail exactly one criterion, by its bit.
    private(set) var missed = Array(repeating: 0, count: Int.bitWidth)
    private(set) var marks = Array(repeating: 0, count: FlagFilter.Mark.allCases.count)
    /// Numbers of flags that fail no other criterion, by criterion and number of the list of values.
    private(set) var counts: [[Int]]

    init() { counts = FlagCriterion.all.map { _ in [] } }

    private init(of traits: CatalogueTraits) {
        counts = traits.lists.map { Array(repeating: 0, count: $0.values.count) }
    }

    init(_ traits: CatalogueTraits, misses: (Int) -> FlagFilter.Misses) {
        self.init(of: traits)
        var withoutWords = 0
        for place in traits.flags.indices {
            let misses = misses(place)
            // Most flags fail only the search.
            if misses == .text { withoutWords += 1 } else { count(place, traits, misses) }
        }
        missed[FlagFilter.Misses.text.rawValue.trailingZeroBitCount] += withoutWords
    }

    /// Counts a search without other criteria: flags that don't match fail only the search, so they are not visited.
    init(_ traits: CatalogueTraits, having matches: [Bool]) {
        self.init(of: traits)
        for (place, isMatch) in matches.enumerated() where isMatch { count(place, traits, []) }
        missed[FlagFilter.Misses.text.rawValue.trailingZeroBitCount] = matches.count - found.count
    }

    private mutating func count(_ place: Int, _ traits: CatalogueTraits, _ misses: FlagFilter.Misses) {
        if misses.isEmpty {
            let flag = traits.flags[place]
            found.append(place)
            if flag.isDoubtful { doubtful.append(place) }
            Self.count(flag.marks, in: &marks)
        } else if misses.isOne {
            missed[misses.rawValue.trailingZeroBitCount] += 1
        }
        let start = place * CatalogueTraits.width
        for index in counts.indices where misses.isSubset(of: .criterion(index)) {
            counts[index][traits.numbers[start + index]] += 1
        }
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
