struct PropertyListReplacement {
    /// Empty for an insertion.
    let positions: Range<Int>
    /// With their offsets in the content.
    let children: [(child: PropertyListChild, start: Int)]
    /// In bytes, by which the children behind move.
    let growth: Int
}

extension PropertyListChildren {
    /// With more changes, the index is rebuilt.
    private static let mostIndexChanges = 16

    /// Replaces children, in order and disjoint; the keys of a dictionary stay distinct.
    mutating func replace(_ replacements: [PropertyListReplacement], areEntries: Bool) {
        var indexed = areEntries ? index : nil
        // In reverse order, so that the children before a replacement are still in place.
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
        if runs.isEmpty { runs = [Run(start: replacement.children.first?.start ?? 0, first: 0, children: [])] }
        // The run of the first replaced child, or of the child before an insertion.
        let run = run(of: positions.isEmpty ? max(positions.lowerBound - 1, 0) : positions.lowerBound)
        if !positions.isEmpty { join(run...self.run(of: positions.upperBound - 1)) }
        let added = replacement.children.count - positions.count
        for behind in runs.indices.dropFirst(run + 1) {
            runs[behind].first += added
            runs[behind].start += replacement.growth
        }
        count += added
        let places = positions.lowerBound - runs[run].first..<positions.upperBound - runs[run].first
        let start = runs[run].start
        let next = places.upperBound < runs[run].children.count ? runs[run].children[places.upperBound].start : nil
        // Without a child before the place, the new children may start before the old ones.
        let newStart = min(
            start, replacement.children.first?.start ?? start,
            next.map { start + Int($0) + replacement.growth } ?? start)
        for place in places.upperBound..<runs[run].children.count {
            runs[run].children[place].move(by: replacement.growth + start - newStart)
        }
        runs[run].start = newStart
        runs[run].children.replaceSubrange(
            places, with: replacement.children.map { $0.child.starting(at: $0.start - newStart) })
        split(run)
    }

    private mutating func join(_ range: ClosedRange<Int>) {
        let first = range.lowerBound
        for run in runs[range].dropFirst() {
            let distance = run.start - runs[first].start
            runs[first].children += run.children.map { $0.starting(at: Int($0.start) + distance) }
        }
        runs.removeSubrange((first + 1)..<(range.upperBound + 1))
    }

    /// Splits a run of at least twice the usual size, and removes an empty one.
    private mutating func split(_ run: Int) {
        let children = runs[run].children
        let parts = children.count / Self.runSize
        guard children.isEmpty || parts > 1 else { return }
        let (start, first) = (runs[run].start, runs[run].first)
        let halves = (0..<parts).map { part in
            let range = children.count * part / parts..<children.count * (part + 1) / parts
            let distance = Int(children[range.lowerBound].start)
            return Run(
                start: start + distance, first: first + range.lowerBound,
                children: children[range].map { $0.starting(at: Int($0.start) - distance) })
        }
        runs.replaceSubrange(run...run, with: halves)
    }
}
