import CoreMetrics
import Synchronization

/// What only ever grows.
final class CounterSeries: Series, CounterHandler, FloatingPointCounterHandler {
    static let kind = SeriesKind.counter

    private let whole = Atomic<Int64>(0)
    private let fraction = AtomicDouble(0)

    /// A counter that stands at 0 is told too, so that its first step is seen as one.
    var isRecorded: Bool { true }

    /// Counts on; a counter never goes back.
    func increment(by amount: Int64) {
        if amount > 0 { whole.wrappingAdd(amount, ordering: .relaxed) }
    }

    /// Counts on; a counter never goes back.
    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { fraction.update { $0 + amount } }
    }

    /// Begins at 0 again.
    func reset() {
        whole.store(0, ordering: .relaxed)
        fraction.set(0)
    }

    func write(_ name: String, _ labels: SeriesLabels, to text: inout PrometheusText) {
        text.add(name, labels.text, Double(whole.load(ordering: .relaxed)) + fraction.value)
    }
}
