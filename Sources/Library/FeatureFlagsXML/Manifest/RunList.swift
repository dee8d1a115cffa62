/// A list in runs: a copy with one element replaced copies one run and shares the others.
package struct RunList<Element: Sendable>: RandomAccessCollection, MutableCollection, Sendable {
    @inlinable static var runSize: Int { 256 }

    /// All but the last are full.
    @usableFromInline var runs: [[Element]]
    package let count: Int

    package init(_ elements: [Element]) {
        count = elements.count
        runs = stride(from: 0, to: elements.count, by: Self.runSize).map { start in
            Array(elements[start..<Swift.min(start + Self.runSize, elements.count)])
        }
    }

    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { count }

    @inlinable
    package subscript(place: Int) -> Element {
        get { runs[place / Self.runSize][place % Self.runSize] }
        set { runs[place / Self.runSize][place % Self.runSize] = newValue }
    }

    /// Returns the places at which another list may differ, skipping shared runs, or `nil` if the lengths differ.
    package func places(notSharedWith other: RunList) -> [Int]? {
        guard count == other.count else { return nil }
        var places: [Int] = []
        for (number, (mine, theirs)) in zip(runs, other.runs).enumerated() where !Self.isShared(mine, theirs) {
            let start = number * Self.runSize
            places += start..<(start + mine.count)
        }
        return places
    }

    private static func isShared(_ one: [Element], _ other: [Element]) -> Bool {
        one.withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { $0.baseAddress == one.baseAddress } }
    }
}
