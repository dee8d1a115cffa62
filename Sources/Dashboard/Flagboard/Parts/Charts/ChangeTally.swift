import FlagHistory
import Foundation

/// How many changes there were in each stretch of a chart.
struct ChangeTally: Hashable, Sendable {
    /// The changes of one stretch.
    struct Count: Hashable, Sendable {
        /// How many there are.
        var all = 0
        /// How many of them are edits from outside.
        var outside = 0
    }

    let bins: TimeBins
    /// The changes of each stretch, the oldest first.
    let counts: [Count]

    /// Counts the changes of a summary.
    ///
    /// - Parameter bins: The stretches; what is outside of them is not counted.
    init(_ summary: HistorySummary, in bins: TimeBins) {
        var counts = [Count](repeating: Count(), count: bins.count)
        for quarter in summary.quarters {
            guard let place = bins.place(of: quarter.start) else { continue }
            counts[place].all += quarter.count
            counts[place].outside += quarter.outside
        }
        self.bins = bins
        self.counts = counts
    }

    /// The stretches that have changes, the oldest first.
    var busy: [Int] { counts.indices.filter { counts[$0].all > 0 } }

    /// The most changes of one stretch.
    var greatest: Int { counts.map(\.all).max() ?? 0 }

    /// All of them.
    var total: Count {
        counts.reduce(into: Count()) { total, count in
            total.all += count.all
            total.outside += count.outside
        }
    }
}
