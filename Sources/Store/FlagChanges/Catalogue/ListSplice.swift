struct ListSplice {
    /// The indices of removed elements, ascending.
    var removed: [Int] = []
    /// For each inserted element, the old index of its successor, ascending.
    var inserted: [Int] = []

    func applied<Element>(to list: [Element], inserting elements: [Element]) -> [Element] {
        var result: [Element] = []
        result.reserveCapacity(list.count + elements.count - removed.count)
        var (start, next) = (0, 0)
        func copy(upTo end: Int) {
            if start < end { result.append(contentsOf: list[start..<end]) }
            start = Swift.max(start, end)
        }
        for place in removed + [list.count] {
            while next < elements.count, inserted[next] <= place {
                copy(upTo: inserted[next])
                result.append(elements[next])
                next += 1
            }
            copy(upTo: place)
            start = place + 1
        }
        return result
    }

    /// Returns the splice within a range, with relative indices, and the elements inserted in or just before it.
    func part(of places: Range<Int>) -> (splice: ListSplice, elements: Range<Int>) {
        func inside(_ sorted: [Int]) -> Range<Int> {
            let start = sorted.partitioningIndex { $0 >= places.lowerBound }
            return start..<sorted[start...].partitioningIndex { $0 >= places.upperBound }
        }
        let elements = inside(inserted)
        return (
            ListSplice(
                removed: removed[inside(removed)].map { $0 - places.lowerBound },
                inserted: inserted[elements].map { $0 - places.lowerBound }), elements
        )
    }

    func place(after place: Int) -> Int {
        place - removed.partitioningIndex { $0 >= place } + inserted.partitioningIndex { $0 > place }
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the first index whose element, like all later ones, satisfies the condition.
    func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
