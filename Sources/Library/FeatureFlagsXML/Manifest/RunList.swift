/// A list that is kept in runs, so that a copy in which one element is another copies one run and shares the others.
package struct RunList<Element: Sendable>: RandomAccessCollection, MutableCollection, Sendable {
    /// How many elements a run has.
    @inlinable static var runSize: Int { 256 }

    /// All but the last are full.
    @usableFromInline var runs: [[Element]]
    /// How many elements there are.
    package let count: Int

    /// Takes over a list.
    package init(_ elements: [Element]) {
        count = elements.count
        runs = stride(from: 0, to: elements.count, by: Self.runSize).map { start in
            Array(elements[start..<Swift.min(start + Self.runSize, elements.count)])
        }
    }

    /// The place of the first element.
    @inlinable package var startIndex: Int { 0 }
    /// The place behind the last element.
    @inlinable package var endIndex: Int { count }

    @inlinable
    package subscript(place: Int) -> Element {
        get { runs[place / Self.runSize][place % Self.runSize] }
        set { runs[place / Self.runSize][place % Self.runSize] = newValue }
    }

    /// The places at which another list of as many elements may have other ones: what both share is left out.
    ///
    /// - Parameter other: The other list.
    /// - Returns: The places, in order; `nil` where the other list is shorter or longer.
    package func places(notSharedWith other: RunList) -> [Int]? {
        guard count == other.count else { return nil }
        var places: [Int] = []
        for (number, (mine, theirs)) in zip(runs, other.runs).enumerated() where !Self.isShared(mine, theirs) {
            let start = number * Self.runSize
            places += start..<(start + mine.count)
        }
        return places
    }

    /// Whether two runs are one and the same in memory.
    private static func isShared(_ one: [Element], _ other: [Element]) -> Bool {
        one.withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { $0.baseAddress == one.baseAddress } }
    }
}
