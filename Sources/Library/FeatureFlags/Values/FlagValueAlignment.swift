/// The pairs of kept or edited elements in two versions of an array.
///
/// From `a`, `b`, `c` to `b`, `x`, the partners are 1 and 2.
package struct FlagValueAlignment {
    /// For each new element, the rising index of its old version; `nil` for an added one.
    package private(set) var partners: [Int?]

    private let old: [FlagValue]
    private let new: [FlagValue]

    /// With more pairs of elements than this, a stretch is paired in order.
    private static let mostPairs = 10_000
    /// Above every other likeness.
    private static let equal = 1_000_000

    package init(from old: [FlagValue], to new: [FlagValue]) {
        (self.old, self.new) = (old, new)
        partners = Array(repeating: nil, count: new.count)
        align(old.indices, new.indices)
    }

    /// The index of each new element's old version, wherever that was; `nil` for an added one.
    ///
    /// It is an equal element, else the partner, else a similar one.
    package var origins: [Int?] {
        var origins = zip(new, partners).map { value, partner in partner.flatMap { old[$0] == value ? $0 : nil } }
        var left = Set(old.indices).subtracting(origins.compactMap(\.self))
        func complete(_ origin: (Int) -> Int?) {
            for index in new.indices where origins[index] == nil {
                origins[index] = origin(index).flatMap { left.remove($0) }
            }
        }
        var equals = Dictionary(grouping: left.sorted()) { old[$0] }.mapValues { $0[...] }
        complete { equals[new[$0]]?.popFirst() }
        complete { partners[$0] }
        guard left.count * origins.count(where: { $0 == nil }) <= Self.mostPairs else { return origins }
        complete { index in
            left.sorted().map { (place: $0, likeness: old[$0].likeness(to: new[index], ifEqual: Self.equal)) }
                .filter { $0.likeness >= FlagValue.leastSimilarity }
                .max { $0.likeness < $1.likeness }?.place
        }
        return origins
    }

    private mutating func align(_ olds: Range<Int>, _ news: Range<Int>) {
        var (olds, news) = (olds, news)
        while let first = olds.first, let place = news.first, old[first] == new[place] {
            partners[place] = first
            (olds, news) = (olds.dropFirst(), news.dropFirst())
        }
        while let last = olds.last, let place = news.last, old[last] == new[place] {
            partners[place] = last
            (olds, news) = (olds.dropLast(), news.dropLast())
        }
        guard !olds.isEmpty, !news.isEmpty else { return }
        guard olds.count * news.count > Self.mostPairs else { return alignByLikeness(olds, news) }
        let anchors = anchors(olds, news)
        guard !anchors.isEmpty else {
            for (first, place) in zip(olds, news) { partners[place] = first }
            return
        }
        var (start, place) = (olds.lowerBound, news.lowerBound)
        for anchor in anchors {
            partners[anchor.new] = anchor.old
            align(start..<anchor.old, place..<anchor.new)
            (start, place) = (anchor.old + 1, anchor.new + 1)
        }
        align(start..<olds.upperBound, place..<news.upperBound)
    }

    /// Returns elements that occur once on each side, the most that keep their order.
    ///
    /// See https://bramcohen.livejournal.com/73318.html (patience diff).
    private func anchors(_ olds: Range<Int>, _ news: Range<Int>) -> [(old: Int, new: Int)] {
        let before = Self.places(of: old, in: olds)
        let after = Self.places(of: new, in: news)
        let common = news.compactMap { place -> (old: Int, new: Int)? in
            guard after[new[place]] == .some(place), let first = before[new[place]] ?? nil else { return nil }
            return (first, place)
        }
        // The last elements of the rising runs of each length, and each element's predecessor.
        var (ends, previous): ([Int], [Int?]) = ([], [])
        for (index, pair) in common.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if common[ends[middle]].old < pair.old { low = middle + 1 } else { high = middle }
            }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var (run, next): ([(old: Int, new: Int)], Int?) = ([], ends.last)
        while let index = next {
            run.append(common[index])
            next = previous[index]
        }
        return run.reversed()
    }

    /// Leaves `nil` for an element that occurs more than once.
    private static func places(of values: [FlagValue], in range: Range<Int>) -> [FlagValue: Int?] {
        var places: [FlagValue: Int?] = [:]
        for place in range { places.updateValue(places[values[place]] == nil ? place : nil, forKey: values[place]) }
        return places
    }

    private mutating func alignByLikeness(_ olds: Range<Int>, _ news: Range<Int>) {
        let (rows, columns) = (olds.count, news.count)
        // The greatest likeness from a place of either side on.
        var best = Array(repeating: Array(repeating: 0, count: columns + 1), count: rows + 1)
        var likeness = Array(repeating: Array(repeating: 0, count: columns), count: rows)
        for row in (0..<rows).reversed() {
            for column in (0..<columns).reversed() {
                let alike = old[olds.lowerBound + row].likeness(to: new[news.lowerBound + column], ifEqual: Self.equal)
                likeness[row][column] = alike
                best[row][column] = max(
                    alike + best[row + 1][column + 1], best[row + 1][column], best[row][column + 1])
            }
        }
        var (row, column) = (0, 0)
        while row < rows, column < columns {
            if best[row][column] == likeness[row][column] + best[row + 1][column + 1] {
                partners[news.lowerBound + column] = olds.lowerBound + row
                (row, column) = (row + 1, column + 1)
            } else if best[row][column] == best[row + 1][column] {
                row += 1
            } else {
                column += 1
            }
        }
    }
}

extension FlagValue {
    /// The likeness of two arrays or two dictionaries that share a part.
    fileprivate static let leastSimilarity = 5

    /// Returns a likeness: higher for the same kind, and for each shared part.
    fileprivate func likeness(to other: FlagValue, ifEqual most: Int) -> Int {
        switch (self, other) {
        case _ where self == other: return most
        case (.array(let values), .array(let others)):
            return 3 + 2 * zip(values, others).count { $0 == $1 }
        case (.dictionary(let entries), .dictionary(let others)):
            return 3 + 2 * entries.count { others[$0.key] == $0.value }
        case (.array, _), (.dictionary, _), (_, .array), (_, .dictionary): return 1
        default: return kind == other.kind ? 2 : 1
        }
    }
}
