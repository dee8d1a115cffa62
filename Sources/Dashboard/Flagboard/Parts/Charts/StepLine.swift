import Foundation

struct StepLine: Hashable, Sendable {
    /// An interval with its number; `nil` for a gap.
    struct Stretch: Hashable, Sendable {
        let number: Double?
        let start: Date
        let end: Date
    }

    /// Units of the drawing, which is stretched to fit.
    static let (width, height) = (1000, 100)
    private static let margin = 6

    let path: String
    let least: Double
    let greatest: Double

    /// `nil` without numbers, or with infinite ones.
    ///
    /// - Parameter stretches: Consecutive intervals, oldest first.
    init?(_ stretches: [Stretch], on scale: ChartScale) {
        let numbers = stretches.compactMap(\.number)
        guard let least = numbers.min(), let greatest = numbers.max(), numbers.allSatisfy(\.isFinite) else {
            return nil
        }
        (self.least, self.greatest) = (least, greatest)
        var path = ""
        var last: (x: Int, y: Int)?
        for stretch in stretches {
            guard let number = stretch.number else {
                last = nil
                continue
            }
            let y = Self.height(of: number, least, greatest)
            let (from, to) = (Self.place(stretch.start, scale), Self.place(stretch.end, scale))
            // A continued line only has to go up or down.
            if last.map({ $0.x == from }) == true {
                if last?.y != y { path += "V\(y)" }
            } else {
                path += "M\(from) \(y)"
            }
            path += "H\(max(to, from))"
            last = (max(to, from), y)
        }
        self.path = path
    }

    private static func place(_ time: Date, _ scale: ChartScale) -> Int {
        Int((scale.share(of: time) * Double(width)).rounded())
    }

    /// Returns a number's distance from the upper edge; the middle if all are equal.
    private static func height(of number: Double, _ least: Double, _ greatest: Double) -> Int {
        let room = Double(height - 2 * margin)
        // Halved, because the difference of huge numbers overflows to infinity.
        let length = greatest / 2 - least / 2
        guard length > 0 else { return height / 2 }
        return height - margin - Int(((number / 2 - least / 2) / length * room).rounded())
    }
}
