import Synchronization

/// What Prometheus knows a metric to be.
enum SeriesKind: String {
    case counter, gauge, histogram
}

/// What is recorded under one name and one set of labels, without any lock.
protocol Series: AnyObject, Sendable {
    /// What it is.
    static var kind: SeriesKind { get }
    /// Whether there is anything to tell.
    var isRecorded: Bool { get }
    /// Tells what was recorded.
    func write(_ name: String, _ labels: SeriesLabels, to text: inout PrometheusText)
}

/// The labels of a series, in the order of their names.
struct SeriesLabels: Hashable, Comparable {
    /// Their names and values, as the text format writes them, separated by commas.
    let text: String

    /// Takes the dimensions of swift-metrics; of those of one name, the last counts.
    init(_ dimensions: [(String, String)]) {
        let labels = Dictionary(
            dimensions.map { (PrometheusText.labelName($0.0), $0.1) }, uniquingKeysWith: { $1 })
        text = labels.sorted { $0.key < $1.key }
            .map { "\($0.key)=\"\(PrometheusText.escaped($0.value))\"" }.joined(separator: ",")
    }

    static func < (one: SeriesLabels, other: SeriesLabels) -> Bool { one.text < other.text }
}

/// A number with a fraction that several threads change.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits: Atomic<UInt64>

    /// - Parameter value: What it is at first.
    init(_ value: Double) { bits = Atomic(value.bitPattern) }

    /// What it is now.
    var value: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
    }

    /// Makes it another number.
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    /// Makes it what follows from what it is.
    ///
    /// - Parameter change: The next number for the last; called again where another thread was faster.
    func update(_ change: (Double) -> Double) {
        var known = bits.load(ordering: .relaxed)
        while true {
            let next = change(Double(bitPattern: known)).bitPattern
            let (isDone, found) = bits.compareExchange(expected: known, desired: next, ordering: .relaxed)
            if isDone { return }
            known = found
        }
    }
}
