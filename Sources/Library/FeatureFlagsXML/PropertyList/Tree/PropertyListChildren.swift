/// What stands in an array or a dictionary, in the order of the source.
///
/// It is kept in runs of some hundred, so that a copy with one child replaced copies one run and the list of runs.
struct PropertyListChildren: Sendable {
    struct Run: Sendable {
        /// Where it starts, counted from the start of the container's content.
        var start: Int
        /// The place of its first child among all.
        var first: Int
        var children: [PropertyListChild]

        var end: Int { first + children.count }
    }

    static let runSize = 256
    /// Among so few, looking at each is as quick as an index.
    private static let mostWithoutIndex = 12

    var runs: [Run] = []
    var count = 0
    /// Where each key stands; `nil` in an array, where there are few, and where their order tells.
    var index: PropertyListKeyIndex?
    /// How many keys don't come after the one before them.
    var disorders = 0
    /// How many keys are not of ASCII alone, so that others may be equal to them that are spelt otherwise.
    var otherKeys = 0
    /// How many of the dictionaries below, those in arrays left out, have their keys out of order.
    var unsortedBelow = 0

    /// Whether the keys are in order, each once.
    var isSorted: Bool { disorders == 0 }

    func forEach(_ body: (PropertyListChild) -> Void) {
        for run in runs { run.children.forEach(body) }
    }

    /// A child, and where it starts, counted from the start of the content.
    subscript(position: Int) -> (child: PropertyListChild, start: Int) {
        let run = run(of: position)
        let child = runs[run].children[position - runs[run].first]
        return (child, runs[run].start + Int(child.start))
    }

    private func key(at position: Int) -> String {
        let run = run(of: position)
        return runs[run].children[position - runs[run].first].key
    }

    /// The run that holds a place; the last one for the place behind all.
    func run(of position: Int) -> Int {
        var (low, high) = (0, runs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle].first <= position { low = middle } else { high = middle }
        }
        return low
    }

    /// Where a key stands; `nil` where it is not there.
    func position(of key: String) -> Int? {
        if let index { return index.position(of: key) { self.key(at: $0) == key } }
        if tellsByOrder, count > Self.mostWithoutIndex, key.isASCII {
            let position = firstPosition { child, _ in !PropertyListWriter.precedes(child.key, key) }
            return position < count && self.key(at: position) == key ? position : nil
        }
        for run in runs {
            if let place = run.children.firstIndex(where: { $0.key == key }) { return run.first + place }
        }
        return nil
    }

    /// Whether equal keys are equal bytes, and the keys are in order.
    private var tellsByOrder: Bool { disorders == 0 && otherKeys == 0 }

    /// Where an entry stands that has the key of one that is about to be added behind all.
    func position(ofSameAs key: String) -> Int? {
        if tellsByOrder, key.isASCII {
            guard let last = runs.last?.children.last else { return nil }
            if PropertyListWriter.precedes(last.key, key) { return nil }
        }
        return position(of: key)
    }

    /// The children that a range of bytes touches, counted from the start of the content: those that end behind its start and
    /// start before its end.
    func positions(touching range: Range<Int>) -> Range<Int> {
        let low = firstPosition { child, start in start + child.size > range.lowerBound }
        let high = firstPosition { _, start in start >= range.upperBound }
        return low..<max(low, high)
    }

    private func firstPosition(where isBehind: (PropertyListChild, Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let (child, start) = self[middle]
            if isBehind(child, start) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Adds a child behind all others; one of a dictionary has a key that is not there.
    mutating func append(_ child: PropertyListChild, at start: Int, isEntry: Bool) {
        if isEntry {
            if let last = runs.last?.children.last, !PropertyListWriter.precedes(last.key, child.key) { disorders += 1 }
            unsortedBelow += child.element.unsortedDictionaries
            if !child.key.isASCII { otherKeys += 1 }
        }
        if runs.isEmpty || runs[runs.count - 1].children.count >= Self.runSize {
            runs.append(Run(start: start, first: count, children: []))
        }
        let run = runs.count - 1
        runs[run].children.append(child.starting(at: start - runs[run].start))
        count += 1
        guard isEntry else { return }
        if index?.isFull ?? true { makeIndex() } else { index?.add(child.key, at: count - 1) }
    }

    /// Makes the index anew where one is worth it.
    mutating func makeIndex() {
        index = nil
        guard count > Self.mostWithoutIndex, !tellsByOrder else { return }
        var index = PropertyListKeyIndex(count: count)
        for run in runs {
            for (place, child) in run.children.enumerated() { index.add(child.key, at: run.first + place) }
        }
        self.index = index
    }
}

extension String {
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
