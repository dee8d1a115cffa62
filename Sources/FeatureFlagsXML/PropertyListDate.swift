import Foundation

/// The dates of property lists, `2011-11-11T11:11:11Z`, in the proleptic Gregorian calendar as Core Foundation has it.
///
/// Foundation's calendars switch to the Julian one before 1582, so the days are counted here.
enum PropertyListDate {
    /// The years that four digits can say.
    static let years = 1...9999

    /// Reads a date.
    ///
    /// - Returns: `nil` where the text has another form, or names a day or time that does not exist.
    static func parse(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, zip(bytes, "0000-00-00T00:00:00Z".utf8).allSatisfy({ fits($0, $1) }) else {
            return nil
        }
        func number(_ digits: Range<Int>) -> Int { bytes[digits].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard years.contains(year), (1...12).contains(month), (1...daysIn(month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return Date(timeIntervalSince1970: Double(days * 86400 + hour * 3600 + minute * 60 + second))
    }

    /// The date's text, without fractions of a second.
    ///
    /// - Returns: `nil` where the year is none of ``years``.
    static func text(_ date: Date) -> String? {
        let interval = date.timeIntervalSince1970.rounded(.down)
        guard let earliest = parse("0001-01-01T00:00:00Z"), let latest = parse("9999-12-31T23:59:59Z"),
            interval >= earliest.timeIntervalSince1970, interval <= latest.timeIntervalSince1970
        else { return nil }
        let seconds = Int(interval)
        let time = ((seconds % 86400) + 86400) % 86400
        let (year, month, day) = civil((seconds - time) / 86400)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
            + "T\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))Z"
    }

    private static func fits(_ byte: UInt8, _ shape: UInt8) -> Bool {
        shape == UInt8(ascii: "0") ? (shape...UInt8(ascii: "9")).contains(byte) : byte == shape
    }

    private static func daysIn(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts from 1 March of year 0, so that the leap day is a year's last: see
    /// https://howardhinnant.github.io/date_algorithms.html (`days_from_civil`).
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse, `civil_from_days`, for days of ``years``.
    private static func civil(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
