/// Children that take the place of others.
struct PropertyListReplacement {
    /// Those that go; none where some are added only.
    let positions: Range<Int>
    /// Those that come, each with where it starts, counted from the start of the content.
    let children: [(child: PropertyListChild, start: Int)]
    /// How many bytes longer all of that is with them; what stands behind moves by as many.
    let growth: Int
}

extension PropertyListChildren {
    /// Above so many entries that come or go, the index is made anew rather than changed for each.
    private static let mostIndexChanges = 16

    /// Replaces children.
    ///
    /// - Parameters:
    ///   - replacements: What takes the place of what, in order and apart from each other; the keys of a dictionary stay
    ///     different.
    ///   - areEntries: Whether this is a dictionary.
    mutating func replace(_ replacements: [PropertyListReplacement], areEntries: Bool) {
        var indexed = areEntries ? index : nil
        // What is behind has moved already, and what is before stands where it did.
        for replacement in replacements.reversed() {
            if areEntries {
                let around = max(replacement.positions.lowerBound - 1, 0)
                let behind = replacement.positions.upperBound
                disorders -= disorders(in: around..<min(behind + 1, count))
                unsortedBelow -= unsortedDictionaries(in: replacement.positions)
                otherKeys -= otherKeys(in: replacement.positions)
                indexed = indexed.flatMap { changed($0, by: replacement, isOne: replacements.count == 1) }
                splice(replacement)
                let end = replacement.positions.lowerBound + replacement.children.count
                disorders += disorders(in: around..<min(end + 1, count))
                unsortedBelow += unsortedDictionaries(in: replacement.positions.lowerBound..<end)
                otherKeys += otherKeys(in: replacement.positions.lowerBound..<end)
            } else {
                splice(replacement)
            }
        }
        if let indexed { index = indexed } else if areEntries { makeIndex() }
    }

    private func disorders(in range: Range<Int>) -> Int {
        guard !range.isEmpty else { return 0 }
        let keys = range.map { self[$0].child.key }
        return zip(keys, keys.dropFirst()).count { !PropertyListWriter.precedes($0, $1) }
    }

    private func otherKeys(in range: Range<Int>) -> Int {
        range.count { !self[$0].child.key.isASCII }
    }

    private func unsortedDictionaries(in range: Range<Int>) -> Int {
        range.reduce(0) { $0 + self[$1].child.element.unsortedDictionaries }
    }

    /// The index after one replacement; `nil` where making it anew is less work.
    private func changed(
        _ index: PropertyListKeyIndex, by replacement: PropertyListReplacement, isOne: Bool
    ) -> PropertyListKeyIndex? {
        let old = replacement.positions.map { self[$0].child.key }
        let new = replacement.children.map(\.child.key)
        if old == new { return index }
        guard isOne, old.count + new.count <= Self.mostIndexChanges else { return nil }
        var index = index
        for (key, position) in zip(old, replacement.positions) { index.remove(key, at: position) }
        index.move(from: replacement.positions.upperBound, by: new.count - old.count)
        for (place, key) in new.enumerated() {
            guard !index.isFull else { return nil }
            index.add(key, at: replacement.positions.lowerBound + place)
        }
        return index
    }

    private mutating func splice(_ replacement: PropertyListReplacement) {
        let positions = replacement.positions
        guard !runs.isEmpty else {
            runs = Self.runs(of: replacement.children, from: 0)
            count = replacement.children.count
            return
        }
        // The run of what goes first, or else of what stands before the place.
        let first = run(of: positions.isEmpty ? max(positions.lowerBound - 1, 0) : positions.lowerBound)
        let last = positions.isEmpty ? first : run(of: positions.upperBound - 1)
        let before = runs[first].children.prefix(positions.lowerBound - runs[first].first)
        let behind = runs[last].children.dropFirst(positions.upperBound - runs[last].first)
        var children: [(PropertyListChild, Int)] = []
        children.reserveCapacity(before.count + replacement.children.count + behind.count)
        for child in before { children.append((child, runs[first].start + Int(child.start))) }
        children += replacement.children
        for child in behind { children.append((child, runs[last].start + Int(child.start) + replacement.growth)) }
        let added = replacement.children.count - positions.count
        let runsBehind = (last + 1)..<runs.count
        for run in runsBehind {
            runs[run].first += added
            runs[run].start += replacement.growth
        }
        runs.replaceSubrange(first...last, with: Self.runs(of: children, from: runs[first].first))
        count += added
    }

    /// Runs of children, none where there are none; twice as many as fit into one are halved.
    private static func runs(of children: [(child: PropertyListChild, start: Int)], from first: Int) -> [Run] {
        let parts = max(1, children.count / runSize)
        return (0..<parts).compactMap { part in
            let range = children.count * part / parts..<children.count * (part + 1) / parts
            guard let start = children[range].first?.start else { return nil }
            return Run(
                start: start, first: first + range.lowerBound,
                children: children[range].map { $0.child.starting(at: $0.start - start) })
        }
    }
}
