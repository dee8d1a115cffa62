/// An unknown name, for which it finds a similar known one.
package struct LikelyName {
    /// Common names, in lower case, of fields that are named differently here.
    private static let otherNames = [
        "lock": "isLocked", "readonly": "isLocked", "isreadonly": "isLocked", "hidden": "isInternal",
        "ishidden": "isInternal", "private": "isInternal", "isprivate": "isInternal", "restart": "requiresRestart",
        "needsrestart": "requiresRestart", "min": "minimum", "max": "maximum", "regex": "pattern",
        "regexp": "pattern", "deprecated": "retired",
    ]
    /// Longer names are unlikely to be misspellings, and slow to compare.
    private static let longest = 40

    /// The limit of misspelled letters in a long name.
    private static let mostSlips = 3

    private let letters: [Character]
    private let counts: [Int8]?

    package init(_ name: String) {
        letters = Self.letters(of: name)
        counts = name.utf8.count > Self.longest ? nil : Self.counts(of: name)
    }

    /// Returns the lowercase letters and digits, so that `is_locked` equals `isLocked`.
    private static func letters(of name: String) -> [Character] {
        name.utf8.count > longest ? [] : name.lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
    }

    /// Returns the most similar known name outside `present`, whose names the writer has used otherwise.
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

    /// Counts ASCII letters and digits in lower case; `nil` for other characters.
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

    /// Cheap, since there are thousands of names.
    private func mayBeNear(_ name: String) -> Bool {
        guard name.utf8.count <= Self.longest, let counts, let others = Self.counts(of: name) else { return true }
        var (missing, extra) = (0, 0)
        for (own, other) in zip(counts, others) {
            if own > other { missing += Int(own - other) } else { extra += Int(other - own) }
        }
        return max(missing, extra) <= Self.mostSlips
    }

    private static func tolerance(of name: String) -> Int {
        switch name.count {
        case ..<8: 1
        case ..<12: 2
        default: mostSlips
        }
    }

    /// Counts misspelled letters; a replaced one counts twice in a short name: `note` is not `name`.
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
