import Foundation

/// A number over time as a line of steps: it stays at a value until the next one, and breaks off where there is none.
struct StepLine: Hashable, Sendable {
    /// A stretch of time with its number; `nil` for none.
    struct Stretch: Hashable, Sendable {
        let number: Double?
        let start: Date
        let end: Date
    }

    /// The units of the drawing, across and down; it is stretched to the room that there is.
    static let (width, height) = (1000, 100)
    /// How far from the upper and the lower edge the greatest and the least number stand.
    private static let margin = 6

    /// The line as a path of SVG.
    let path: String
    /// The least number, and the greatest.
    let least: Double
    let greatest: Double

    /// Draws a line; `nil` where there is no number in it, or one that has no place, such as infinity.
    ///
    /// - Parameter stretches: The stretches, one after the other, the oldest first.
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
            // A line that goes on is where the one before ended, and has to go up or down only.
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

    /// How far below the upper edge a number stands; in the middle where all are the same.
    private static func height(of number: Double, _ least: Double, _ greatest: Double) -> Int {
        let room = Double(height - 2 * margin)
        // Halves: the difference of the greatest numbers that there are is none any more.
        let length = greatest / 2 - least / 2
        guard length > 0 else { return height / 2 }
        return height - margin - Int(((number / 2 - least / 2) / length * room).rounded())
    }
}
