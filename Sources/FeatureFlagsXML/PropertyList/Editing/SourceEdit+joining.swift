import Foundation

extension SourceEdit {
    /// The edits that come to what some edits and then others do.
    ///
    /// - Parameters:
    ///   - first: Edits of a source, in its order.
    ///   - second: Edits of what the first leave, in its order.
    /// - Returns: Edits of the first source, in its order; those that touch are one.
    static func joined(_ first: [SourceEdit], _ second: [SourceEdit]) -> [SourceEdit] {
        if first.isEmpty { return second }
        var joined: [SourceEdit] = []
        var (first, second) = (first[...], second[...])
        // How far the first edits passed so far have moved what is behind them.
        var growth = 0
        while let start = [first.first.map { $0.range.lowerBound + growth }, second.first?.range.lowerBound]
            .compactMap(\.self).min()
        {
            let growthBefore = growth
            var cluster = Cluster(range: start..<start)
            var isGrowing = true
            while isGrowing {
                if let edit = first.first, edit.range.lowerBound + growth <= cluster.range.upperBound {
                    cluster.add(text: edit.replacement, at: edit.range.lowerBound + growth)
                    growth += edit.growth
                    first.removeFirst()
                } else if let edit = second.first, edit.range.lowerBound <= cluster.range.upperBound {
                    cluster.add(edit)
                    second.removeFirst()
                } else {
                    isGrowing = false
                }
            }
            let range = cluster.range.lowerBound - growthBefore..<cluster.range.upperBound - growth
            joined.append(SourceEdit(range: range, replacement: cluster.text))
        }
        return joined
    }

    /// Edits that touch, in the source between the first and the second.
    private struct Cluster {
        var range: Range<Int>
        /// What the first edits put there.
        private var texts: [(start: Int, text: Data)] = []
        private var edits: [SourceEdit] = []

        init(range: Range<Int>) {
            self.range = range
        }

        mutating func add(text: Data, at start: Int) {
            texts.append((start, text))
            range = range.lowerBound..<max(range.upperBound, start + text.count)
        }

        mutating func add(_ edit: SourceEdit) {
            edits.append(edit)
            range = range.lowerBound..<max(range.upperBound, edit.range.upperBound)
        }

        /// What stands there in the end: each byte between is of a text or goes with an edit.
        var text: Data {
            var result = Data()
            var offset = range.lowerBound
            var rest = edits[...]
            for (start, text) in texts {
                while offset < start + text.count || rest.first?.range.lowerBound == offset {
                    if let edit = rest.first, edit.range.lowerBound <= max(offset, start) {
                        result.append(edit.replacement)
                        offset = edit.range.upperBound
                        rest.removeFirst()
                        continue
                    }
                    let from = max(offset, start)
                    let end = min(start + text.count, rest.first?.range.lowerBound ?? .max)
                    result.append(text.dropFirst(from - start).prefix(end - from))
                    offset = end
                }
            }
            for edit in rest { result.append(edit.replacement) }
            return result
        }
    }
}
