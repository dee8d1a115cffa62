import CoreMetrics
import Synchronization

/// What is measured by the API of swift-metrics, kept for Prometheus to ask for.
///
/// ```swift
/// let registry = PrometheusRegistry(help: ["orders_total": "Orders that were taken."])
/// MetricsSystem.bootstrap(registry)
/// Counter(label: "orders_total").increment()
/// print(registry.text)
/// ```
///
/// Finding a series takes a lock; recording to one that a caller holds takes none.
public final class PrometheusRegistry: MetricsFactory {
    private struct Family {
        let kind: SeriesKind
        var series: [SeriesLabels: any Series] = [:]
    }

    private let families = Mutex<[String: Family]>([:])
    private let help: [String: String]
    private let bounds: [Double]

    /// The upper bounds of the buckets of times, in seconds.
    public static let timeBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    /// Makes an empty registry.
    ///
    /// - Parameters:
    ///   - help: What is said of a metric, by its name.
    ///   - bounds: The upper bounds of the buckets of histograms, rising; those of times are in seconds.
    public init(help: [String: String] = [:], bounds: [Double] = timeBounds) {
        self.help = help
        self.bounds = bounds
    }

    /// All that was recorded, in Prometheus' text format 0.0.4.
    public var text: String {
        // The lock is not held while the text is made: who measures something new waits for it.
        let families = families.withLock { $0 }
        var text = PrometheusText()
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            let series = family.series.sorted { $0.key < $1.key }.filter { $0.value.isRecorded }
            guard !series.isEmpty else { continue }
            text.begin(name, family.kind, help: help[name] ?? "What a library records as \(name).")
            for (labels, series) in series { series.write(name, labels, to: &text) }
        }
        return text.text
    }

    /// The type by which HTTP tells the format of ``text``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The series of a name and labels, made where it is new.
    ///
    /// A name that stands for another kind already gets the kind as its ending, since Prometheus takes one kind for a name.
    private func series<Found: Series>(
        _ label: String, _ dimensions: [(String, String)], ending: String = "", _ make: () -> Found
    ) -> Found {
        let labels = SeriesLabels(dimensions)
        var name = PrometheusText.name(label)
        if !name.hasSuffix(ending) { name += ending }
        return families.withLock { families in
            while let family = families[name], family.kind != Found.kind { name += "_\(Found.kind.rawValue)" }
            if let found = families[name]?.series[labels] as? Found { return found }
            let made = make()
            families[name, default: Family(kind: Found.kind)].series[labels] = made
            return made
        }
    }

    private func forget(_ handler: AnyObject) {
        families.withLock { families in
            for (name, family) in families {
                guard let labels = family.series.first(where: { $0.value === handler })?.key else { continue }
                families[name]?.series[labels] = nil
            }
        }
    }
}

extension PrometheusRegistry {
    /// A counter, whose name gets the ending `_total`.
    ///
    /// - Parameters:
    ///   - label: Its name.
    ///   - dimensions: Its labels.
    /// - Returns: What counts.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, ending: "_total") { CounterSeries() }
    }

    /// A counter of fractions, whose name gets the ending `_total`.
    ///
    /// - Parameters:
    ///   - label: Its name.
    ///   - dimensions: Its labels.
    /// - Returns: What counts.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, ending: "_total") { CounterSeries() }
    }

    /// A value that goes up and down.
    ///
    /// - Parameters:
    ///   - label: Its name.
    ///   - dimensions: Its labels.
    /// - Returns: What holds it.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions) { GaugeSeries() }
    }

    /// A histogram of values, or the last one of them.
    ///
    /// - Parameters:
    ///   - label: Its name.
    ///   - dimensions: Its labels.
    ///   - aggregate: Whether it is a histogram.
    /// - Returns: What takes the values.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        if aggregate { return series(label, dimensions) { HistogramSeries(bounds) } }
        return series(label, dimensions) { GaugeSeries() }
    }

    /// A histogram of times in seconds, whose name gets the ending `_seconds`.
    ///
    /// - Parameters:
    ///   - label: Its name.
    ///   - dimensions: Its labels.
    /// - Returns: What takes the times.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, ending: "_seconds") { HistogramSeries(bounds) }
    }

    /// Tells nothing more of a counter.
    public func destroyCounter(_ handler: any CounterHandler) { forget(handler) }
    /// Tells nothing more of a counter of fractions.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { forget(handler) }
    /// Tells nothing more of a value.
    public func destroyMeter(_ handler: any MeterHandler) { forget(handler) }
    /// Tells nothing more of a histogram or a value.
    public func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }
    /// Tells nothing more of a histogram of times.
    public func destroyTimer(_ handler: any TimerHandler) { forget(handler) }
}
