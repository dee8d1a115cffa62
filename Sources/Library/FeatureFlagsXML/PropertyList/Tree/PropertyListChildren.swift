import FeatureFlags

/// The children of a container, in runs: a copy with one child replaced copies one run and the list of runs.
struct PropertyListChildren: Sendable {
    struct Run: Sendable {
        /// The offset in the container's content.
        var start: Int
        /// The index of the first child.
        var first: Int
        var children: [PropertyListChild]

        var end: Int { first + children.count }
    }

    /// The entries of a key that occurs more than once.
    struct Repetition: Sendable {
        /// The first entry's element; its child has a broken value instead.
        let original: PropertyListElement
        /// The further entries, which are no children, with their offsets in the content.
        fileprivate(set) var others: [(child: PropertyListChild, start: Int)] = []
    }

    static let runSize = 256
    /// For so few children, a linear search is as fast as an index.
    private static let mostWithoutIndex = 12

    var runs: [Run] = []
    var count = 0
    /// `nil` in an array, for few keys, and for sorted keys.
    var index: PropertyListKeyIndex?
    /// The number of keys out of order.
    var disorders = 0
    /// The number of keys beyond ASCII, which may equal keys that are spelled differently.
    var otherKeys = 0
    /// The number of unsorted dictionaries below, except those in arrays.
    var unsortedBelow = 0
    /// By the first entry's position.
    private(set) var repetitions: [Int: Repetition] = [:]
    private var repeatedBelow = 0

    /// The number of keys, here and below, that occur more than once in a dictionary.
    var repeatedKeys: Int { repetitions.count + repeatedBelow }

    var isSorted: Bool { disorders == 0 }

    func forEach(_ body: (PropertyListChild) -> Void) {
        for run in runs { run.children.forEach(body) }
    }

    subscript(position: Int) -> (child: PropertyListChild, start: Int) {
        let run = run(of: position)
        let child = runs[run].children[position - runs[run].first]
        return (child, runs[run].start + Int(child.start))
    }

    private func key(at position: Int) -> String {
        let run = run(of: position)
        return runs[run].children[position - runs[run].first].key
    }

    /// Returns the run of a position, the last one for the end position.
    func run(of position: Int) -> Int {
        var (low, high) = (0, runs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle].first <= position { low = middle } else { high = middle }
        }
        return low
    }

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

    /// The keys are sorted, and equal keys have equal bytes.
    private var tellsByOrder: Bool { disorders == 0 && otherKeys == 0 }

    /// Returns the position of a key that is about to be appended; fast if the keys are sorted.
    func position(ofSameAs key: String) -> Int? {
        if tellsByOrder, key.isASCII {
            guard let last = runs.last?.children.last else { return nil }
            if PropertyListWriter.precedes(last.key, key) { return nil }
        }
        return position(of: key)
    }

    /// Returns the children that overlap a range of the content.
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

    /// Appends a child; an entry's key is not in use.
    mutating func append(_ child: PropertyListChild, at start: Int, isEntry: Bool) {
        repeatedBelow += child.element.repeatedKeys
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

    /// Notes an entry whose key the child at a position has already.
    mutating func appendRepetition(of position: Int, _ child: PropertyListChild, at start: Int) {
        let original = self[position].child.element
        repetitions[position, default: Repetition(original: original)].others.append((child, start))
    }

    /// Breaks the values of keys that occur more than once, when all children are known.
    mutating func breakRepetitions() {
        for (position, repetition) in repetitions {
            let run = run(of: position)
            let place = position - runs[run].first
            let child = runs[run].children[place]
            unsortedBelow -= child.element.unsortedDictionaries
            let broken = FlagValue.broken(
                BrokenFlagValue(kind: .repeatedKey(repetition.type), text: repetition.text(of: child.key)))
            runs[run].children[place] =
                child.holding(PropertyListElement(.scalar(broken), of: child.element, growth: 0))
                .starting(at: Int(child.start))
        }
    }

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

extension PropertyListChildren.Repetition {
    private static let mostTexts = 5

    /// The type of the values; `nil` if they differ in it.
    var type: FlagType? {
        let type = FlagType(inferredFrom: original.value)
        return others.allSatisfy { FlagType(inferredFrom: $0.child.element.value) == type } ? type : nil
    }

    /// The values in brief, and the difference between spellings of the key.
    func text(of key: String) -> String {
        var texts = ([original] + others.prefix(Self.mostTexts - 1).map(\.child.element)).map(\.value.briefDescription)
        if others.count >= Self.mostTexts { texts.append("\(others.count + 1 - Self.mostTexts) more") }
        let difference = others.lazy.compactMap { UnicodeName.difference(of: key, from: $0.child.key) }.first
        return texts.joined(separator: ", ") + (difference.map { "; two Unicode forms: \($0)" } ?? "")
    }
}

extension String {
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
