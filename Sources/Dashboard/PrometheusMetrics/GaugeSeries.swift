import CoreMetrics

/// What goes up and down.
final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    static let kind = SeriesKind.gauge

    /// The value; no number as long as it was not recorded.
    private let current = AtomicDouble(.nan)

    var isRecorded: Bool { !current.value.isNaN }

    /// Takes a value in place of the last.
    func set(_ value: Int64) { current.set(Double(value)) }
    /// Takes a value in place of the last.
    func set(_ value: Double) { current.set(value) }
    /// Takes a value in place of the last.
    func record(_ value: Int64) { current.set(Double(value)) }
    /// Takes a value in place of the last.
    func record(_ value: Double) { current.set(value) }
    /// Raises the value.
    func increment(by amount: Double) { current.update { ($0.isNaN ? 0 : $0) + amount } }
    /// Lowers the value.
    func decrement(by amount: Double) { increment(by: -amount) }

    func write(_ name: String, _ labels: SeriesLabels, to text: inout PrometheusText) {
        text.add(name, labels.text, current.value)
    }
}
