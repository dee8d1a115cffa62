/// A name that is not known, to be compared with the known ones that its writer may have meant.
package struct LikelyName {
    /// What people call a field that has another name here, in small letters.
    private static let otherNames = [
        "lock": "isLocked", "readonly": "isLocked", "isreadonly": "isLocked", "hidden": "isInternal",
        "ishidden": "isInternal", "private": "isInternal", "isprivate": "isInternal", "restart": "requiresRestart",
        "needsrestart": "requiresRestart", "min": "minimum", "max": "maximum", "regex": "pattern",
        "regexp": "pattern", "deprecated": "retired",
    ]
    /// A longer name is no slip of the pen, and costs time to compare.
    private static let longest = 40

    /// So many slips are still the same name, if it is long.
    private static let mostSlips = 3

    private let letters: [Character]
    private let counts: [Int8]?

    /// Takes the name as it was written.
    package init(_ name: String) {
        letters = Self.letters(of: name)
        counts = name.utf8.count > Self.longest ? nil : Self.counts(of: name)
    }

    /// The letters and digits alone, in small: `is_locked` is `isLocked` written otherwise.
    private static func letters(of name: String) -> [Character] {
        name.utf8.count > longest ? [] : name.lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
    }

    /// The known name that is the most like this one.
    ///
    /// - Parameters:
    ///   - known: The known names.
    ///   - present: The known names beside it: a writer who used one of them means something else by a like name, unless
    ///     the two differ in spelling alone.
    /// - Returns: `nil` where it is like none.
    package func nearest(in known: Set<String>, besides present: some Collection<String> = EmptyCollection()) -> String?
    {
        guard !letters.isEmpty else { return nil }
        if let other = Self.otherNames[String(letters)], known.contains(other), !present.contains(other) {
            return other
        }
        let near = known.compactMap { name -> (distance: Int, name: String)? in
            guard mayBeNear(name) else { return nil }
            let distance = distance(to: Self.letters(of: name))
            guard distance <= Self.tolerance(of: name), distance == 0 || !present.contains(name) else { return nil }
            return (distance, name)
        }
        return near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// How often each ASCII letter and digit stands in a name, in small; `nil` where other characters do.
    private static func counts(of name: String) -> [Int8]? {
        var counts = [Int8](repeating: 0, count: 128)
        for byte in name.utf8 {
            guard byte < 128 else { return nil }
            switch byte {
            case 0x41...0x5A: counts[Int(byte | 0x20)] &+= 1
            case 0x30...0x39, 0x61...0x7A: counts[Int(byte)] &+= 1
            default: break
            }
        }
        return counts
    }

    /// Whether two names have so many letters in common that a few slips may lead from one to the other: a cheap check, for
    /// thousands of names.
    private func mayBeNear(_ name: String) -> Bool {
        guard name.utf8.count <= Self.longest, let counts, let others = Self.counts(of: name) else { return true }
        var (missing, extra) = (0, 0)
        for (own, other) in zip(counts, others) {
            if own > other { missing += Int(own - other) } else { extra += Int(other - own) }
        }
        return max(missing, extra) <= Self.mostSlips
    }

    /// How many slips a known name may be written with; in a short one, each makes another word.
    private static func tolerance(of name: String) -> Int {
        switch name.count {
        case ..<8: 1
        case ..<12: 2
        default: mostSlips
        }
    }

    /// How many letters were left out, added, swapped with a neighbour or taken for another.
    ///
    /// That one of a short name was taken for another counts twice: `note` is a word of its own, not `name`.
    private func distance(to other: [Character]) -> Int {
        let replacing = other.count < 5 ? 2 : 1
        var (before, last) = ([Int](), Array(0...other.count))
        for (place, letter) in letters.enumerated() {
            var row = [place + 1]
            for (column, sign) in other.enumerated() {
                var cost = min(last[column + 1], row[column]) + 1
                cost = min(cost, last[column] + (letter == sign ? 0 : replacing))
                if place > 0, column > 0, letter == other[column - 1], letters[place - 1] == sign {
                    cost = min(cost, before[column - 1] + 1)
                }
                row.append(cost)
            }
            (before, last) = (last, row)
        }
        return last[other.count]
    }
}
