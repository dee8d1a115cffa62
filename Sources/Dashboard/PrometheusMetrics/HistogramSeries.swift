import CoreMetrics
import Synchronization

/// How often values came, by their size.
final class HistogramSeries: Series, TimerHandler, RecorderHandler {
    static let kind = SeriesKind.histogram

    private final class Bucket: Sendable {
        let count = Atomic<Int64>(0)
    }

    private let bounds: [Double]
    /// One for each bound, and one for what is beyond the last.
    private let buckets: [Bucket]
    private let sum = AtomicDouble(0)

    /// - Parameter bounds: The upper bounds of the buckets, rising.
    init(_ bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Bucket() }
    }

    var isRecorded: Bool { buckets.contains { $0.count.load(ordering: .relaxed) > 0 } }

    /// Takes a time.
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    /// Takes a value.
    func record(_ value: Int64) { record(Double(value)) }

    /// Takes a value.
    func record(_ value: Double) {
        guard !value.isNaN else { return }
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        buckets[place].count.wrappingAdd(1, ordering: .relaxed)
        sum.update { $0 + value }
    }

    func write(_ name: String, _ labels: SeriesLabels, to text: inout PrometheusText) {
        let others = labels.text.isEmpty ? "" : "\(labels.text),"
        var count: Int64 = 0
        for (bucket, bound) in zip(buckets, bounds + [.infinity]) {
            count += bucket.count.load(ordering: .relaxed)
            text.add("\(name)_bucket", "\(others)le=\"\(PrometheusText.number(bound))\"", Double(count))
        }
        text.add("\(name)_sum", labels.text, sum.value)
        // What is recorded meanwhile must not make the count differ from the last bucket.
        text.add("\(name)_count", labels.text, Double(count))
    }
}
