import FeatureFlags
import Foundation
import Testing

@testable import Flagboard

@Suite("The stretches of time of a chart")
struct TimeBinsTests {
    private static func date(_ text: String) throws -> Date { try #require(FlagDate.parse(text)) }

    private static func bins(
        _ from: String, _ through: String, most: Int = 60, least: Int = 1, zone: String = "UTC"
    ) throws -> TimeBins {
        TimeBins(
            from: try date(from), through: try date(through), most: most, least: least,
            in: try #require(TimeZone(identifier: zone)))
    }

    @Test("Each day has its place, also where nothing happened on it")
    func days() throws {
        let bins = try Self.bins("2026-11-01T12:00:00Z", "2026-11-21T14:05:09Z")
        #expect(bins.unit == .day && bins.count == 21)
        #expect(bins.label(of: 0) == "2026-11-01" && bins.label(of: 20) == "2026-11-21")
        #expect(bins.place(of: try Self.date("2026-11-01T00:00:00Z")) == 0)
        #expect(bins.place(of: try Self.date("2026-11-10T23:59:59Z")) == 9)
        #expect(bins.place(of: try Self.date("2026-11-21T23:59:59Z")) == 20)
        #expect(bins.place(of: try Self.date("2026-10-31T23:59:59Z")) == nil)
        #expect(bins.place(of: try Self.date("2026-11-22T00:00:00Z")) == nil)
    }

    @Test(
        "A longer time is parted into weeks from Monday on, months or years, so that there are few enough",
        arguments: [
            ("2026-09-25", TimeBins.Unit.day, "2026-09-25", 58), ("2026-09-01", .week, "the week of 2026-08-31", 12),
            ("2025-06-01", .month, "2025-06", 18), ("2010-03-01", .year, "2010", 17),
        ])
    func units(from: String, unit: TimeBins.Unit, label: String, count: Int) throws {
        let bins = try Self.bins(from, "2026-11-21T14:05:09Z")
        #expect(bins.unit == unit && bins.label(of: 0) == label && bins.count == count)
        #expect(bins.count <= 60)
        #expect(zip(bins.borders, bins.borders.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("Of too many years the newest are kept, and where there are too few days, days before them are added")
    func bounds() throws {
        let years = try Self.bins("0900-01-01", "2026-11-21")
        #expect(years.unit == .year && years.count == 60 && years.label(of: 59) == "2026")
        let few = try Self.bins("2026-11-20", "2026-11-21", least: 14)
        #expect(few.count == 14 && few.label(of: 0) == "2026-11-08")
        let one = try Self.bins("2026-11-21", "2026-11-21")
        #expect(one.count == 1)
        let backwards = try Self.bins("2026-11-21", "2026-11-01")
        #expect(backwards.count == 1 && backwards.label(of: 0) == "2026-11-21")
    }

    @Test(
        "Days are those of the zone, those too on which a clock is set", arguments: ["Europe/Berlin", "Asia/Kathmandu"])
    func zones(zone: String) throws {
        let bins = try Self.bins("2026-10-20T12:00:00Z", "2026-10-30T12:00:00Z", zone: zone)
        #expect(bins.count == 11)
        #expect((0..<11).map { bins.days(of: $0).first } == (20...30).map { "2026-10-\($0)" })
        #expect((0..<11).allSatisfy { bins.days(of: $0).first == bins.days(of: $0).last })
        let lengths = zip(bins.borders, bins.borders.dropFirst()).map { $1.timeIntervalSince($0) / 3600 }
        // On 2026-10-25 the clocks of Berlin are set back by an hour.
        #expect(lengths[5] == (zone == "Europe/Berlin" ? 25 : 24))
        // It is half past one, and a quarter past five, on the 20th there.
        #expect(bins.place(of: try Self.date("2026-10-19T23:30:00Z")) == 0)
        #expect(bins.place(of: try Self.date("2026-10-19T18:00:00Z")) == nil)
    }

    @Test("The first and the last day of a week or a month are those that a filter takes")
    func ends() throws {
        let weeks = try Self.bins("2026-09-01", "2026-11-21")
        #expect(weeks.days(of: 0) == ("2026-08-31", "2026-09-06"))
        let months = try Self.bins("2025-06-01", "2026-11-21")
        #expect(months.days(of: 8) == ("2026-02-01", "2026-02-28"))
    }

    @Test(
        "The last one ends with the day of the last time, and not in the future",
        arguments: [
            ("2026-11-01", "2026-11-18"), ("2026-09-01", "2026-11-16"), ("2025-06-01", "2026-11-01"),
            ("2010-03-01", "2026-01-01"),
        ])
    func lastDay(from: String, first: String) throws {
        let bins = try Self.bins(from, "2026-11-18T14:05:09Z")
        #expect(bins.days(of: bins.count - 1) == (first, "2026-11-18"))
        #expect(bins.end == (try Self.date("2026-11-19T00:00:00Z")))
        #expect(bins.place(of: try Self.date("2026-11-18T23:59:59Z")) == bins.count - 1)
    }
}
