import FeatureFlags
import Foundation
import Testing

@Suite("Dates as text")
struct FlagDateTests {
    @Test(
        "A date is read as its seconds since 1970",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2011-11-11T11:11:11Z", 1_321_009_871),
            ("2026-01-31T12:00:00Z", 1_769_860_800), ("2026-01-31", 1_769_817_600),
            ("2026-01-31T12:00:00+00:00", 1_769_860_800), ("2026-01-31T12:00:00-00:00", 1_769_860_800),
            ("2026-01-31T12:00:00+02:00", 1_769_853_600), ("2026-01-31T12:00:00-05:30", 1_769_880_600),
            ("2026-01-31T00:30:00+23:59", 1_769_733_060), ("2026-01-31T23:59:59Z", 1_769_903_999),
            ("2026-01-31T12:00:00.5Z", 1_769_860_800.5), ("2026-01-31T12:00:00.25+02:00", 1_769_853_600.25),
            ("2026-01-31T12:00:00.000000000Z", 1_769_860_800), ("1969-12-31T23:59:59.5Z", -0.5),
            ("2000-02-29", 951_782_400), ("2024-02-29T00:00:00Z", 1_709_164_800),
            ("0001-01-01", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("0001-01-01T02:00:00+02:00", -62_135_596_800), ("9999-12-31T22:00:00-01:59", 253_402_300_740),
        ] as [(String, Double)])
    func reads(text: String, seconds: Double) {
        #expect(FlagDate.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "What is no date that exists is refused",
        arguments: [
            "", "today", "2026", "2026-01", "2026-1-31", "26-01-31", "2026/01/31", "20260131", "-2026-01-31",
            "+2026-01-31", "12026-01-31", "2026-00-10", "2026-13-10", "2026-01-00", "2026-01-32", "2026-04-31",
            "2026-02-29", "2026-02-30", "2024-02-30", "1900-02-29", "2100-02-29T00:00:00Z", "0000-12-31",
            "2026-01-31 ", " 2026-01-31", "2026-01-31\n", "2026-01-31Z", "2026-01-31T", "2026-01-31T12:00",
            "2026-01-31T12:00Z", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-01-31t12:00:00Z",
            "2026-01-31T12:00:00z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z",
            "2026-01-31T12:00:00ZZ", "2026-01-31T12:00:00Z ", "2026-01-31T12:00:00Z junk", "2026-01-31T12:00:00.Z",
            "2026-01-31T12:00:00.1234567890Z", "2026-01-31T12:00:00,5Z", "2026-01-31T12:00:00.5",
            "2026-01-31T12:00:00+02", "2026-01-31T12:00:00+0200", "2026-01-31T12:00:00+24:00",
            "2026-01-31T12:00:00+02:60", "2026-01-31T12:00:00 +02:00", "2026-01-31T12:00:00+02:00Z",
            "2026-01-3１", "２０２６-01-31", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:00-00:01", "nan", "1e3",
        ])
    func refuses(text: String) {
        #expect(FlagDate.parse(text) == nil)
    }

    @Test(
        "A date reads back from its text, whole seconds without a fraction",
        arguments: [
            "1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.500Z",
            "2026-01-31T12:00:00.123Z", "2026-01-31T12:00:00.123456Z", "1969-12-31T23:59:58.500Z",
            "2001-01-01T00:00:00.000000001Z", "2000-12-31T23:59:59.999999999Z", "2024-02-29T23:59:59.999Z",
            "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1582-10-15T00:00:00Z", "1582-10-14T23:59:59Z",
            "1582-10-10T00:00:00Z", "1500-03-01T00:00:00Z", "1600-02-29T00:00:00Z", "0400-02-29T12:00:00.250Z",
        ])
    func roundTrips(text: String) throws {
        let date = try #require(FlagDate.parse(text))
        #expect(FlagDate.text(date) == text)
    }

    @Test(
        "Before October 1582 days are counted in the Gregorian calendar all the same",
        arguments: [
            ("1582-10-14", -12_219_379_200), ("1500-03-01", -14_826_672_000), ("1500-02-28", -14_826_758_400),
            ("1000-01-01", -30_610_224_000),
        ] as [(String, Double)])
    func isProleptic(text: String, seconds: Double) {
        #expect(FlagDate.parse(text) == Date(timeIntervalSince1970: seconds))
        #expect(FlagDate.text(Date(timeIntervalSince1970: seconds)) == text + "T00:00:00Z")
        #expect(FlagDate.parse("1500-02-29") == nil)
    }

    @Test("Around every turn of a century, months begin where the days counted from year 1 on say")
    func months() {
        var seconds = -62_135_596_800.0
        for year in 1...9999 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, days) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                if !(1...96).contains(year % 100) || year < 10 {
                    let first = "\(String(year + 10_000).dropFirst())-\(String(month + 101).dropFirst())-01"
                    #expect(FlagDate.parse(first)?.timeIntervalSince1970 == seconds)
                    #expect(FlagDate.text(Date(timeIntervalSince1970: seconds)) == "\(first)T00:00:00Z")
                }
                seconds += Double(days) * 86_400
            }
        }
        #expect(seconds == 253_402_300_800)
    }

    @Test(
        "A fraction is shown with three, six or nine digits, whichever says it",
        arguments: [
            (0.5, "2001-01-01T00:00:00.500Z"), (0.000_25, "2001-01-01T00:00:00.000250Z"),
            (0.000_000_25, "2001-01-01T00:00:00.000000250Z"), (0.1234567891234, "2001-01-01T00:00:00.123456789Z"),
            (-1e-20, "2001-01-01T00:00:00.000000000Z"), (1e-20, "2001-01-01T00:00:00.000000000Z"),
        ])
    func fractions(interval: TimeInterval, text: String) {
        #expect(FlagDate.text(Date(timeIntervalSinceReferenceDate: interval)) == text)
    }

    @Test(
        "A date of no year that people write is shown as a property list has it, else in seconds; neither is read as one of theirs",
        arguments: [
            (-62_135_596_801, "0000-12-31T23:59:59Z"), (253_402_300_800, "10000-01-01T00:00:00Z"),
            (-62_135_596_800.5, "-62135596800.5 seconds since 1970"), (-62_198_755_200, "-0001-01-01T00:00:00Z"),
            (-31_619_087_596_800, "-999999-01-01T00:00:00Z"),
            (-31_619_087_596_801, "-31619087596801 seconds since 1970"),
            (1e300, "1e+300 seconds since 1970"), (-.infinity, "-inf seconds since 1970"),
            (.infinity, "inf seconds since 1970"), (.nan, "nan seconds since 1970"),
            (-.greatestFiniteMagnitude, "-1.7976931348623157e+308 seconds since 1970"),
            (9.3e18, "9300000000000000000 seconds since 1970"),
        ] as [(Double, String)])
    func beyond(seconds: Double, text: String) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(FlagDate.text(date) == text)
        #expect(FlagDate.parse(text) == nil)
        #expect(FlagValue.date(date).briefDescription == "date \(text)")
    }
}
