import FeatureFlags
import Foundation

/// A day and time that was picked rather than typed, and the time zone that it is of.
struct PickedTime: Hashable, Sendable {
    /// The date as text that a flag takes; where there is no such time, what was picked, which no flag takes.
    let text: String

    /// Reads what was picked; fails where nothing was.
    ///
    /// The field `picked` is as a browser's `datetime-local` sends it, `zone` the name of a time zone in the time zone
    /// database; UTC where that is missing.
    ///
    /// - Parameter fields: The fields of a form.
    init?(_ fields: FormFields) {
        guard let picked = fields["picked"], !picked.isEmpty else { return nil }
        let zone = fields["zone"].flatMap { $0.isEmpty ? nil : $0 } ?? "UTC"
        text = Self.date(picked, zone).map(FlagDate.text) ?? "\(picked) \(zone)"
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
