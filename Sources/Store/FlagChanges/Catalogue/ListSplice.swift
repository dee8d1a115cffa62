/// Where elements are taken out of a list, and where others are put into it.
struct ListSplice {
    /// The places of what is taken out, in order.
    var removed: [Int] = []
    /// For each element that is put in, in order, the place of the one that it is put before, in the list as it was.
    var inserted: [Int] = []

    /// A list without what is taken out and with what is put in.
    ///
    /// - Parameter list: The list before.
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

    /// What happens to a part of the list.
    ///
    /// - Parameter places: The part; what is put in before its first element belongs to it.
    /// - Returns: The same in places of the part, and which of the elements are put in there.
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

    /// Where an element of the list, which is not taken out, is afterwards.
    func place(after place: Int) -> Int {
        place - removed.partitioningIndex { $0 >= place } + inserted.partitioningIndex { $0 > place }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first place whose element a condition holds for, where it holds for all elements behind that too.
    func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
