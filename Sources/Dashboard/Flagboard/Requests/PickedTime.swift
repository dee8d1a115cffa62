import FeatureFlags
import Foundation

/// A day and time that was picked rather than typed, and the time zone that it is of.
struct PickedTime: Hashable, Sendable {
    /// The day and time as a browser's `datetime-local` sends it.
    let local: String
    /// The name of the time zone in the time zone database.
    let zone: String
    /// The date as text that a flag takes; `nil` where there is no such time.
    let text: String?

    /// Reads what was picked; fails where nothing was.
    ///
    /// The field `picked` is the day and time, `zone` the time zone; UTC where that is missing.
    init?(_ fields: FormFields) {
        guard let picked = fields["picked"], !picked.isEmpty else { return nil }
        self.init(picked, in: fields["zone"].flatMap { $0.isEmpty ? nil : $0 } ?? "UTC")
    }

    /// Takes a day and time.
    init(_ local: String, in zone: String) {
        (self.local, self.zone) = (local, zone)
        text = Self.text(local, zone)
    }

    private static func text(_ local: String, _ zone: String) -> String? {
        date(local, zone).flatMap { FlagDate.wholeSecondText($0) == nil ? nil : FlagDate.text($0) }
    }

    /// Why there is no such time, in a sentence.
    var problem: String {
        let shown = local.replacing("T", with: " ", maxReplacements: 1)
        guard Self.date(local, "UTC") != nil else { return "“\(shown)” is no day and time." }
        guard TimeZone(identifier: zone) != nil else { return "There is no time zone “\(zone)”." }
        guard Self.date(local, zone) == nil else {
            return "\(shown) in \(zone) lies outside of the years 1 to 9999 in UTC."
        }
        return "There is no \(shown) in \(zone): its clocks leap over that time."
    }

    /// The moment at which the clocks of a zone show a time; the first one where they show it twice.
    ///
    /// - Returns: `nil` where there is no such zone, or its clocks leap over the time.
    private static func date(_ picked: String, _ zone: String) -> Date? {
        let local = picked.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d/) == nil ? picked : "\(picked):00"
        guard let asUTC = FlagDate.parse("\(local)Z") else { return nil }
        if zone == "UTC" { return asUTC }
        guard let zone = TimeZone(identifier: zone) else { return nil }
        // What the zone's offset is a day before and after covers every change of it.
        let offsets = [-86_400.0, 86_400].map { zone.secondsFromGMT(for: asUTC.addingTimeInterval($0)) }
        let dates = offsets.map { asUTC.addingTimeInterval(-Double($0)) }
        return dates.filter { $0.addingTimeInterval(Double(zone.secondsFromGMT(for: $0))) == asUTC }.min()
    }
}
