import CoreMetrics
import Testing

@testable import PrometheusMetrics

@Suite("Numbers for Prometheus")
struct PrometheusRegistryTests {
    @Test("A counter is told with its help and its labels, and from 0 on")
    func counters() {
        let registry = PrometheusRegistry(help: ["jobs_total": "Jobs."])
        let counter = Counter(label: "jobs", dimensions: [("sort", "new"), ("by", "ada")], factory: registry)
        _ = Counter(label: "jobs_total", dimensions: [("sort", "old")], factory: registry)
        counter.increment(by: 2)
        counter.increment(by: -1)
        #expect(
            registry.text == """
                # HELP jobs_total Jobs.
                # TYPE jobs_total counter
                jobs_total{by="ada",sort="new"} 2
                jobs_total{sort="old"} 0

                """)
    }

    @Test("A counter of fractions and a whole one of the same name are the same series")
    func fractions() {
        let registry = PrometheusRegistry(help: ["work_total": "Work."])
        Counter(label: "work", factory: registry).increment()
        FloatingPointCounter(label: "work", factory: registry).increment(by: 0.5)
        #expect(registry.text.hasSuffix("work_total 1.5\n"))
    }

    @Test("A time is told as a histogram of seconds whose buckets add up")
    func times() {
        let registry = PrometheusRegistry(help: ["wait_seconds": "Waiting."], bounds: [0.1, 1])
        let timer = Timer(label: "wait", factory: registry)
        #expect(registry.text.isEmpty)
        for milliseconds in [50, 100, 500, 2000] { timer.recordMilliseconds(milliseconds) }
        #expect(
            registry.text == """
                # HELP wait_seconds Waiting.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{le="0.1"} 2
                wait_seconds_bucket{le="1"} 3
                wait_seconds_bucket{le="+Inf"} 4
                wait_seconds_sum 2.65
                wait_seconds_count 4

                """)
    }

    @Test("A value is told once it was recorded, and goes up and down")
    func values() {
        let registry = PrometheusRegistry(help: ["open": "Open."])
        let meter = Meter(label: "open", factory: registry)
        #expect(registry.text.isEmpty)
        meter.increment(by: 3.5)
        meter.decrement()
        #expect(registry.text.hasSuffix("open 2.5\n"))
        Gauge(label: "open", factory: registry).record(-1)
        #expect(registry.text.hasSuffix("open -1\n"))
    }

    @Test("What the format has no letters for is written in those that it has")
    func letters() {
        let registry = PrometheusRegistry(help: ["a_b": "One \\ two\nthree"])
        Meter(label: "a.b", dimensions: [("le", "x\"y"), ("9", "\\\n"), ("__n", "é")], factory: registry).set(1)
        #expect(
            registry.text == """
                # HELP a_b One \\\\ two\\nthree
                # TYPE a_b gauge
                a_b{_9="\\\\\\n",own___n="é",own_le="x\\"y"} 1

                """)
    }

    @Test("A name that stands for something else already gets another one")
    func clashes() {
        let registry = PrometheusRegistry()
        Meter(label: "size", factory: registry).set(1)
        Recorder(label: "size", factory: registry).record(1)
        let names = registry.text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
        #expect(names == ["# TYPE size gauge", "# TYPE size_histogram histogram"])
    }

    @Test("What is destroyed is told no more")
    func forgetting() {
        let registry = PrometheusRegistry()
        let counter = Counter(label: "gone", factory: registry)
        counter.increment()
        counter.destroy()
        #expect(registry.text.isEmpty)
    }

    @Test("Nothing is lost where many threads count at once")
    func threads() async {
        let registry = PrometheusRegistry(bounds: [1])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<5000 {
                        Counter(label: "many", factory: registry).increment()
                        Recorder(label: "sizes", factory: registry).record(0.5)
                    }
                }
            }
        }
        let text = registry.text
        #expect(text.contains("many_total 40000\n"))
        #expect(text.contains("sizes_sum 20000\nsizes_count 40000\n"))
    }
}
