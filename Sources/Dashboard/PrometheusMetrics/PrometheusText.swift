import CoreMetrics
import Synchronization

/// Writes Prometheus' text format 0.0.4.
struct PrometheusText {
    private(set) var text = ""

    mutating func begin(_ name: String, _ kind: SeriesKind, help: String) {
        let line = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        text += "# HELP \(name) \(line)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// `labels` are already formatted, and may be empty.
    mutating func add(_ name: String, _ labels: String, _ value: Double) {
        text += labels.isEmpty ? "\(name) \(Self.number(value))\n" : "\(name){\(labels)} \(Self.number(value))\n"
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    /// Returns a valid name: characters other than letters, digits, `_` and `:` become `_`.
    static func name(_ label: String) -> String { valid(label) { $0 == ":" } }

    /// Returns a valid label name that differs from the format's own.
    static func labelName(_ name: String) -> String {
        let name = valid(name) { _ in false }
        return name == "le" || name == "quantile" || name.hasPrefix("__") ? "own_\(name)" : name
    }

    static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func valid(_ name: String, _ isTaken: (Character) -> Bool) -> String {
        let taken = name.map { character in
            character.isASCII && (character.isLetter || character.isNumber) || character == "_" || isTaken(character)
                ? character : "_"
        }
        return taken.first.map { $0.isNumber ? "_" : "" }.map { $0 + String(taken) } ?? "_"
    }
}

final class CounterSeries: Series, CounterHandler, FloatingPointCounterHandler {
    static let kind = SeriesKind.counter

    private let whole = Atomic<Int64>(0)
    private let fraction = AtomicDouble(0)

    /// A counter of 0 is written too, so that its first increment shows as one.
    var isRecorded: Bool { true }

    /// A counter only grows.
    func increment(by amount: Int64) {
        if amount > 0 { whole.wrappingAdd(amount, ordering: .relaxed) }
    }

    func increment(by amount: Double) {
        if amount > 0, amount.isFinite { fraction.update { $0 + amount } }
    }

    func reset() {
        whole.store(0, ordering: .relaxed)
        fraction.set(0)
    }

    func write(_ name: String, _ labels: SeriesLabels, to text: inout PrometheusText) {
        text.add(name, labels.text, Double(whole.load(ordering: .relaxed)) + fraction.value)
    }
}

final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    static let kind = SeriesKind.gauge

    /// NaN until the first recording.
    private let current = AtomicDouble(.nan)

    var isRecorded: Bool { !current.value.isNaN }

    func set(_ value: Int64) { current.set(Double(value)) }
    func set(_ value: Double) { current.set(value) }
    func record(_ value: Int64) { current.set(Double(value)) }
    func record(_ value: Double) { current.set(value) }
    func increment(by amount: Double) { current.update { ($0.isNaN ? 0 : $0) + amount } }
    func decrement(by amount: Double) { increment(by: -amount) }

    func write(_ name: String, _ labels: SeriesLabels, to text: inout PrometheusText) {
        text.add(name, labels.text, current.value)
    }
}

final class HistogramSeries: Series, TimerHandler, RecorderHandler {
    static let kind = SeriesKind.histogram

    private final class Bucket: Sendable {
        let count = Atomic<Int64>(0)
    }

    private let bounds: [Double]
    /// One for each bound, and one for values beyond the last.
    private let buckets: [Bucket]
    private let sum = AtomicDouble(0)

    /// `bounds` are in rising order.
    init(_ bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Bucket() }
    }

    var isRecorded: Bool { buckets.contains { $0.count.load(ordering: .relaxed) > 0 } }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

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
        // Not read again: the count must equal the last bucket.
        text.add("\(name)_count", labels.text, Double(count))
    }
}
