import Foundation

/// Where times and numbers stand in a chart, in hundredths of its width and height.
struct ChartScale: Hashable, Sendable {
    let start: Date
    let end: Date

    /// Where a time stands, from 0 to 1; what is outside is put on the nearest edge.
    func share(of time: Date) -> Double {
        let length = end.timeIntervalSince(start)
        guard length > 0 else { return time < end ? 0 : 1 }
        return min(max(time.timeIntervalSince(start) / length, 0), 1)
    }

    /// Where a time stands, as an attribute of SVG has it.
    func place(of time: Date) -> String { Self.percent(share(of: time)) }

    /// A share as an attribute of SVG has it: hundredths of a per cent, without what a locale would make of the point.
    static func percent(_ share: Double) -> String {
        let number = Int((share * 10_000).rounded())
        let (whole, rest) = number.quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
