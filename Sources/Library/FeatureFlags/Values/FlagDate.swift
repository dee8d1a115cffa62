import Foundation

/// Dates as text: ISO 8601 in UTC, as in RealFlags and property lists.
///
/// Days are those of the proleptic Gregorian calendar. People and JSON write the years 1 to 9999. A property list may
/// hold others: Core Foundation writes `0000-12-30T00:00:00Z` for `Date.distantPast`, and more digits for later years.
package enum FlagDate {
    /// The years that a property list can hold, in words.
    package static let years = "-999999 to 999999"
    private static let usualYears = 1...9999

    /// Reads `2026-01-31T12:00:00Z`, or a day alone (its start in UTC).
    ///
    /// Allows up to nine digits of fractional seconds, and another zone (`+02:00`). Refuses days and times that don't
    /// exist, and a zone that moves the date out of the years 1 to 9999.
    package static func parse(_ text: String) -> Date? {
        var scanner = DateScanner(text)
        guard let year = scanner.number(4), usualYears.contains(year), scanner.skip("-"), let month = scanner.number(2),
            scanner.skip("-"),
            let date = scanner.number(2), let day = GregorianDay(year: year, month: month, day: date)
        else { return nil }
        if scanner.isAtEnd { return self.date(seconds(before: day), fraction: 0) }
        guard scanner.skip("T"), let time = scanner.time(), let fraction = scanner.fraction(),
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let seconds = seconds(before: day) + Int64(time - offset)
        return Self.text(seconds, in: usualYears) == nil ? nil : self.date(seconds, fraction: fraction)
    }

    /// Returns the date as `2026-01-31T12:00:00Z`, with three, six or nine digits of fractional seconds if needed.
    ///
    /// Outside the years 1 to 9999, returns a property list's text or, if that would lose precision, seconds since
    /// 1970.
    package static func text(_ date: Date) -> String {
        guard let whole = wholeSecondText(date) else {
            if let text = propertyListText(date), parsePropertyList(text) == date { return text }
            return "\(FlagNumber.text(date.timeIntervalSince1970)) seconds since 1970"
        }
        if parse(whole) == date { return whole }
        let texts = [3, 6, 9].compactMap { fractionalText(date, digits: $0) }
        return texts.first { parse($0) == date } ?? texts.last ?? whole
    }

    /// Returns whole seconds; `nil` outside the years 1 to 9999 or if the date is not a number.
    package static func wholeSecondText(_ date: Date) -> String? {
        wholeSeconds(date).flatMap { text($0, in: usualYears) }
    }

    /// Returns whole seconds for a property list; `nil` outside ``years`` or if the date is not a number.
    package static func propertyListText(_ date: Date) -> String? {
        wholeSeconds(date).flatMap { text($0, in: GregorianDay.years) }
    }

    /// Reads a date of a property list: whole seconds in UTC, in any of ``years``.
    package static func parsePropertyList(_ text: String) -> Date? {
        var scanner = DateScanner(text)
        guard let year = scanner.year(), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let date = scanner.number(2), let day = GregorianDay(year: year, month: month, day: date),
            scanner.skip("T"), let time = scanner.time(), scanner.skip("Z"), scanner.isAtEnd
        else { return nil }
        return self.date(seconds(before: day) + Int64(time), fraction: 0)
    }

    /// Reads the forms of ``parse(_:)`` and ``parsePropertyList(_:)``.
    package static func ofAnyYear(_ text: String) -> Date? { parse(text) ?? parsePropertyList(text) }

    /// Adds missing seconds and zone (UTC) to `2026-01-31 12:00` for ``parse(_:)``; other text is unchanged.
    static func completed(_ text: String) -> String {
        guard let parts = text.wholeMatch(of: /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?/)
        else {
            return text
        }
        return "\(parts.1)T\(parts.2)\(parts.3 ?? ":00")\(parts.4 ?? "Z")"
    }

    // In 64 bits: a watch's `Int` may have 32, which end in 2038.
    private static let secondsPerDay: Int64 = 86400
    /// Foundation's reference date, 1 January 2001, in seconds since 1970.
    private static let referenceDate: Int64 = 978_307_200

    private static func seconds(before day: GregorianDay) -> Int64 { Int64(day.daysSince1970) * secondsPerDay }

    private static func date(_ secondsSince1970: Int64, fraction: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(secondsSince1970 - referenceDate) + fraction)
    }

    private static func wholeSeconds(_ date: Date) -> Int64? {
        Int64(exactly: date.timeIntervalSinceReferenceDate.rounded(.down) + Double(referenceDate))
    }

    private static func text(_ secondsSince1970: Int64, in years: ClosedRange<Int>) -> String? {
        let (quotient, remainder) = secondsSince1970.quotientAndRemainder(dividingBy: secondsPerDay)
        let time = Int(remainder < 0 ? remainder + secondsPerDay : remainder)
        guard let days = Int(exactly: remainder < 0 ? quotient - 1 : quotient),
            let day = GregorianDay(daysSince1970: days), years.contains(day.year)
        else { return nil }
        // Digits are written in place instead of joining strings, as pages hold hundreds of dates.
        var text = Array("0000-00-00T00:00:00Z".utf8)
        let isOfFourDigits = 0...9999 ~= day.year
        put(isOfFourDigits ? day.year : 0, in: &text, upTo: 4)
        put(day.month, in: &text, upTo: 7)
        put(day.day, in: &text, upTo: 10)
        put(time / 3600, in: &text, upTo: 13)
        put(time / 60 % 60, in: &text, upTo: 16)
        put(time % 60, in: &text, upTo: 19)
        guard !isOfFourDigits else { return String(decoding: text, as: UTF8.self) }
        return (day.year < 0 ? "-" : "") + digits(abs(day.year), 4) + String(decoding: text[4...], as: UTF8.self)
    }

    /// Rounds to `count` digits of fractional seconds; `nil` if that leads to a year without text.
    private static func fractionalText(_ date: Date, digits count: Int) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        let unit = (0..<count).reduce(1) { unit, _ in unit * 10 }
        let parts = Int(((interval - interval.rounded(.down)) * Double(unit)).rounded())
        let isCarried = parts == unit
        let whole = Date(timeIntervalSinceReferenceDate: interval.rounded(.down) + (isCarried ? 1 : 0))
        return wholeSecondText(whole).map { "\($0.dropLast()).\(digits(isCarried ? 0 : parts, count))Z" }
    }

    /// Writes a number into a text of zeros, with its last digit just before `end`.
    private static func put(_ number: Int, in text: inout [UInt8], upTo end: Int) {
        var (rest, place) = (number, end - 1)
        while rest > 0 {
            text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            (rest, place) = (rest / 10, place - 1)
        }
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

private struct DateScanner {
    private var bytes: Substring.UTF8View

    init(_ text: String) {
        bytes = text[...].utf8
    }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: character) else { return false }
        bytes.removeFirst()
        return true
    }

    /// Reads exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads a year of four to six digits, with an optional minus sign.
    mutating func year() -> Int? {
        let isNegative = skip("-")
        guard var year = number(4) else { return nil }
        for _ in 0..<2 {
            guard let digit = digit() else { break }
            year = year * 10 + digit
        }
        return isNegative ? -year : year
    }

    /// Reads `12:00:00`, in seconds.
    mutating func time() -> Int? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second < 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Reads `.5`, in seconds: 0 without a point, `nil` with no digit or more than nine.
    mutating func fraction() -> Double? {
        guard skip(".") else { return 0 }
        var (number, unit) = (0, 1)
        while let digit = digit() {
            guard unit < 1_000_000_000 else { return nil }
            number = number * 10 + digit
            unit *= 10
        }
        return unit == 1 ? nil : Double(number) / Double(unit)
    }

    /// Reads `Z` or `+02:00`, in seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Z") { return 0 }
        let isEast = skip("+")
        guard isEast || skip("-"), let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hour * 3600 + minute * 60)
    }

    private mutating func digit() -> Int? {
        guard let byte = bytes.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        bytes.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }
}

/// A day of the proleptic Gregorian calendar, as in property lists and ISO 8601.
///
/// Foundation's calendars and formats switch to the Julian calendar before 15 October 1582.
struct GregorianDay {
    /// All years of at most six digits; 1 BC is the year 0.
    static let years = -999_999...999_999

    let year: Int
    let month: Int
    let day: Int

    /// `nil` for a day that doesn't exist or is outside ``years``.
    init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The days since 1 January 1970.
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

    /// The inverse, `civil_from_days`; `nil` outside ``years``.
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

    /// 1 January of the first of ``years`` to 31 December of the last.
    private static let daysSince1970 = -365_961_662...364_522_971

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
