import FeatureFlags
import FlagHistory
import Foundation
import Testing

@testable import Flagboard

@Suite("The bars of what each provider held")
struct FlagTimelineTests {
    /// A change so many hours before now.
    private static func step(
        _ id: Int64, hoursAgo: Double, before: FlagValue? = nil, after: FlagValue? = .bool(true)
    ) -> ValueSteps.Step {
        ValueSteps.Step(
            id: id, at: Samples.now.addingTimeInterval(-hoursAgo * 3600), provider: "local", before: before,
            after: after)
    }

    /// Changes, newest first, before which there are others.
    private static func walk(_ steps: [ValueSteps.Step], isCut: Bool = false) -> ValueSteps {
        ValueSteps(steps: steps, rowCount: steps.count, cutOff: isCut ? steps.last?.at : nil)
    }

    /// Many changes from off to on and back, newest first, evenly in these hours before now.
    private static func flips(_ count: Int, hoursAgo: ClosedRange<Double>) -> [ValueSteps.Step] {
        (0..<count).map { place in
            let share = Double(place) / Double(count)
            return step(
                Int64(count - place),
                hoursAgo: hoursAgo.lowerBound + share * (hoursAgo.upperBound - hoursAgo.lowerBound),
                before: .bool(!place.isMultiple(of: 2)), after: .bool(place.isMultiple(of: 2)))
        }
    }

    @Test("A flag's bars show what was held, from the newest change back, in fills that differ")
    func timeline() throws {
        let steps = [
            Self.step(3, hoursAgo: 24 * 10, before: .string("2"), after: nil),
            Self.step(2, hoursAgo: 24 * 20, before: .string("1"), after: .string("2")),
            Self.step(1, hoursAgo: 24 * 40, before: nil, after: .string("1")),
        ]
        let timeline = try #require(FlagTimeline(Self.walk(steps), providers: ["local"], now: Samples.now))
        let bars = try #require(timeline.providers.first)
        #expect(bars.barProvider == "local" && bars.spans.map(\.changeNumber) == [3, 2, 1, 1])
        let month = try #require(bars.bars.first)
        #expect(month.segments.map(\.fill) == ["value-2", "value-1", "absent"])
        #expect(month.segments.map(\.x) == ["0.00%", "33.33%", "66.67%"])
        #expect(month.summary.contains("no value for 33% of the time"))
        #expect(bars.bars[1].segments.map(\.fill) == ["value-2", "value-1", "absent"])
        #expect(bars.spans.last?.since == nil && bars.spans.last?.until == TimeText(steps[2].at))
        #expect(timeline.legend.map(\.keyLabel) == ["no value", "\"2\"", "\"1\""])
        #expect(timeline.cutNote == nil && bars.spansNote == nil)
    }

    @Test("The time before the history began is shown without data, and short bars have times at their ends")
    func unknownTime() throws {
        let walk = Self.walk([
            Self.step(8, hoursAgo: 1, before: .bool(false), after: .bool(true)),
            Self.step(7, hoursAgo: 20, before: .bool(true), after: .bool(false)),
        ])
        let begin = Samples.now.addingTimeInterval(-36 * 3600)
        let timeline = try #require(
            FlagTimeline(walk, historyBegin: begin, providers: ["local"], now: Samples.now))
        let bars = try #require(timeline.providers.first?.bars)
        #expect(bars[0].segments.map(\.fill) == ["unknown", "on", "off", "on"] && bars[0].startDay == "2026-10-22")
        #expect(bars[0].summary.contains("no data for 95% of the time"))
        #expect(bars[1].segments.map(\.fill) == ["on", "off", "on"])
        #expect(bars[1].startDay == TimeText(begin).text && bars[1].endDay == TimeText(Samples.now).text)
        #expect(timeline.legend.map(\.keyLabel) == ["on (true)", "off (false)", "no data"])
        let cut = try #require(
            FlagTimeline(
                Self.walk(walk.steps, isCut: true), historyBegin: begin, providers: [], now: Samples.now))
        #expect(cut.providers.first?.bars[1].segments.map(\.fill) == ["off", "on"])
        #expect(cut.providers.first?.bars[1].rangeLabel == "These changes")
    }

    @Test("More than eight values share a fill, and a flag whose values never changed has no bars")
    func manyValues() throws {
        let steps = (1...11).reversed().map { (number: Int) -> ValueSteps.Step in
            let (before, after): (FlagValue, FlagValue) = (.string("v\(number - 1)"), .string("v\(number)"))
            return Self.step(Int64(number), hoursAgo: Double(24 * (25 - number)), before: before, after: after)
        }
        let timeline = try #require(FlagTimeline(Self.walk(steps, isCut: true), providers: [], now: Samples.now))
        #expect(timeline.legend.count == 10 && timeline.legend.last?.keyLabel == "other values")
        #expect(timeline.providers.first?.spans.count == 12)
        #expect(timeline.cutNote != nil)
        #expect(FlagTimeline(Self.walk([]), providers: ["local"], now: Samples.now) == nil)
    }

    @Test("Changes of a single day make no picture, and those of two days do, by the clocks of the page's zone")
    func singleDay() throws {
        // It is 14:05 in UTC, and 23:05 in Tokyo.
        let steps = [Self.step(2, hoursAgo: 1, before: .bool(true), after: .bool(false)), Self.step(1, hoursAgo: 12)]
        let walk = Self.walk(steps)
        #expect(FlagTimeline(walk, providers: ["local"], now: Samples.now) == nil)
        let auckland = try #require(TimeZone(identifier: "Pacific/Auckland"))
        let timeline = PageZone.$current.withValue(auckland) {
            FlagTimeline(walk, providers: ["local"], now: Samples.now)
        }
        #expect(timeline != nil)
    }

    @Test("Numbers are drawn as a line of steps, with its least and greatest number, and all of it in words")
    func numbers() throws {
        let steps = [
            Self.step(3, hoursAgo: 24 * 10, before: .double(2.5), after: nil),
            Self.step(2, hoursAgo: 24 * 20, before: .integer(-1), after: .double(2.5)),
            Self.step(1, hoursAgo: 24 * 40, before: nil, after: .integer(-1)),
        ]
        let timeline = try #require(FlagTimeline(Self.walk(steps), providers: ["local"], now: Samples.now))
        let provider = try #require(timeline.providers.first)
        let line = try #require(provider.line)
        #expect(provider.bars.isEmpty && timeline.legend.isEmpty && provider.spans.count == 4)
        #expect(line.path == "M0 94H500V6H750")
        #expect(line.least == "-1" && line.greatest == "2.5")
        #expect(line.lineSummary == "local, all time: 3 changes; from -1 to 2.5, now no value")
        #expect(line.stretches.map(\.x) == ["0.00%", "50.00%", "75.00%"])
        #expect(line.lineStart == "2026-10-12" && line.lineEnd == "2026-11-21")
    }

    @Test(
        "Values that are no numbers, or have no place on a line, are drawn as bars",
        arguments: [
            FlagValue.string("3"), .bool(true), .double(.infinity),
        ])
    func noNumbers(value: FlagValue) throws {
        let steps = [
            Self.step(2, hoursAgo: 24 * 10, before: .integer(1), after: value),
            Self.step(1, hoursAgo: 24 * 40, before: nil, after: .integer(1)),
        ]
        let timeline = try #require(FlagTimeline(Self.walk(steps), providers: ["local"], now: Samples.now))
        #expect(timeline.providers.first?.line == nil && timeline.providers.first?.bars.count == 2)
    }

    @Test("Changes that are too close to be drawn apart are drawn as one, which counts them and says from when to when")
    func joined() throws {
        // Eight changes within an hour: the first seven values are drawn as one piece, the last one lasts.
        var steps = [Self.step(9, hoursAgo: 72, before: .bool(true), after: .bool(false))]
        steps += Self.flips(8, hoursAgo: 360...361)
        let timeline = try #require(FlagTimeline(Self.walk(steps), providers: ["local"], now: Samples.now))
        let month = try #require(timeline.providers.first?.bars.first)
        #expect(month.segments.map(\.fill) == ["unknown", "several", "on", "off"])
        let (first, last) = (TimeText(steps[8].at).text, TimeText(steps[1].at).text)
        #expect(month.segments[1].title == "7 changes: off (false), on (true) from \(first) to \(last)")
        #expect(month.segments[2].title.hasPrefix("on (true) from \(last) to "))
        #expect(month.summary.contains("local, last 30 days: 9 changes; "))
        #expect(timeline.legend.last?.keyLabel == "multiple changes")
    }

    @Test(
        "However many changes there are, a bar has a few hundred pieces that leave no gap, and each change counts once")
    func bounded() throws {
        for hours: Double in [0.1, 1, 700, 2400] {
            let flips = Self.flips(2000, hoursAgo: 0...hours)
            // There are no bars of a single day.
            let walk = Self.walk(flips + [Self.step(0, hoursAgo: hours + 30, before: .bool(true), after: .bool(false))])
            let timeline = try #require(FlagTimeline(walk, providers: ["local"], now: Samples.now))
            let bars = try #require(timeline.providers.first)
            #expect(bars.spans.count == 50 && bars.spansNote == "Only the newest 50 are listed.")
            let inMonth = walk.steps.count { $0.at >= Samples.now.addingTimeInterval(-30 * 86_400) }
            try Self.check(try #require(bars.bars.first), inMonth)
            try Self.check(try #require(bars.bars.last), 2001)
        }
    }

    private static func check(_ bar: FlagTimeline.Bar, _ changes: Int) throws {
        #expect((1...401).contains(bar.segments.count), "\(bar.segments.count) of \(changes) changes")
        let joined: [Int] = bar.segments.compactMap { segment in
            segment.title.prefixMatch(of: /(\d+) changes:/).flatMap { Int($0.output.1) }
        }
        let told = try #require(bar.summary.firstMatch(of: /: (\d+) changes;/).flatMap { Int($0.output.1) })
        let inPieces = joined.reduce(0, +)
        // What is drawn alone is one change each, but for what was there before all of them.
        let alone = bar.segments.count - joined.count
        #expect(told == changes)
        #expect((inPieces + alone - 2...inPieces + alone).contains(told), "\(inPieces) and \(alone) of \(told)")
        let ends: [(begin: Double, end: Double)] = bar.segments.map { segment in
            let begin = number(segment.x)
            return (begin, begin + number(segment.width))
        }
        #expect(ends.first?.begin == 0)
        #expect(abs((ends.last?.end ?? 0) - 100) < 0.02)
        for (this, next) in zip(ends, ends.dropFirst()) {
            #expect(this.begin < next.begin + 0.02 && next.begin <= this.end + 0.02)
        }
        #expect(bar.segments.allSatisfy { number($0.width) >= 0.29 })
    }

    @Test("Changes at one moment are all counted, and what was held for a moment is drawn wide enough to be seen")
    func moments() throws {
        let steps = [
            Self.step(4, hoursAgo: 24 * 2, before: .bool(false), after: .bool(true)),
            Self.step(3, hoursAgo: 24 * 2, before: .bool(true), after: .bool(false)),
            Self.step(2, hoursAgo: 24 * 5, before: .bool(false), after: .bool(true)),
            Self.step(1, hoursAgo: 24 * 5 + 0.01, before: .bool(true), after: .bool(false)),
        ]
        let begin = Samples.now.addingTimeInterval(-24 * 3600 * 20)
        let timeline = try #require(
            FlagTimeline(Self.walk(steps), historyBegin: begin, providers: ["local"], now: Samples.now))
        let all = try #require(timeline.providers.first?.bars.last)
        #expect(all.segments.map(\.fill) == ["on", "off", "on", "off", "on"])
        #expect(all.summary.contains("4 changes") && all.summary.contains("off (false) for less than 1%"))
        #expect(all.segments.map(\.width) == ["75.00%", "0.30%", "15.00%", "0.30%", "10.00%"])
        #expect(all.segments.map(\.x) == ["0.00%", "74.70%", "75.00%", "89.70%", "90.00%"])
    }

    private static func number(_ percent: String) -> Double { Double(percent.dropLast()) ?? .nan }
}
