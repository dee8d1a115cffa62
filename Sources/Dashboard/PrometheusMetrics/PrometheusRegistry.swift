import CoreMetrics
import Synchronization

/// A backend of swift-metrics that keeps metrics for Prometheus to read.
///
/// ```swift
/// let registry = PrometheusRegistry(help: ["orders_total": "Orders that were taken."])
/// MetricsSystem.bootstrap(registry)
/// Counter(label: "orders_total").increment()
/// print(registry.text)
/// ```
///
/// Finding a series takes a lock; recording to a series takes none.
public final class PrometheusRegistry: MetricsFactory {
    private struct Family {
        let kind: SeriesKind
        var series: [SeriesLabels: any Series] = [:]
    }

    private let families = Mutex<[String: Family]>([:])
    private let help: [String: String]
    private let bounds: [Double]

    /// The default bucket bounds, in seconds.
    public static let timeBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

    /// Creates an empty registry.
    ///
    /// - Parameters:
    ///   - help: The descriptions of metrics, by name.
    ///   - bounds: The upper bounds of the buckets of histograms, rising; in seconds for timers.
    public init(help: [String: String] = [:], bounds: [Double] = timeBounds) {
        self.help = help
        self.bounds = bounds
    }

    /// All metrics in Prometheus' text format 0.0.4.
    public var text: String {
        // Unlocked, so that new series don't wait for the text.
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

    /// The media type of ``text``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Makes a new series if there is none.
    ///
    /// Prometheus allows one kind for a name, so a name in use for another kind gets the kind as a suffix.
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
    /// Makes a counter, whose name gets the suffix `_total`.
    ///
    /// - Parameters:
    ///   - label: The name.
    ///   - dimensions: The labels.
    /// - Returns: The counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, ending: "_total") { CounterSeries() }
    }

    /// Makes a counter of fractions, whose name gets the suffix `_total`.
    ///
    /// - Parameters:
    ///   - label: The name.
    ///   - dimensions: The labels.
    /// - Returns: The counter.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, ending: "_total") { CounterSeries() }
    }

    /// Makes a gauge.
    ///
    /// - Parameters:
    ///   - label: The name.
    ///   - dimensions: The labels.
    /// - Returns: The gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions) { GaugeSeries() }
    }

    /// Makes a histogram, or a gauge of the last value.
    ///
    /// - Parameters:
    ///   - label: The name.
    ///   - dimensions: The labels.
    ///   - aggregate: `true` for a histogram.
    /// - Returns: The histogram or gauge.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        if aggregate { return series(label, dimensions) { HistogramSeries(bounds) } }
        return series(label, dimensions) { GaugeSeries() }
    }

    /// Makes a histogram of times in seconds, whose name gets the suffix `_seconds`.
    ///
    /// - Parameters:
    ///   - label: The name.
    ///   - dimensions: The labels.
    /// - Returns: The histogram.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, ending: "_seconds") { HistogramSeries(bounds) }
    }

    /// Removes a counter.
    public func destroyCounter(_ handler: any CounterHandler) { forget(handler) }
    /// Removes a counter of fractions.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { forget(handler) }
    /// Removes a gauge.
    public func destroyMeter(_ handler: any MeterHandler) { forget(handler) }
    /// Removes a histogram or gauge.
    public func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }
    /// Removes a histogram of times.
    public func destroyTimer(_ handler: any TimerHandler) { forget(handler) }
}
