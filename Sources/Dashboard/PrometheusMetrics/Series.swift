import Synchronization

enum SeriesKind: String {
    case counter, gauge, histogram
}

/// The recordings of one name and one set of labels, without a lock.
protocol Series: AnyObject, Sendable {
    static var kind: SeriesKind { get }
    var isRecorded: Bool { get }
    func write(_ name: String, _ labels: SeriesLabels, to text: inout PrometheusText)
}

/// The labels of a series, sorted by name.
struct SeriesLabels: Hashable, Comparable {
    /// `name="value"` pairs in the text format, separated by commas.
    let text: String

    /// The last dimension of a name counts.
    init(_ dimensions: [(String, String)]) {
        let labels = Dictionary(
            dimensions.map { (PrometheusText.labelName($0.0), $0.1) }, uniquingKeysWith: { $1 })
        text = labels.sorted { $0.key < $1.key }
            .map { "\($0.key)=\"\(PrometheusText.escaped($0.value))\"" }.joined(separator: ",")
    }

    static func < (one: SeriesLabels, other: SeriesLabels) -> Bool { one.text < other.text }
}

struct AtomicDouble: ~Copyable, Sendable {
    private let bits: Atomic<UInt64>

    init(_ value: Double) { bits = Atomic(value.bitPattern) }

    var value: Double {
        get { Double(bitPattern: bits.load(ordering: .relaxed)) }
    }

    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    /// Calls `change` again if another thread changed the value meanwhile.
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
