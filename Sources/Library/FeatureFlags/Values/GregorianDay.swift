/// A day of the proleptic Gregorian calendar, which property lists and ISO 8601 count in.
///
/// Foundation's calendars and formats switch to the Julian calendar before 15 October 1582, so the days are counted
/// here.
struct GregorianDay {
    /// The years that are counted: those of at most six digits, 1 BC being the year 0.
    static let years = -999_999...999_999

    let year: Int
    let month: Int
    let day: Int

    /// Makes a day, or `nil` where the calendar has none such, or its year is none of ``years``.
    init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The days from 1 January 1970 to this one.
    ///
    /// Counts from 1 March of year 0, so that the leap day is a year's last: see
    /// https://howardhinnant.github.io/date_algorithms.html (`days_from_civil`).
    var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted < 0 ? shifted - 399 : shifted) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse, `civil_from_days`; `nil` where the year is none of ``years``.
    init?(daysSince1970: Int) {
        guard Self.daysSince1970.contains(daysSince1970) else { return nil }
        let days = daysSince1970 + 719_468
        let era = (days < 0 ? days - 146_096 : days) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// From 1 January of the first of ``years`` to 31 December of the last.
    private static let daysSince1970 = -365_961_662...364_522_971

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
